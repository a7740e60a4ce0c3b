import { expect, test } from 'vitest';
import { runOrJoin } from '../../../src/app/service/join-run.ts';
import type { SyncConfig } from '../../../src/config/types.ts';
import { recordStatements } from '../../support/sql-statements.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, type Site, simplest } from '../site.ts';

const MOST_FOR_AN_UPDATE = 56;
const MOST_UNCHANGED = 25;
/** A run that takes longer, because of other processes, asks the ledger more often: the quickest of so many counts. */
const MOST_ATTEMPTS = 20;

/** All that `feedferry sync` sends to the ledger from opening to closing it, the pragmas and `begin` and `commit` included. */
test('A run of two records needs few SQL statements', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTitle(site, 'Maps');
  await countStatements(site, { created: 2 });

  let update = Number.POSITIVE_INFINITY;
  let unchanged = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= MOST_ATTEMPTS && update > MOST_FOR_AN_UPDATE; attempt += 1) {
    writeTitle(site, `Old maps, ${attempt}`);
    update = Math.min(update, await countStatements(site, { updated: 1, unchanged: 1 }));
    unchanged = Math.min(unchanged, await countStatements(site, { unchanged: 2 }));
  }
  console.info(`SQL statements of a run of two records: ${update} with one update, ${unchanged} unchanged`);
  expect(update).toBeLessThanOrEqual(MOST_FOR_AN_UPDATE);
  expect(unchanged).toBeLessThanOrEqual(MOST_UNCHANGED);
});

function writeTitle(site: Site, title: string): void {
  writeTalks(site, [`T1,"${title}",2027-03-01,10:00`, 'T2,Ships,2027-03-02,11:00']);
}

async function countStatements(site: Site, counts: object): Promise<number> {
  using log = recordStatements('ledger.sqlite');
  await site.withApp(async (app) => {
    const [talks] = app.config.syncs as [SyncConfig];
    const { signal } = new AbortController();
    const report = await runOrJoin(app, talks, { askedAt: Date.now(), signal, onJoin() {} });
    expect(report).toMatchObject({ status: 'success', counts });
  });
  return log.statements.length;
}
