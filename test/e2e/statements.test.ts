import { expect, test } from 'vitest';
import { runOrJoin } from '../../src/app/service/join-run.ts';
import type { SyncConfig } from '../../src/config/types.ts';
import { recordStatements } from '../support/sql-statements.ts';
import { openSite, type Site } from './site.ts';

const MOST_FOR_AN_UPDATE = 52;
const MOST_UNCHANGED = 35;
/** Under load a run takes longer and looks at the ledger more often: the least busy of so many runs counts. */
const ATTEMPTS = 3;

/** All that `feedferry sync` sends to the ledger from opening to closing it, the pragmas and `begin` and `commit` included. */
test('A run of two records needs few SQL statements', async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: csv, url: ./feeds/talks.csv }
key: id
map: { title: title, date: date, time.start: start }
`,
  );
  writeTalks(site, 'Maps');
  await sync(site, { created: 2 });

  const updates: string[][] = [];
  const unchanged: string[][] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    writeTalks(site, `Old maps, ${attempt}`);
    updates.push(await sync(site, { updated: 1, unchanged: 1 }));
    unchanged.push(await sync(site, { unchanged: 2 }));
  }
  const update = shortest(updates);
  const none = shortest(unchanged);
  console.info(`SQL statements of a run of two records: ${update.length} with one update, ${none.length} unchanged`);
  expect(update.length).toBeLessThanOrEqual(MOST_FOR_AN_UPDATE);
  expect(none.length).toBeLessThanOrEqual(MOST_UNCHANGED);
});

function writeTalks(site: Site, title: string): void {
  site.write(
    'syncs/feeds/talks.csv',
    `id,title,date,start\nT1,"${title}",2027-03-01,10:00\nT2,Ships,2027-03-02,11:00\n`,
  );
}

async function sync(site: Site, counts: object): Promise<string[]> {
  using log = recordStatements('ledger.sqlite');
  await site.withApp(async (app) => {
    const [talks] = app.config.syncs as [SyncConfig];
    const { signal } = new AbortController();
    const report = await runOrJoin(app, talks, { askedAt: Date.now(), signal, onJoin() {} });
    expect(report).toMatchObject({ status: 'success', counts });
  });
  return log.statements;
}

function shortest(lists: readonly string[][]): string[] {
  return lists.toSorted((one, other) => one.length - other.length)[0] ?? [];
}
