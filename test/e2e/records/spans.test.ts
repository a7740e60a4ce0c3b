import { expect, test } from 'vitest';
import { addDays, dateAt } from '../../../src/core/dates/iso-date.ts';
import { planRun } from '../../../src/sync/runs/plan-run.ts';
import { undoRun } from '../../../src/sync/undo/undo-run.ts';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { farthest, type Item, openSite, type Site, simplest } from '../site.ts';

const SPAN = 'recurrence: span\n';
const DELETE = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n';
const today = dateAt(Date.now(), 'America/New_York');
const day = (number: number) => addDays(today, number);

/** The days of an exhibition, counted from today on. */
function writeDays(site: Site, numbers: readonly number[], more: readonly string[] = [], prefix = 'd'): void {
  writeTalks(site, [...numbers.map((number) => `${prefix}${number + 10},Old Maps,${day(number)},10:00`), ...more]);
}

const range = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, nth) => first + nth);

async function shown(site: Site): Promise<Array<[unknown, unknown]>> {
  const items = await site.items('calendar/events');
  return items.map(({ date, endDate }): [unknown, unknown] => [date, endDate]).sort();
}

async function onlyItem(site: Site): Promise<Item> {
  const [item, ...others] = await site.items('calendar/events');
  if (!item || others.length > 0) throw new Error(`${others.length} more items`);
  return item;
}

test.each(farthest)(
  'An exhibition of daily copies is one event, whatever days come and go, on $ledger with $queue',
  async (engines) => {
    await using site = await openSite(engines);
    writeTalksSync(site, SPAN + DELETE);
    writeDays(site, range(-5, 20));
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 1, created: 1 } }]);
    const first = await onlyItem(site);
    expect(first).toMatchObject({ title: 'Old Maps', date: day(-5), endDate: day(20) });
    expect(first).toMatchObject({ isMultiDay: true, spansMultipleDays: true, showOnAllDates: true });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1 } }]);
    const stories: Array<[days: number[], from: number, to: number]> = [
      [range(-5, 21), -5, 21],
      [range(1, 21), -5, 21],
      [range(1, 21).filter((number) => number !== 9), -5, 21],
      [range(1, 40).filter((number) => number !== 9), -5, 40],
      [range(1, 30).filter((number) => number !== 9), -5, 30],
    ];
    for (const [days, from, to] of stories) {
      writeDays(site, days);
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 1, created: 0, missing: 0 } }]);
      expect(await onlyItem(site)).toMatchObject({ id: first.id, date: day(from), endDate: day(to) });
    }
    for (const [prefix, last] of [
      ['e', 31],
      ['f', 32],
    ] as const) {
      writeDays(site, range(2, last), [], prefix);
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { read: 1, created: 0, missing: 0 } }]);
      expect(await onlyItem(site)).toMatchObject({ id: first.id, date: day(-5), endDate: day(last) });
    }
    writeDays(site, range(2, 30));
    await site.sync();
    expect(await site.explain('talks', 'd15')).toMatchObject({ key: 'span/d5', verdict: { is: 'unchanged' } });
  },
);

test.each([
  ['keeps missing records', ''],
  ['deletes missing records', DELETE],
])(
  'Single days on the site become one event, and that single days again, once a person agrees, if the sync %s',
  async (_, policy) => {
    await using site = await openSite(simplest);
    writeTalksSync(site, policy);
    writeDays(site, range(1, 6));
    await site.sync();
    const before = await shown(site);
    const [taken] = (await site.items('calendar/events')).filter(({ date }) => date === day(1));
    writeTalksSync(site, SPAN + policy);
    const [on] = await site.sync();
    expect(on).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_DAYS' } });
    expect(await shown(site)).toEqual(before);
    expect(await site.approve('talks', on?.run ?? '')).toMatchObject({
      status: 'success',
      counts: { updated: 1, deleted: 5 },
    });
    expect(await onlyItem(site)).toMatchObject({ id: taken?.id, date: day(1), endDate: day(6) });
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 1, missing: 0 } }]);
    writeTalksSync(site, policy);
    const [off] = await site.sync();
    expect(off).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_DAYS' } });
    expect(await onlyItem(site)).toMatchObject({ date: day(1), endDate: day(6) });
    expect(await site.approve('talks', off?.run ?? '')).toMatchObject({
      status: 'success',
      counts: { created: 6, deleted: 1 },
    });
    expect(await shown(site)).toEqual(before);
    writeTalksSync(site, SPAN + policy);
    const [again] = await site.sync();
    expect(await site.approve('talks', again?.run ?? '')).toMatchObject({ status: 'success' });
    expect(await onlyItem(site)).toMatchObject({ date: day(1), endDate: day(6) });
  },
);

test('An exhibition whose days appear one by one is joined once a person agrees, and a day that differs is an event', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, SPAN);
  const tour = `x,Guided tour,${day(2)},15:00`;
  for (const last of [1, 2]) {
    writeDays(site, range(1, last), [tour]);
    expect(await site.sync()).toMatchObject([{ status: 'success' }]);
  }
  const before = await shown(site);
  writeDays(site, range(1, 3), [tour]);
  const [held] = await site.sync();
  expect(held).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_DAYS' } });
  expect(held?.error?.message).toContain('2 events "Old Maps" become one that spans the days');
  expect(await shown(site)).toEqual(before);
  expect(await site.approve('talks', held?.run ?? '')).toMatchObject({ counts: { updated: 1, deleted: 1 } });
  writeDays(site, range(1, 4), [tour]);
  expect(await site.sync()).toMatchObject([{ status: 'success' }]);
  expect(await shown(site)).toEqual([
    [day(1), day(4)],
    [day(2), day(2)],
  ]);
  writeTalks(
    site,
    range(1, 4).map((number) => `d${number + 10},Old Maps,${day(number)},${number === 3 ? '17:00' : '10:00'}`),
  );
  await site.sync();
  expect(await shown(site)).toEqual([
    [day(1), day(4)],
    [day(2), day(2)],
    [day(3), day(3)],
  ]);
});

test('After an undo, the next plan asks about every day, and explains what each is part of', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeDays(site, range(1, 5));
  await site.sync();
  const before = await shown(site);
  writeTalksSync(site, SPAN);
  for (const _ of ['once', 'again']) {
    const [held] = await site.sync();
    expect(held?.error?.message).toContain('5 events "Old Maps" become one that spans the days');
    expect(await site.explain('talks', 'd12')).toMatchObject({
      verdict: { is: 'skipped', why: 'The record is skipped: it is a day of "Old Maps" (span/d11).' },
    });
    const joined = await site.approve('talks', held?.run ?? '');
    expect(joined).toMatchObject({ status: 'success', counts: { updated: 1, deleted: 4 } });
    expect(await onlyItem(site)).toMatchObject({ date: day(1), endDate: day(5) });
    expect((await site.explain('talks', 'd12')).verdict.why).toMatch(/^"d12" is a day of this event\./);
    await site.withContext((context) => undoRun(joined.run, context));
    expect(await shown(site)).toEqual(before);
  }
  writeTalksSync(site);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 0, deleted: 0 } }]);
  expect(await shown(site)).toEqual(before);
});

test('After the undo of a return to single days, the event and its days are not published beside each other', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, SPAN);
  writeDays(site, range(1, 5));
  await site.sync();
  writeTalksSync(site);
  const [off] = await site.sync();
  const single = await site.approve('talks', off?.run ?? '');
  expect(await shown(site)).toHaveLength(5);
  await site.withContext((context) => undoRun(single.run, context));
  expect(await onlyItem(site)).toMatchObject({ date: day(1), endDate: day(5) });
  const [again] = await site.sync();
  expect(again).toMatchObject({ status: 'held', error: { code: 'FF_GUARD_DAYS' } });
  expect(await onlyItem(site)).toMatchObject({ date: day(1), endDate: day(5) });
});

test('A plan that replaces items names those that editors have changed', async () => {
  await using site = await openSite(simplest);
  const more = 'authority: { title: editor }\n';
  writeTalksSync(site, more);
  writeDays(site, range(1, 5));
  await site.sync();
  const items = await site.items('calendar/events');
  const itemOn = (number: number) => items.find(({ date }) => date === day(number))?.id;
  await site.request('PATCH', `api/v1/calendar/events/${itemOn(2)}`, { description: 'With a tour at noon' });
  await site.request('PATCH', `api/v1/calendar/events/${itemOn(3)}`, { title: 'Very Old Maps' });
  writeTalksSync(site, SPAN + more);
  const [on] = await site.sync();
  expect(on?.error?.message).toContain(
    '4 items are deleted. 2 of these were changed on the site (description: Old Maps',
  );
  expect(on?.error?.message).toMatch(/\(d12\); title: .*\(d13\)\)\. Nothing was changed\.$/);
  const plan = await site.withContext((context) => planRun(context));
  expect(plan.error?.message).toBe(on?.error?.message);
  await site.request('PATCH', `api/v1/calendar/events/${itemOn(4)}`, { description: 'Edited while the plan waits' });
  const kept = await site.approve('talks', on?.run ?? '');
  expect(kept).toMatchObject({ status: 'partial', counts: { updated: 1, deleted: 3 } });
  expect(kept.problems).toMatchObject([{ key: 'd14', code: 'FF_UNDO_EDITED' }]);
  expect(await shown(site)).toEqual([
    [day(1), day(5)],
    [day(4), day(4)],
  ]);
  const [last] = await site.sync();
  expect(last?.error?.message).toContain(
    '1 item is deleted. 1 of these was changed on the site (description: Old Maps',
  );
  await site.approve('talks', last?.run ?? '');
  const span = await onlyItem(site);
  await site.request('PATCH', `api/v1/calendar/events/${span.id}`, { description: 'Closed at noon' });
  writeTalksSync(site, more);
  const [off] = await site.sync();
  expect(off?.error?.message).toContain('1 item is deleted. 1 of these was changed on the site (description: Old Maps');
});

test('An event that a rule holds leaves its days on the site until it is published', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, DELETE);
  writeDays(site, range(1, 4));
  await site.sync();
  const before = await shown(site);
  writeTalksSync(site, `${SPAN + DELETE}rules: { title: { matches: ^New, then: hold } }\n`);
  for (const _ of ['once', 'again']) {
    expect(await site.sync()).toMatchObject([{ status: 'partial', counts: { held: 1, deleted: 0 } }]);
    expect(await shown(site)).toEqual(before);
  }
  writeTalksSync(site, SPAN + DELETE);
  const [held] = await site.sync();
  expect(held?.error?.message).toContain('3 events "Old Maps" become one that spans the days, and 3 items are deleted');
  await site.approve('talks', held?.run ?? '');
  expect(await onlyItem(site)).toMatchObject({ date: day(1), endDate: day(4) });
});

test('An event keeps its item after the undo of a change of its days', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, SPAN);
  writeDays(site, range(1, 5));
  await site.sync();
  const { id } = await onlyItem(site);
  writeDays(site, range(2, 6));
  const [moved] = await site.sync();
  await site.withContext((context) => undoRun(moved?.run ?? '', context));
  expect(await onlyItem(site)).toMatchObject({ date: day(1), endDate: day(5) });
  expect(await site.sync()).toMatchObject([{ counts: { created: 0, updated: 1 } }]);
  expect(await onlyItem(site)).toMatchObject({ id, date: day(2), endDate: day(6) });
});
