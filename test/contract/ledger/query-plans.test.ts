import { expect, test } from 'vitest';
import { sqliteFile } from '../../../src/ledger/database/open.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import { temporaryDir } from '../../support/engines.ts';
import { recordStatements } from '../../support/sql-statements.ts';
import { tableScans } from '../../support/table-scans.ts';

const DAY_MS = 86_400_000;
/** Rejections expire at once. */
const retention = { runsMs: DAY_MS, rejectsMs: -DAY_MS, beforeImagesMs: DAY_MS, filesMs: DAY_MS };

test('What is asked about each sync, what the console asks, and a sweep, read no large table from end to end', async () => {
  using dir = temporaryDir();
  using log = recordStatements('ledger.sqlite');
  const ledger = await openLedger({ dataDir: dir.path });
  for (const _ of ['old', 'new']) await rejectOne(ledger);
  log.statements.length = 0;

  await ledger.runs.lastBegun('s');
  await ledger.runs.endLeftAlone('s');
  await ledger.records.undelivered('s', 5);
  await ledger.records.orphans(['s']);
  await ledger.records.withoutFiles('s', 5);
  await ledger.plans.heldPlan('s');
  await ledger.alerts.health('s');
  await askForConsole(ledger);
  await ledger.retention.run(retention, new AbortController().signal);
  await ledger.close();

  expect(log.statements.some((statement) => statement.startsWith('delete from "rejections"'))).toBe(true);
  expect(tableScans(sqliteFile(dir.path), [...log.statements, 'select * from records'])).toEqual([
    'SCAN records: select * from records',
  ]);
});

/** What the overview, lists and searches of the console read. */
async function askForConsole({ runs, records, plans, verifications }: Ledger): Promise<void> {
  const [newest] = await runs.newest({ sync: 's', limit: 1 });
  const before = { run: newest?.run ?? '', startedAt: Date.parse(newest?.startedAt ?? '') };
  await runs.newest({ sync: 's', before, limit: 5 });
  await runs.newest({ before, limit: 5 });
  await runs.recent(['s'], 30);
  await runs.underWay();
  await runs.lastReading('s');
  await runs.countRejections(before.run);
  await runs.countNewRejections({ run: before.run, sync: 's' }, before.startedAt);
  await runs.changedSince(before.startedAt);
  await plans.heldPlans();
  await verifications.drifts();
  await records.countUndelivered(['s'], 1000);
  await records.syncsWithRecords();
  await records.statesOf(['s'], ['failed']);
  await records.listed({ after: { sync: '', key: '' }, limit: 5 });
  await records.listed({ sync: 's', after: { sync: 's', key: '' }, limit: 5 });
  await records.listed({ sync: 's', status: 'failed', after: { sync: 's', key: '' }, limit: 5 });
  await records.named(['s'], 'a');
  await records.withCmsId(7);
}

async function rejectOne({ runs }: Ledger): Promise<void> {
  const run = await runs.begin('s', 'run');
  await runs.addRejections(run, 0, [{ at: 'line 2', code: 'FF_RECORD_KEY', reason: 'none' }]);
  await runs.finish(run);
}
