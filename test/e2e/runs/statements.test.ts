import { expect, test } from 'vitest';
import { runOrJoin } from '../../../src/app/actions/join-run.ts';
import type { SyncConfig } from '../../../src/config/types.ts';
import { recordStatements } from '../../support/sql-statements.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, type Site, simplest } from '../site.ts';

/** What the ledger does for each record of a run of many: raise a number only for a reason. */
const MOST_PER_RECORD = {
  // Seven rows, and those of the batches: the row of the plan comes and goes, and one is for the index by which people search.
  first: { reads: 0, writes: 3, rows: 7.2 },
  unchanged: { reads: 0, writes: 0, rows: 2.2 },
};
const MANY = 400;
/**
 * Three are for each run: which records that end about now are over by the minute, which events span days, and the note that the run has
 * asked the site.
 */
const MOST_FOR_AN_UPDATE = 61;
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

test('A run of many records executes few SQL statements and writes few rows for each', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  const rows = Array.from({ length: MANY }, (_, index) => `T${index},"Talk ${index}",2027-03-01,10:00`);
  writeTalks(site, rows);
  const first = await countWork(site, { created: MANY });
  // The same file would not be read again.
  writeTalks(site, rows.toReversed());
  const unchanged = await countWork(site, { unchanged: MANY });
  for (const [run, work] of Object.entries({ first, unchanged })) {
    const isRead = (statement: string) => statement.startsWith('select');
    // The requests of a batch share a look at its claim each 100 ms: how many looks that makes depends on the time that a run takes.
    const isLook = (statement: string) => /^select until\b.* from "?claims\b/.test(statement);
    const reads = forEachRecord(work.statements.filter((each) => isRead(each) && !isLook(each))) / MANY;
    // How many settlements share a transaction depends on how quickly they follow each other.
    const isBound = (statement: string) => /^(?:begin|commit|pragma)\b/.test(statement);
    const writes = forEachRecord(work.statements.filter((each) => !isRead(each) && !isBound(each))) / MANY;
    const written = work.rows / MANY;
    console.info(`${run} run, per record: ${reads} SQL queries, ${writes} SQL writes, ${written} rows written`);
    const most = MOST_PER_RECORD[run as keyof typeof MOST_PER_RECORD];
    expect(reads).toBeLessThanOrEqual(most.reads);
    expect(writes).toBeLessThanOrEqual(most.writes);
    expect(written).toBeLessThanOrEqual(most.rows);
  }
});

/** How many statements are executed for each record. The number of the others, such as looks at the run, depends on the time that it takes. */
function forEachRecord(statements: readonly string[]): number {
  const repeated = [...Map.groupBy(statements, (statement) => statement).values()];
  return repeated.flatMap(({ length }) => (length >= MANY ? length : [])).reduce((sum, count) => sum + count, 0);
}

function writeTitle(site: Site, title: string): void {
  writeTalks(site, [`T1,"${title}",2027-03-01,10:00`, 'T2,Ships,2027-03-02,11:00']);
}

async function countStatements(site: Site, counts: object): Promise<number> {
  return (await countWork(site, counts)).statements.length;
}

async function countWork(site: Site, counts: object): Promise<{ statements: string[]; rows: number }> {
  using log = recordStatements('ledger.sqlite');
  await site.withApp(async (app) => {
    const [talks] = app.config.syncs as [SyncConfig];
    const { signal } = new AbortController();
    const report = await runOrJoin(app, talks, { askedAt: Date.now(), signal, onJoin() {} });
    expect(report).toMatchObject({ status: 'success', counts });
  });
  return { statements: log.statements, rows: log.rowsWritten() };
}
