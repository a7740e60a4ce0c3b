import { describe, expect, test } from 'vitest';
import { start } from '../feedferry.ts';
import {
  setFaults,
  threeTalks,
  writeIllustratedSync,
  writeIllustratedTalks,
  writeTalks,
  writeTalksSync,
} from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { type Engines, openSite, png, type Site, simplest, writeTarget } from '../site.ts';

const titles = ['Maps', 'Ships', 'Tides'];

/**
 * A site whose CMS carries out creates at once, and takes very long to say so. It has no external ids: a process sends only one until the
 * CMS has shown that it keeps them whole.
 */
async function slowSite(engines: Engines): Promise<Site> {
  const site = await openSite(engines, {
    faults: { seed: 1, faults: [{ kind: 'slowBody', ms: 60_000, method: 'POST' }] },
  });
  writeTarget(site, '  concurrency: 4\n  backoff: 200ms\n  lookupAfter: 200ms\n');
  writeTalksSync(site);
  const rows = titles.map((title, index) => `${index},${title},2027-03-01,18:00`);
  writeTalks(site, rows);
  return site;
}

async function inFlight(site: Site): Promise<void> {
  while ((await site.items('calendar/events')).length < titles.length)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

/** The creates were applied, but their responses were lost: each is found again, and none is doubled. */
async function expectNothingDoubled(site: Site): Promise<void> {
  await setFaults(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: titles.length } }]);
  expect((await site.items('calendar/events')).map(({ title }) => title).sort()).toEqual(titles);
}

describe.each(either(1))('Signals during hanging requests, on $ledger with $queue', (engines) => {
  test('Hanging requests are abandoned after STOP_AFTER, and the next run looks for their items', async () => {
    await using site = await slowSite(engines);
    const { child, finished } = start(['sync', '--json'], { ...site.variables, STOP_AFTER: '0.3' });
    await inFlight(site);
    child.kill('SIGTERM');
    const { exitCode, json } = await finished;
    expect(exitCode).toBe(143);
    expect(json()).toMatchObject({ runs: [{ status: 'failed', error: { code: 'FF_RUN_INTERRUPTED' } }] });
    await expectNothingDoubled(site);
  });
});

describe.each(either(0))('Signals during deliveries, on $ledger with $queue', (engines) => {
  test('No request begins after the signal; what was not sent is delivered by the next run', async () => {
    await using site = await openSite(engines);
    writeIllustratedSync(site);
    for (let shade = 0; shade < 20; shade += 1) site.write(`syncs/feeds/${shade}.png`, png(shade));
    const rows = Array.from(
      { length: 40 },
      (_, n) => `T${n},Talk ${n},2027-03-01,18:00,,${n % 2 ? `${n >> 1}.png` : ''}`,
    );
    writeIllustratedTalks(site, ...rows);
    const held = await setFaults(site, { kind: 'hold', method: 'POST', route: '/calendar/events', skip: 4 });
    const controller = new AbortController();
    const ended = site.sync(undefined, { signal: controller.signal });
    // As many as the target allows: no other request can begin before one of them ends.
    await held(4);
    const begun = site.sandbox.stats().total;
    controller.abort();
    await setFaults(site);
    const [report] = await ended;
    expect(site.sandbox.stats().total).toBe(begun);
    expect(report).toMatchObject({ status: 'failed', error: { code: 'FF_RUN_INTERRUPTED' } });
    expect(report?.counts).toMatchObject({ read: 40, failed: 0, held: 0 });
    expect(report?.counts.created).toBeGreaterThan(0);
    expect(report?.counts).toMatchObject({ notSent: 40 - (report?.counts.created ?? 0) });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 40, failed: 0 } }]);
    expect(await site.items('calendar/events')).toHaveLength(40);
  });
});

test('A second signal ends the process at once and loses nothing', async () => {
  await using site = await slowSite(simplest);
  const { child, finished } = start(['sync'], { ...site.variables, STOP_AFTER: '600' });
  await inFlight(site);
  child.kill('SIGINT');
  // Until the first one was seen, a second would be the same.
  const again = setInterval(() => child.kill('SIGINT'), 50);
  const { exitCode } = await finished;
  clearInterval(again);
  expect(exitCode).toBe(130);
  await expectNothingDoubled(site);
});

test('STOP_AFTER must be a number of seconds', async () => {
  const { exitCode, stderr } = await runHere(['validate'], { STOP_AFTER: 'soon' });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('FF_USAGE');
  expect(stderr).toContain('STOP_AFTER must be a number of seconds, not "soon"');
});

test('What a run has not sent because it was stopped while it looked at the CMS has not failed', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  const held = await setFaults(site, { kind: 'hold', method: 'GET' });
  const stop = new AbortController();
  const ended = site.sync(undefined, { signal: stop.signal });
  await held();
  stop.abort();
  expect(await ended).toMatchObject([{ status: 'failed', counts: { read: 3, failed: 0, notSent: 3 } }]);
  expect(site.writes()).toEqual({});
});
