import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { ledgerTables } from '../../support/ledger-tables.ts';
import { either, inTurn } from '../in-turn.ts';
import type { Engines, Site } from '../site.ts';
import { CONCERT, itemsOf, openCampus, TALK, writeCalendar } from './two-calendars.ts';

const FILE = 'syncs/campus.yaml';
const TITLES = ['Alpha', 'Beta', 'Gamma', 'Delta'];

/** Both calendars have the concert, and a person has said which events are different. */
async function publishedCampus(engines: Engines) {
  const site = await openCampus({ engines, more: 'alike: allow\nmissing: { policy: delete, after: 1 run }\n' });
  writeCalendar(site, 'central', [
    ['1', ...CONCERT, 'Mozart'],
    ...TITLES.map((title, n) => [`${n + 2}`, title, `2031-04-0${n + 1}`, '10:00', 'Hall', `text-${n}`] as const),
  ]);
  writeCalendar(site, 'music', [
    ['7', ...CONCERT, 'With choir'],
    ['8', ...TALK, ''],
  ]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 6 } }]);
  const answer = { about: 'apart: central/2 ~ music/8', answer: 'distinct', person: 'Ada' } as const;
  await site.withContext(({ ledger }) => ledger.answers.answer('campus', [answer]));
  return site;
}

/** Replaces texts of the sync file, plans, and writes the file as it was. */
async function planAndDiscard(site: Site, changes: ReadonlyArray<readonly [from: string, to: string]>) {
  const before = readFileSync(join(site.dir, 'config', FILE), 'utf8');
  const changed = changes.reduce((text, [from, to]) => text.replace(from, to), before);
  expect(changed).not.toBe(before);
  site.write(FILE, changed);
  const plan = await site.withContext((context) => planRun(context));
  site.write(FILE, before);
  return plan;
}

const CENTRAL = '  central: { connector: csv, url: ./feeds/central.csv }\n';
const MUSIC = '  music: { connector: csv, url: ./feeds/music.csv }\n';

const discarded = [
  ['the key', [['key: id', 'key: text']]],
  ['the key of one source', [['central.csv }', 'central.csv, key: title }']]],
  ['a field', [['title: title', 'title: text']]],
  ['which records are published', [['alike: allow', 'alike: allow\nwhen: { field: id, is: "1" }']]],
  ['the order of the sources', [[CENTRAL + MUSIC, MUSIC + CENTRAL]]],
  ['the sources: one is removed', [[MUSIC, '']]],
  [
    'the sources: one is added',
    [[MUSIC, `${MUSIC}  more: { connector: csv, url: ./feeds/central.csv, key: title }\n`]],
  ],
  ['the name of a source', [['  music:', '  concerts:']]],
  ['how events are matched', [['alike: allow', 'alike: allow\nmerge: { match: [date] }']]],
  ['which source fills a value', [['alike: allow', 'alike: allow\nmerge: { fill: { description: [music] } }']]],
] as const;

test.each(inTurn(discarded.map(([what, changes]) => ({ what, changes }))))(
  'A plan with another file changes nothing for later runs: $what, on $ledger',
  async ({ changes, ...engines }) => {
    await using site = await publishedCampus(engines);
    const before = await ledgerTables(site.variables);
    const { run } = await planAndDiscard(site, changes);
    expect(await ledgerTables(site.variables, { without: run })).toEqual(before);
    expect(await site.withContext((context) => planRun(context))).toMatchObject({
      counts: { read: 6, unchanged: 6 },
      ...{ status: 'planned', creates: 0, updates: 0, deletes: 0 },
    });
    writeCalendar(site, 'music', [
      ['7', ...CONCERT, 'With choir'],
      ['8', ...TALK, 'With slides'],
    ]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 5, updated: 1, missing: 0 } }]);
  },
);

test.each(either(0))('No run publishes what only a plan has read, on $ledger', async (engines) => {
  await using site = await publishedCampus(engines);
  const published = await itemsOf(site);
  await planAndDiscard(site, [['title: title', 'title: text']]);
  site.write(FILE, `${readFileSync(join(site.dir, 'config', FILE), 'utf8')}when: { field: id, is: "1" }\n`);
  await site.sync();
  expect(await itemsOf(site)).toEqual(published);
});
