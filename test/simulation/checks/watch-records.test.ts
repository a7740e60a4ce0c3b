import { expect, test } from 'vitest';
import { beginningOf } from '../beginning.ts';
import { drawSettings } from '../plan/settings.ts';
import { play } from '../play.ts';
import { openSite } from '../site.ts';
import { createChance } from '../world/chance.ts';
import { createWorld } from '../world/world.ts';
import { everyStep } from './watch-records.ts';

const SEED = 1;

test.each([
  {
    of: 'a statement that is no move',
    by: undefined,
    does: `update records set missing_runs = 1`,
    found: 'no move "undefined" is',
  },
  {
    of: 'a move to a state that it does not lead to',
    by: 'relocated',
    does: `update records set status = 'pending'`,
    found: 'no move "relocated" is known → known, settled → due',
  },
  {
    of: 'a state that no record may be in',
    by: 'withdrawn',
    does: `update records set goal = 'delete'`,
    found: 'no record may be gone, known, settled',
  },
  { of: 'an attempt that stays open', by: undefined, does: `update attempts set doubt = 'sent'`, found: 'is open' },
  {
    of: 'knowledge that does not follow from the attempts',
    by: undefined,
    does: `update attempts set doubt = 'sent', method = 'DELETE'`,
    found: 'the ledger says "known" of',
  },
])('Is found: $of', async ({ by, does, found }) => {
  const { records, db } = await settledSite();

  records.during(by, () => db.exec(does));
  records.committed();

  expect(records.findings().map(({ what }) => what)).toEqual([expect.stringContaining(found)]);
});

test('Nothing is found in a move of the list', async () => {
  const { records, db } = await settledSite();

  records.during('acted', () => db.exec(`update records set goal = 'delete', status = 'pending'`));
  records.committed();

  expect(records.findings()).toEqual([]);
  expect([...records.reached()]).toEqual(['gone, known, due', 'acted: settled → due']);
});

test('What runs reach is part of the list', async () => {
  const { reached } = await play(SEED);
  expect(reached.size).toBeGreaterThan(20);
  expect([...reached].filter((each) => !everyStep.includes(each))).toEqual([]);
});

async function settledSite() {
  const settings = drawSettings(SEED, createChance(SEED));
  return openSite(createWorld(createChance(SEED)), settings, await beginningOf(settings)).database;
}
