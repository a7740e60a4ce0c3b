import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, type Site, simplest } from '../site.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

const MAP = 'key: id\nmap: { title: title, date: date, time.start: start, location: hall, description: text }\n';

/** Two syncs have published the same concert; then they become the sources of one. */
async function openDoubled(): Promise<Site> {
  const site = await openSite(simplest);
  for (const name of ['central', 'music'])
    site.write(
      `syncs/${name}-events.yaml`,
      `resource: events\nalike: allow\nsource: { connector: csv, url: ./feeds/${name}.csv }\n${MAP}`,
    );
  writeCalendar(site, 'central', [['1', ...CONCERT, 'Mozart']]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  await site.sync();
  for (const name of ['central', 'music']) rmSync(join(site.dir, `config/syncs/${name}-events.yaml`));
  const sources = ['central', 'music'].map(
    (name) => `  ${name}: { connector: csv, url: ./feeds/${name}.csv, renamedFrom: ${name}-events }`,
  );
  site.write('syncs/campus.yaml', `resource: events\nsources:\n${sources.join('\n')}\n${MAP}`);
  return site;
}

test('An event that two syncs have published stays twice, until a repair removes one of them', async () => {
  await using site = await openDoubled();
  expect(await itemsOf(site)).toHaveLength(3);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0 } }]);
  expect(await itemsOf(site)).toHaveLength(3);
  const verified = await runHere(['verify', 'campus', '--json'], site.variables);
  expect(verified.json()).toMatchObject({ verified: [{ drift: [{ key: 'music/7', cause: 'doubled' }] }] });

  const healed = await runHere(['verify', 'campus', '--heal', '--json'], site.variables);
  expect(healed.json()).toMatchObject({ runs: [{ counts: { deleted: 1 } }] });
  expect(await itemsOf(site)).toMatchObject([{ title: 'Old Maps' }, { title: 'Requiem', description: 'Mozart' }]);
  // The record of the other source has joined the item that is left.
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, unchanged: 2 } }]);
  expect(await itemsOf(site)).toHaveLength(2);
});

test('Events that a person has called different are no doubles', async () => {
  await using site = await openCampus();
  const [title, date, start] = CONCERT;
  writeCalendar(site, 'central', [['1', ...CONCERT, '']]);
  writeCalendar(site, 'music', [['7', title, date, start, 'Main Hall annex', '']]);
  await site.sync();
  const asked = await runHere(['questions', 'campus', '--json'], site.variables);
  const [question] = asked.json<{ questions: Array<{ id: string }> }>().questions;
  await runHere(['questions', 'campus', '--distinct', question?.id ?? ''], site.variables);
  expect(await site.sync()).toMatchObject([{ counts: { created: 1, unchanged: 1 } }]);
  const verified = await runHere(['verify', 'campus', '--json'], site.variables);
  expect(verified.json()).toMatchObject({ verified: [{ drift: [] }] });
});
