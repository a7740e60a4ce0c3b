import { describe, expect, test } from 'vitest';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

describe.each(ledgerEngines.filter(hasEngine))('Changes of runs in a ledger on %s', (engine) => {
  const opened = withLedger(engine);

  test('A run without changes has an empty page of them', async () => {
    const { runs, history } = opened.ledger;
    const run = await runs.begin('talks', 'run');
    await runs.finish(run);
    expect(await history.changePage(run, 'talks', '', 10)).toEqual([]);
  });
});
