import { describe, expect, test } from 'vitest';
import { setFaults } from '../../fixtures.ts';
import type { Site } from '../../site.ts';
import { command, explain, undelivered } from './commands.ts';
import { DELETE, expectSettled, feed, openTalks, purge, retry, sync, type TalksOptions, without } from './talks.ts';

const status = (code: number): [string, object] => [`${code}`, { kind: 'error', status: code }];
/** Lists that prove nothing, but refuse nothing either. */
const poor: Array<[string, object]> = [
  ['an empty list', { kind: 'emptyList' }],
  ['a list that lacks what it counts', { kind: 'lateItems', ms: 600_000, counted: true }],
];
const refused = [status(403), status(422)];
const cut = { kind: 'reset', when: 'after', method: 'POST' };
/** The first list of a run only shows that the CMS is there. If the run creates something, the second shows what it has already. */
const lookUps = (fault: object, skip = 1) => ({ ...fault, method: 'GET', route: '/calendar/events', skip });

/** A talk whose create was applied, but cut, and looked up in such a list in the same run; its item has the id 3. */
async function openLookedUp(fault: object, options: TalksOptions = {}, create: object = cut): Promise<Site> {
  const site = await openTalks({ attempts: 2, ...options });
  await setFaults(site, create, lookUps(fault, 2));
  feed(site);
  expect(await sync(site)).not.toMatch(/^success/);
  await setFaults(site);
  return site;
}

describe('A create that was applied without an answer, and a look-up that proves nothing', () => {
  test.each([...poor, status(401)])(
    'The talk leaves the feed: its item is deleted once the list is well (%s)',
    isDeleted,
  );

  // Broken rule: an error of a read never refuses a write, nor ends doubt.
  test.each(refused)('The talk leaves the feed: its item is deleted once the list is well (%s)', isDeleted);

  async function isDeleted(_: string, fault: object): Promise<void> {
    await using site = await openLookedUp(fault, { sync: DELETE });
    expect(await explain(site)).toMatchObject({ record: { maybeSent: true } });
    without(site);
    expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
    await expectSettled(site);
  }

  test.each(poor.slice(1))(
    'The talk leaves the feed while the list proves nothing: it is not forgotten (%s)',
    isNotForgotten,
  );

  // Broken rule: an error of a read never refuses a write, nor ends doubt.
  test.each(refused.slice(0, 1))(
    'The talk leaves the feed while the list proves nothing: it is not forgotten (%s)',
    isNotForgotten,
  );

  async function isNotForgotten(_: string, fault: object): Promise<void> {
    await using site = await openLookedUp(fault, { sync: DELETE });
    without(site);
    await setFaults(site, lookUps(fault));
    expect(await sync(site)).not.toMatch(/^success/);
    expect(await explain(site)).toMatchObject({ record: { maybeSent: true } });
    expect(await undelivered(site)).not.toBe('');
    await setFaults(site);
    expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
    await expectSettled(site);
  }

  test.each(poor.slice(1))('purge deletes the item of a talk that has left the feed (%s)', isPurged);

  // Broken rule: an error of a read never refuses a write, nor ends doubt.
  test.each(refused.slice(0, 1))('purge deletes the item of a talk that has left the feed (%s)', isPurged);

  async function isPurged(_: string, fault: object): Promise<void> {
    await using site = await openLookedUp(fault, { sync: DELETE });
    without(site);
    await setFaults(site, lookUps(fault));
    await sync(site);
    await setFaults(site);
    const { items } = await command<{ items: Array<{ key: string }> }>(site, 'purge', 'talks', '--dry-run');
    expect(items.find(({ key }) => key === 'T1')).not.toHaveProperty('cmsId');
    expect(await purge(site)).toBe('success: 3 missing, 3 deleted');
    expect(await site.items('calendar/events')).toEqual([]);
  }

  test.each(poor.slice(0, 1))('The talk stays as it was: the next run gives it its item (%s)', takesItsItem);

  // Broken rule: an error of a read never refuses a write, nor ends doubt.
  test.each(refused.slice(0, 1))('The talk stays as it was: the next run gives it its item (%s)', takesItsItem);

  async function takesItsItem(_: string, fault: object): Promise<void> {
    await using site = await openLookedUp(fault);
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '3 Maps 2031-03-01 A Old');
  }

  test.each(refused.slice(0, 1))('retry gives it its item (%s)', async (_, fault) => {
    await using site = await openLookedUp(fault);
    expect(await retry(site)).toBe('success: 1 created');
    await expectSettled(site, '3 Maps 2031-03-01 A Old');
  });

  test.each(poor.slice(1))('The source changes all that the item is recognised by (%s)', async (_, fault) => {
    await using site = await openLookedUp(fault, { externalId: false });
    await setFaults(site, lookUps(fault));
    feed(site, { title: 'Charts', date: '2031-05-01' });
    expect(await sync(site)).not.toMatch(/^success/);
    await setFaults(site);
    feed(site, { title: 'Globes', date: '2031-07-01' });
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '3 Globes 2031-07-01 A Old');
  });

  test('The create was answered with 500', async () => {
    const failed = { kind: 'error', status: 500, when: 'after', method: 'POST' };
    await using site = await openLookedUp({ kind: 'error', status: 403 }, {}, failed);
    feed(site, { title: 'Charts', date: '2031-05-01' });
    expect(await sync(site)).toBe('success: 1 created');
    await expectSettled(site, '3 Charts 2031-05-01 A Old');
  });
});
