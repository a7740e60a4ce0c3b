import { expect, test } from 'vitest';
import type { RunRowView } from '../../../src/queries/views/overview.ts';
import { servePages } from '../../unit/console/pages/serve-pages.ts';
import { aRunRow, aSyncRow, someCounts } from '../../unit/console/sample-views.ts';
import { expectAccessible, hasBrowser, launchBrowser, openTab } from './browser.ts';

// A day with 331 runs was 53,134 px long, and 19 equal questions 11,546 px.

const NAMES = ['talks', 'walks', 'tours', 'staff', 'exhibitions', 'lectures', 'concerts', 'films', 'sports', 'library'];

/** 331 runs of ten syncs: most change nothing, one fails each time, and some change many items. */
const runs: RunRowView[] = Array.from({ length: 331 }, (_, nth) => {
  const sync = NAMES[nth % NAMES.length] ?? '';
  const startedAt = new Date(Date.parse('2027-03-01T05:00:00.000Z') + nth * 250_000).toISOString();
  const isFailed = sync === 'staff';
  const hasChanged = nth % 50 === 1;
  return aRunRow({
    ...{ run: `r${nth}`, sync, startedAt, finishedAt: startedAt },
    ...(isFailed && { status: 'failed', succeeded: false }),
    counts: someCounts({ read: 90, unchanged: 60, created: hasChanged ? 30 : 0, rejected: sync === 'tours' ? 4 : 0 }),
  });
});

const changed = runs.flatMap(({ run, sync, counts }) =>
  counts.created === 0
    ? []
    : [
        {
          ...{ run, sync, hasMore: true },
          items: Array.from({ length: 30 }, (_, nth) => {
            return { key: `${nth}`, title: `Event ${nth}`, effect: 'created' as const, attributes: ['title'] };
          }),
        },
      ],
);

const attention = NAMES.slice(0, 4).flatMap((sync) => [
  {
    is: 'failed' as const,
    sync,
    run: 'r1',
    text: 'The feed returned status 500.',
    remedy: 'Check it: `feedferry doctor`.',
  },
  { is: 'rejected' as const, sync, run: 'r1', text: '3 of 90 records were rejected.', remedy: '' },
]);

const questions = Array.from({ length: 19 }, (_, nth) => {
  const event = { title: `Concert ${nth}`, day: '2031-03-01', start: '19:00' };
  const title = `Concert ${nth}, 2031-03-01 19:00`;
  return {
    ...{ id: `q${nth}`, why: 'noPlace' as const, reason: 'They are at the same time, but one of them names no place.' },
    records: ['music', 'central'].map((source) => ({ key: `${source}/${nth}`, source, title, event })),
    waiting: 1,
  };
});

test.runIf(hasBrowser)('A busy day and a bad morning fit on a few screens, down to a width of 320 px', async () => {
  const { url } = await servePages({
    day: async (day) => ({ day, timezone: 'America/New_York', runs, changed, deeds: [], isCut: false }),
    overview: async () => ({
      ...{ at: '2027-03-01T15:00:00.000Z', timezone: 'America/New_York', scheduler: { isRunning: true }, orphans: [] },
      target: { baseUrl: 'https://www.example.edu', state: 'open' },
      syncs: NAMES.map((sync) => aSyncRow({ sync })),
      attention,
    }),
    questions: async (sync) => ({ sync, total: 19, questions, answers: [] }),
    news: async () => ({ since: '2027-02-28T15:00:00.000Z', changes: [], plans: [], rejects: [] }),
  });
  await using browser = await launchBrowser();
  const tab = await openTab(browser);
  const { page } = tab;
  for (const [path, most] of [
    ['/day?day=2027-03-01', { 1280: 3_000, 380: 4_500, 320: 5_000 }],
    ['/syncs/campus/questions', { 1280: 1_500, 380: 2_000, 320: 2_000 }],
    ['/', { 1280: 1_800, 380: 5_500, 320: 6_000 }],
  ] as const) {
    for (const width of [1280, 380, 320] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${url}${path}`);
      const [height, overflow] = await page.evaluate<[number, number]>(
        '[document.documentElement.scrollHeight, document.documentElement.scrollWidth - innerWidth]',
      );
      expect({ path, width, isShort: height <= most[width], height, overflow }).toMatchObject({
        isShort: true,
        overflow: 0,
      });
      await expectAccessible(tab);
    }
  }
});
