import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { cellHtml } from '../../../../src/console/pages/as-html.ts';
import { progressPart } from '../../../../src/console/pages/run.ts';
import { table } from '../../../../src/console/parts/table.ts';
import { startLink } from '../../../../src/documents/runs.ts';
import { aRun } from '../fake-console.ts';
import { ATTACK, aContext } from '../sample-views.ts';

const css = readFileSync(join(import.meta.dirname, '../../../../src/console/assets/console.css'), 'utf8');

test('A table keeps its roles, and each cell its heading, so that a row can be shown as a card', () => {
  const shown = String(
    table<string>({
      caption: 'Runs',
      columns: [
        { head: 'Name', isHeading: true, cell: (row) => row },
        { head: ATTACK, cell: () => 'x' },
      ],
      rows: ['a'],
    }),
  );
  for (const role of ['table', 'rowgroup', 'row', 'columnheader', 'rowheader', 'cell']) {
    expect(shown).toContain(`role="${role}"`);
  }
  expect(shown).toMatch(/<td role="cell" data-label="[^"]+">x/);
  expect(shown).not.toContain(ATTACK);
  expect(css).toMatch(/@media \(max-width: 37\.5rem\)[\s\S]*content: attr\(data-label\)/);
});

test('Runs of the same minute and of several syncs have links with different texts', () => {
  const link = (second: string, sync: string) => {
    const run = { run: `r${second}${sync}`, startedAt: `2027-03-01T10:00:${second}.000Z`, sync };
    return String(cellHtml(startLink(run), aContext())).replaceAll(/<[^>]*>/g, '');
  };
  const texts = [link('01', 'talks'), link('02', 'talks'), link('01', 'walks')];
  expect(new Set(texts).size).toBe(3);
  expect(texts[0]).toMatch(/:00:01 talks \S+$/);
});

test('A screen reader announces a run by tenths, and its end', () => {
  const said = (more: Parameters<typeof aRun>[0]) => {
    return /role="status">([^<]*)</.exec(String(progressPart(aRun(more))))?.[1];
  };
  const at = (done: number) => said({ progress: { phase: 'delivering', done, total: 300 } });
  expect([at(31), at(59), at(60)]).toEqual(['Delivering, 10 %.', 'Delivering, 10 %.', 'Delivering, 20 %.']);
  expect(said({ finishedAt: '2027-03-01T10:01:00.000Z', status: 'partial' })).toBe('Status of the run: partly done.');
});

test('Forced colours and print have rules of their own', () => {
  expect(css).toMatch(/@media \(forced-colors: active\) \{[\s\S]*\.badge[\s\S]*rect/);
  expect(css).toMatch(/@media print \{[\s\S]*\.badge/);
});

test('Column headings are in the typeface of texts, also above keys; a heading without actions leaves no gap', () => {
  expect(css).toContain('.key:not(thead *) {');
  expect(css).toMatch(/\.actions:empty \{\s*display: none/);
});
