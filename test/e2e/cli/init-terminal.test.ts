import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import { runHere } from '../run-here.ts';
import { converse } from '../terminal.ts';

const ENTER = '\r';
const CTRL_C = '\x03';

const ambiguous = `id,title,date
1,Maps,03/04/2027
2,Ships,05/06/2027
3,Tides,07/08/2027
`;
const ZONE = 'In which time zone';
const CONFIRM = 'Enter writes the files';

const read = (dir: string, path: string) => readFileSync(join(dir, path), 'utf8');

test('On a terminal, init shows what it found and what is open, and writes what was answered', async () => {
  const dir = folderOf({ 'talks.csv': ambiguous });
  const { exitCode, shown, answered } = await converse(
    ['init', 'talks.csv'],
    [
      [ZONE, `Mars${ENTER}`],
      [ZONE, `Europe/Berlin${ENTER}`],
      [CONFIRM, `order of dates: day first${ENTER}`],
      [CONFIRM, ENTER],
    ],
    { cwd: dir },
  );
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 0, answered: 4 });
  expect(shown).toMatch(/Enter an IANA time zone[\s\S]*\n {2}order of dates: day first/);
  expect(shown).toMatch(/talks\.csv: 3 records[\s\S]*Maps[\s\S]*feedferry plan talks/);
  expect(shown).not.toContain('Please check');
  expect(read(dir, 'config/feedferry.yaml')).toContain('timezone: Europe/Berlin');
  expect(existsSync(join(dir, '.env'))).toBe(false);
  const preview = await runHere(['preview', 'talks', '--json'], {}, dir);
  expect(preview.exitCode).toBe(0);
  const [first = ''] = preview.stdout.split('\n');
  expect(JSON.parse(first).payload.date).toBe('2027-04-03');
  expect((await runHere(['test'], {}, dir)).stdout).toContain('3 tests, 0 failed');
});

test('A line can be changed before the files are written, and what is not possible changes nothing', async () => {
  const dir = folderOf({
    'talks.csv': 'id,title,subtitle,date,hall,code\n1,Maps,Old ones,2027-03-04,A,x\n2,Ships,New,2027-05-06,B,y\n',
  });
  const { exitCode, shown, answered } = await converse(
    ['init', 'talks.csv'],
    [
      [ZONE, ENTER],
      [CONFIRM, `title=title, subtitle${ENTER}`],
      [CONFIRM, `start.format: QQQ${ENTER}`],
      [CONFIRM, `title: [titel]${ENTER}`],
      [CONFIRM, ENTER],
    ],
    { cwd: dir },
  );
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 0, answered: 5 });
  expect(shown).toMatch(/Not used:[\s\S]*code[\s\S]*All 2 records can be published[\s\S]*Maps – Old ones/);
  expect(shown).toMatch(/"QQQ"[\s\S]*has no field "titel"/);
  const file = read(dir, 'config/syncs/talks.yaml');
  expect(file).toMatch(/title: \{ template: .*\{\{ subtitle \}\}/);
  expect(file).not.toContain('QQQ');
});

test('The sync can be edited as a text, and what the editor leaves is checked, shown and corrected further', async () => {
  const dir = folderOf({ 'talks.csv': 'id,title,date,hall\n1,Maps,2027-03-04,A\n2,Ships,2027-05-06,B\n' });
  // The first edit has a mistake; the second one starts from the text of the first.
  const editor = join(dir, 'editor');
  const edits = `if grep -q ^key: "$1"; then sed -i s/^key:/kee:/ "$1"; else sed -i 's/^kee:/# A note.\\nkey:/' "$1"; fi`;
  writeFileSync(editor, `#!/bin/sh\n${edits}\n`);
  chmodSync(editor, 0o755);
  const { exitCode, shown, answered } = await converse(
    ['init', 'talks.csv'],
    [
      [ZONE, ENTER],
      [CONFIRM, `e${ENTER}`],
      [CONFIRM, `e${ENTER}`],
      [CONFIRM, `category=hall${ENTER}`],
      [CONFIRM, ENTER],
    ],
    { cwd: dir, variables: { EDITOR: editor } },
  );
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 0, answered: 5 });
  expect(shown).toMatch(/kee is not a known key[\s\S]*All 2 records can be published/);
  const file = read(dir, 'config/syncs/talks.yaml');
  expect(file).toMatch(/# A note\.\nkey: id/);
  expect(file).toContain('  category: hall\n');
  expect((await runHere(['test'], {}, dir)).stdout).toContain('2 tests, 0 failed');
});

test.each([
  ['Ctrl-C at the first question', [[ZONE, CTRL_C]]],
  [
    'Ctrl-C at the last question',
    [
      [ZONE, ENTER],
      [CONFIRM, CTRL_C],
    ],
  ],
  [
    'q',
    [
      [ZONE, ENTER],
      [CONFIRM, `q${ENTER}`],
    ],
  ],
] as Array<[string, Array<[string, string]>]>)('After %s, nothing is written', async (_, steps) => {
  const dir = folderOf({ 'talks.csv': ambiguous });
  const { exitCode, shown, answered } = await converse(['init', 'talks.csv'], steps, { cwd: dir });
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 130, answered: steps.length });
  expect(shown).toContain('Nothing was written.');
  expect(existsSync(join(dir, 'config'))).toBe(false);
  expect(existsSync(join(dir, '.env.example'))).toBe(false);
});

test.each([
  ['that is confirmed is opened', `y${ENTER}`, 1],
  ['that is not confirmed is not opened', ENTER, 0],
  ['is not opened after Ctrl-C', CTRL_C, 0],
])('A private address %s', async (_, key, requests) => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end('id,title,date\n1,Maps,2027-03-04\n2,Ships,2027-05-06\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const dir = folderOf({});
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/talks.csv`;
  const rest: Array<[string, string]> = requests > 0 ? [[ZONE, CTRL_C]] : [];
  const { shown } = await converse(['init', url], [['127.0.0.1 is in a private network. Open it?', key], ...rest], {
    cwd: dir,
  });
  expect(asked, shown).toBe(requests);
  expect(shown).not.toContain('It was opened because');
  expect(existsSync(join(dir, 'config'))).toBe(false);
});
