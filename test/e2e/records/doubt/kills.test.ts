import { describe, expect, test } from 'vitest';
import { start } from '../../feedferry.ts';
import { setFaults } from '../../fixtures.ts';
import { png, type Site } from '../../site.ts';
import { drift, explain } from './commands.ts';
import {
  DELETE,
  edit,
  expectSettled,
  feed,
  items,
  openMaps,
  openTalks,
  patched,
  remove,
  sync,
  without,
} from './talks.ts';

/** The claims of a killed process end soon. */
const brief = { target: '  timeout: 700ms\n' };

/** Kills a process that syncs while the CMS has a request that it does not answer. */
async function killAt(site: Site, request: { method: string; route: string }): Promise<void> {
  const struck = await setFaults(site, { kind: 'latency', ms: 60_000, ...request });
  const { child, finished } = start(['sync', 'talks'], site.variables);
  await struck();
  child.kill('SIGKILL');
  await finished;
  await setFaults(site);
}

const killAtRead = (site: Site) => killAt(site, { method: 'GET', route: '/calendar/events/:id' });

describe('A process that is killed between its claim and the first byte of its write', () => {
  // Broken rule: doubt begins when a request may leave, and ends when it certainly did not.
  test('An update was not sent: the source goes back, and what an editor wrote stays', async () => {
    await using site = await openMaps(brief);
    feed(site, { room: 'B' });
    await killAtRead(site);
    expect(await explain(site)).toMatchObject({ record: { status: 'pending', cmsId: 1, maybeSent: false } });
    await edit(site, 1, { location: 'Z' });
    feed(site);
    await patched(site);
    expect(await sync(site)).toBe('success: 1 unchanged');
    expect(await patched(site)).toEqual([]);
    expect(await drift(site)).toEqual(['T1 edited location']);
  });

  // Broken rule: doubt begins when a request may leave, and ends when it certainly did not.
  test('A delete was not sent: an item that an editor deletes stays deleted', async () => {
    await using site = await openMaps({ ...brief, sync: DELETE });
    without(site);
    await killAtRead(site);
    await remove(site, 1);
    feed(site, { text: 'New' });
    expect(await sync(site)).toBe('success: 1 skipped');
    expect(await items(site)).toEqual([]);
  });

  test('A delete may have been sent: a CMS that shows nothing does not prove it', async () => {
    await using site = await openMaps({ ...brief, sync: DELETE });
    without(site);
    await killAt(site, { method: 'DELETE', route: '/calendar/events/:id' });
    await setFaults(site, { kind: 'itemMissing' }, { kind: 'emptyList' });
    expect(await sync(site)).not.toContain('deleted');
    await setFaults(site);
    expect(await sync(site)).toBe('success: 1 missing, 1 deleted');
    await expectSettled(site);
  });

  test('A create was not sent, because its file was still being uploaded', async () => {
    await using site = await openTalks({ ...brief, sync: 'attachments: { image: text }\n' });
    site.write('syncs/feeds/a.png', png(1));
    feed(site, { text: 'a.png' });
    await killAt(site, { method: 'POST', route: '/calendar/upload' });
    expect(await items(site)).toEqual([]);
    expect(await explain(site)).toMatchObject({ record: { maybeSent: true }, verdict: { is: 'create' } });
    expect(await sync(site)).toBe('success: 1 created, 1 uploaded');
    expect(await items(site)).toEqual(['3 Maps 2031-03-01 A a.png']);
  });
});
