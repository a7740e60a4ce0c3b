import { expect, test } from 'vitest';
import { sqliteFile } from '../../../src/ledger/database/open.ts';
import { type Ledger, openLedger } from '../../../src/ledger/ledger.ts';
import { temporaryDir } from '../../support/engines.ts';
import { recordStatements } from '../../support/sql-statements.ts';
import { tableScans } from '../../support/table-scans.ts';

const DAY_MS = 86_400_000;
/** Rejections expire at once. */
const retention = { runsMs: DAY_MS, rejectsMs: -DAY_MS, beforeImagesMs: DAY_MS, filesMs: DAY_MS };

test('What is asked about each sync, and a sweep, read no large table from end to end', async () => {
  using dir = temporaryDir();
  using log = recordStatements('ledger.sqlite');
  const ledger = await openLedger({ dataDir: dir.path });
  for (const _ of ['old', 'new']) await rejectOne(ledger);
  log.statements.length = 0;

  await ledger.runs.last('s');
  await ledger.runs.lastBegun('s');
  await ledger.runs.endLeftAlone('s');
  await ledger.records.undelivered('s', 5);
  await ledger.records.orphans(['s']);
  await ledger.plans.heldPlan('s');
  await ledger.alerts.health('s');
  await ledger.retention.run(retention, new AbortController().signal);
  await ledger.close();

  expect(log.statements.some((statement) => statement.startsWith('delete from "rejections"'))).toBe(true);
  expect(tableScans(sqliteFile(dir.path), [...log.statements, 'select * from records'])).toEqual([
    'SCAN records: select * from records',
  ]);
});

async function rejectOne({ runs }: Ledger): Promise<void> {
  const run = await runs.begin('s', 'run');
  await runs.addRejections(run, 0, [{ at: 'line 2', code: 'FF_RECORD_KEY', reason: 'none' }]);
  await runs.finish(run);
}
