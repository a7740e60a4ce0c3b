import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
import { thisMachine } from '../../../src/core/runtime/process-name.ts';
import { systemRuntime } from '../../../src/core/runtime/runtime.ts';
import { openLedger } from '../../../src/ledger/ledger.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

describe.each(ledgerEngines.filter(hasEngine))('Leaders of runs in a ledger on %s', (engine) => {
  const opened = withLedger(engine);

  test('Each process is listed once, since the beginning of its oldest run', async () => {
    const { runs } = opened.ledger;
    expect(await runs.leaders()).toEqual([]);
    const first = await runs.begin('talks', 'run');
    const second = await runs.begin('tours', 'run');
    const beganAt = (await runs.find(first))?.startedAt ?? '';
    expect(await runs.leaders()).toEqual([{ name: `${hostname()}/${process.pid}`, since: Date.parse(beganAt) }]);
    for (const run of [first, second]) await runs.finish(run);
    expect(await runs.leaders()).toEqual([]);
  });

  test('A run whose process has exited is not under way, although its lease has not ended', async () => {
    const { dataDir, databaseUrl } = opened;
    const runtime = { ...systemRuntime, process: `${thisMachine}/${2 ** 30}@1/exited` };
    const exited = await openLedger({ dataDir, runtime, ...(databaseUrl && { databaseUrl }) });
    await exited.runs.begin('talks', 'run');
    expect(await exited.runs.underWay()).toEqual([]);
    const { runs } = opened.ledger;
    expect(await runs.leaders()).toEqual([]);
    expect(await runs.underWay()).toEqual([]);
    await exited.close();
  });
});
