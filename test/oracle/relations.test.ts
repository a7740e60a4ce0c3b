import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { start } from '../e2e/feedferry.ts';
import { setFaults } from '../e2e/fixtures.ts';
import { runHere } from '../e2e/run-here.ts';
import { openSite, type Site, type SiteOptions, simplest } from '../e2e/site.ts';
import {
  anyChanges,
  contentOf,
  deleteAtOnce,
  differentEvents,
  type FeedEvent,
  type Format,
  played,
  twoReadings,
  writeEventsSync,
  writeFeed,
} from './events.ts';

interface World {
  format?: Format;
  /** Lines of the sync file. */
  more?: string;
  options?: SiteOptions;
}

/** Opens a site and reads these feeds one after the other. */
async function siteAfter(
  readings: ReadonlyArray<readonly FeedEvent[]>,
  { format = 'csv', more = anyChanges, options = {} }: World = {},
): Promise<Site> {
  const site = await openSite(simplest, options);
  writeEventsSync(site, format, more);
  for (const reading of readings) await read(site, reading, format);
  return site;
}

async function read(site: Site, reading: readonly FeedEvent[], format: Format = 'csv'): Promise<void> {
  writeFeed(site, format, reading);
  const [report] = await site.sync();
  expect(report).toMatchObject({ status: 'success', counts: { read: reading.length } });
}

async function contentAfter(readings: ReadonlyArray<readonly FeedEvent[]>, world?: World): Promise<object[]> {
  await using site = await siteAfter(readings, world);
  return await contentOf(site);
}

const deleting = { more: anyChanges + deleteAtOnce };
const shuffled = differentEvents().chain((events) =>
  fc.record({
    events: fc.constant(events),
    order: fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
  }),
);

/** Plays a relation with a few feeds. The message of a failure has the seed and the smallest feeds. */
function relation<Feeds>(name: string, feeds: fc.Arbitrary<Feeds>, holds: (feeds: Feeds) => Promise<void>): void {
  const parameters = played(4, 200);
  test(name, { timeout: parameters.numRuns * 60_000 }, async () => {
    await fc.assert(fc.asyncProperty(feeds, holds), parameters);
  });
}

describe('A site is the same', () => {
  relation('in whatever order the rows are', shuffled, async ({ events, order }) => {
    expect(await contentAfter([order])).toEqual(await contentAfter([events]));
    await using site = await siteAfter([events]);
    site.writes();
    await read(site, order);
    expect(site.writes()).toEqual({});
  });

  relation('whether its events come as CSV, JSON or iCal', differentEvents(), async (events) => {
    const csv = await contentAfter([events]);
    expect(csv).toHaveLength(events.length);
    expect(await contentAfter([events], { format: 'json' })).toEqual(csv);
    expect(await contentAfter([events], { format: 'ical' })).toEqual(csv);
  });

  relation('whether one sync reads all events, or two read some each', shuffled, async ({ events, order }) => {
    const half = Math.ceil(order.length / 2);
    await using site = await siteAfter([order.slice(0, half)]);
    writeEventsSync(site, 'json', anyChanges, 'others');
    writeFeed(site, 'json', order.slice(half), 'others');
    await site.sync(['others']);
    expect(await contentOf(site)).toEqual(await contentAfter([events]));
  });

  relation('after one run and after two', differentEvents(), async (events) => {
    await using site = await siteAfter([events]);
    const once = await contentOf(site);
    site.writes();
    await read(site, events);
    expect(site.writes()).toEqual({});
    expect(await contentOf(site)).toEqual(once);
  });

  relation('after a feed that was replaced and is back, if what is missing is deleted', twoReadings, async (feeds) => {
    const { before, after } = feeds;
    const back = await contentAfter([before, after, before], deleting);
    expect(back).toEqual(await contentAfter([before], deleting));
  });

  relation(
    'after a feed that was replaced and is back, but for new events that are kept',
    twoReadings,
    async (feeds) => {
      const { before, after } = feeds;
      const extra = after.filter(({ key }) => before.every((event) => event.key !== key));
      expect(await contentAfter([before, after, before])).toEqual(await contentAfter([[...before, ...extra]]));
    },
  );

  relation('whether changes are planned and approved, or made at once', twoReadings, async ({ before, after }) => {
    const more = 'changes: { threshold: { percent: 1, atLeast: 1 }, churn: false }\n';
    await using site = await siteAfter([before], { more: more + deleteAtOnce });
    const first = await contentOf(site);
    writeFeed(site, 'csv', after);
    expect(await runHere(['plan', 'talks'], site.variables)).toMatchObject({ exitCode: 3 });
    const [held] = await site.sync();
    expect(held).toMatchObject({ status: 'held' });
    expect(await contentOf(site)).toEqual(first);
    expect(await site.approve('talks', held?.run ?? '')).toMatchObject({ status: 'success' });
    expect(await contentOf(site)).toEqual(await contentAfter([before, after], deleting));
  });

  relation('before a run and after its undo', twoReadings, async ({ before, after }) => {
    await using site = await siteAfter([before, after], deleting);
    const second = await contentOf(site);
    expect(second).not.toEqual(await contentAfter([before]));
    expect(await runHere(['undo', '--last', 'talks', '--yes'], site.variables)).toMatchObject({ exitCode: 0 });
    expect(await contentOf(site)).toEqual(await contentAfter([before]));
    await read(site, after);
    expect(await contentOf(site)).toEqual(second);
  });

  relation(
    'whether or not a run was stopped in the middle',
    fc.record({ feeds: twoReadings, requests: fc.integer({ min: 1, max: 8 }) }),
    async ({ feeds: { before, after }, requests }) => {
      const stop = new AbortController();
      let left = Number.POSITIVE_INFINITY;
      const onExchange = ({ method }: { method: string }) => {
        if (method !== 'GET' && --left === 0) stop.abort();
      };
      await using site = await siteAfter([before], { ...deleting, options: { onExchange } });
      writeFeed(site, 'csv', after);
      left = requests;
      await site.sync(undefined, { signal: stop.signal });
      await read(site, after);
      expect(await contentOf(site)).toEqual(await contentAfter([before, after], deleting));
    },
  );

  relation('however long the pages of the CMS are', twoReadings, async ({ before, after }) => {
    const pages = [1, 2, 3, 100].map(async (maxLimit) => {
      await using site = await openSite(simplest, { switches: { maxLimit } });
      // Items of editors that the records adopt, which takes the lists.
      for (const { title, date } of before.slice(1)) {
        const item = { title, date, endDate: date, time: { start: '12:00:00', end: '12:00:00' } };
        await site.request('POST', 'api/v1/calendar/events', item);
      }
      writeEventsSync(site, 'csv', `${deleting.more}adopt: { match: [title, date] }\n`);
      for (const reading of [before, after]) await read(site, reading);
      return await contentOf(site);
    });
    const [whole, ...others] = (await Promise.all(pages)).reverse();
    for (const content of others) expect(content).toEqual(whole);
    expect(whole).toEqual(await contentAfter([before, after], deleting));
  });

  relation('in whatever zone its machine is', differentEvents(), async (events) => {
    const { TZ } = process.env;
    const contents: object[][] = [];
    try {
      for (const zone of ['UTC', 'Pacific/Apia', 'America/Los_Angeles']) {
        process.env.TZ = zone;
        expect(Intl.DateTimeFormat().resolvedOptions().timeZone).toBe(zone);
        contents.push(await contentAfter([events]), await contentAfter([events], { format: 'ical' }));
      }
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
    for (const content of contents) expect(content).toEqual(contents[0]);
  });
});

test.each(['before', 'after'] as const)(
  'A site is the same if the process was killed %s a create was applied',
  async (moment) => {
    const [events = []] = fc.sample(differentEvents(6), { numRuns: 1, seed: 27 });
    await using site = await siteAfter([]);
    writeFeed(site, 'csv', events);
    // A request that is held is applied when it is let go, after the end of its process.
    const fault = moment === 'before' ? { kind: 'hold' } : { kind: 'reset', when: 'after', times: 1 };
    const struck = await setFaults(site, { ...fault, method: 'POST', skip: 2 });
    const { child, finished } = start(['sync'], site.variables);
    await struck();
    child.kill('SIGKILL');
    expect((await finished).signal).toBe('SIGKILL');
    await setFaults(site);
    await read(site, events);
    expect(await contentOf(site)).toEqual(await contentAfter([events]));
  },
);
