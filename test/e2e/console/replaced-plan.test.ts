import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createQueries } from '../../../src/queries/create-queries.ts';
import { threeTalks, writeTalks } from '../fixtures.ts';
import { openHeldSite } from './held-site.ts';

test('A run knows whether its plan was replaced; a run that is held for an empty feed had none', async () => {
  const { site, held } = await openHeldSite();
  await using _ = site;
  const ask = (run: string) =>
    site.withApp((app) =>
      createQueries(() => app, { environment: site.environment(), log: pino({ level: 'silent' }) }).run(run),
    );
  expect(await ask(held)).toMatchObject({ status: 'held', heldPlan: held });
  expect(await ask(held)).not.toHaveProperty('isReplaced');
  writeTalks(site, threeTalks);
  await site.sync();
  const replaced = await ask(held);
  expect(replaced).toMatchObject({ status: 'held', isReplaced: true });
  expect(replaced).not.toHaveProperty('heldPlan');
  writeTalks(site, []);
  const [empty] = await site.sync();
  const run = await ask(empty?.run ?? '');
  expect(run).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_EMPTY' } });
  expect(run).not.toHaveProperty('isReplaced');
});
