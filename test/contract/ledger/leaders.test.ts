import { hostname } from 'node:os';
import { describe, expect, test } from 'vitest';
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
});
