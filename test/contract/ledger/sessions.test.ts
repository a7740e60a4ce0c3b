import { describe, expect, test } from 'vitest';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

describe.each(ledgerEngines.filter(hasEngine))('Sessions in a ledger on %s', (engine) => {
  const opened = withLedger(engine);
  const idHash = 'hash-of-the-id';

  test('hold in all processes until they are ended in one of them', async () => {
    const { ledger, second } = opened;
    await ledger.sessions.begin({ idHash, mark: 'm', name: 'Ann' }, 60_000);
    expect(await second.sessions.find(idHash)).toEqual({ mark: 'm', name: 'Ann' });
    expect(await second.sessions.find('another')).toBeUndefined();
    await second.sessions.end(idHash);
    expect(await ledger.sessions.find(idHash)).toBeUndefined();
  });

  test('end by themselves, and are then swept', async () => {
    const { sessions, retention } = opened.ledger;
    await sessions.begin({ idHash, mark: 'm', name: null }, -1);
    await sessions.begin({ idHash: 'later', mark: 'm', name: null }, 60_000);
    expect(await sessions.find(idHash)).toBeUndefined();
    const kept = { runsMs: 1e12, rejectsMs: 1e12, filesMs: 1e12, beforeImagesMs: 1e12 };
    expect(await retention.run(kept, new AbortController().signal)).toBe(1);
    expect(await sessions.find('later')).toEqual({ mark: 'm', name: null });
  });
});
