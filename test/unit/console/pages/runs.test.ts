import { expect, test } from 'vitest';
import { dayContent } from '../../../../src/console/pages/day.ts';
import type { DayView } from '../../../../src/queries/runs/day.ts';
import type { RejectsView } from '../../../../src/queries/views/sync.ts';
import { aRun, overview } from '../fake-console.ts';
import { ATTACK, aContext, aRunRow, someCounts } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const rejects: RejectsView = {
  run: 'r1',
  startedAt: '2027-03-01T14:00:00.000Z',
  read: 90,
  rejected: 1,
  total: 1,
  groups: [
    {
      code: 'FF_RECORD_DATE',
      cause: 'A date is wrong.',
      remedy: 'Correct it.',
      total: 1,
      first: [{ at: 'line 12', key: 'T1', title: '', name: 'T1', reason: '"2027-02-30" is not a calendar date.' }],
    },
  ],
};

test('Runs are filtered by sync, day, result and changes, and the next page keeps the filters', async () => {
  const asked: unknown[] = [];
  const { get } = await servePages({
    runs: async (search) => {
      asked.push(search);
      return { runs: [aRunRow({ asked: { by: 'Ann', via: 'api' } }), aRunRow()], next: 'n1' };
    },
  });
  const { text } = await get('/runs?sync=talks&day=2027-03-01&status=failed&changed=1');
  expect(asked).toEqual([
    { sync: 'talks', day: '2027-03-01', statuses: ['failed'], changed: true, after: undefined, limit: 50 },
  ]);
  expect(text).toContain('/runs?sync=talks&amp;day=2027-03-01&amp;status=failed&amp;changed=1&amp;after=n1');
  expect(text).toContain('Ann (API)');
  expect(text).toContain('>schedule</td>');
  expect((await get('/syncs/talks/runs?day=&status=&changed=')).status).toBe(200);
  expect(asked[1]).toEqual({ sync: 'talks', day: undefined, changed: false, after: undefined, limit: 50 });
  expect((await get('/runs?day=2027-02-30')).status).toBe(400);
  expect((await get('/runs?status=odd')).status).toBe(400);
});

test('The changes of a run are filtered by effect and attribute', async () => {
  const asked: unknown[] = [];
  const { get } = await servePages({
    run: async () => aRun({ status: 'success', finishedAt: '2027-03-01T10:00:05.000Z', changes: 3 }),
    failures: async () => ({ failures: [] }),
    changes: async (run, search) => {
      asked.push([run, search]);
      return { changes: [] };
    },
  });
  const { text } = await get('/runs/r1?effect=updated&attribute=end+date');
  expect(asked).toEqual([['r1', { after: undefined, limit: 50, effect: 'updated', attribute: 'endDate' }]]);
  expect(text).toContain('value="end date"');
  expect(text).toContain('No change is like this.');
  expect(text).toContain('<option value="updated" selected>');
  expect((await get('/runs/r1?effect=odd')).status).toBe(400);
});

test('A run in progress is cancelled with a reason; a cancelled one says who did it', async () => {
  const show = async (more: Parameters<typeof aRun>[0]) => {
    const { get } = await servePages({
      run: async () => aRun(more),
      failures: async () => ({ failures: [] }),
      changes: async () => ({ changes: [] }),
    });
    return (await get('/runs/r1')).text;
  };
  expect(await show({})).toContain('action="/runs/r1/cancel"');
  const ending = await show({ cancelled: 'Ann cancelled the run: wrong term' });
  expect(ending).not.toContain('/runs/r1/cancel');
  expect(ending).toContain('Ann cancelled the run: wrong term Requests in flight are still to end.');
  expect(ending).toContain('Is being cancelled');
  expect(await show({ kind: 'backfill' })).toContain('Cancel this backfill');
  const ended = await show({
    status: 'failed',
    finishedAt: '2027-03-01T10:00:05.000Z',
    cancelled: 'Ann cancelled the run.',
  });
  expect(ended).toContain('>Cancelled<');
  expect(ended).not.toContain('/runs/r1/cancel');
});

test('A cancelled run says how many of its records were not sent, and its progress is not that of a run that goes on', async () => {
  const { get } = await servePages({
    run: async () =>
      aRun({
        ...{ status: 'failed', cancelled: 'Ann cancelled the run.', finishedAt: '2027-03-01T10:00:05.000Z' },
        counts: someCounts({ read: 1241, created: 12, notSent: 1229 }),
      }),
    failures: async () => ({ failures: [] }),
    changes: async () => ({ changes: [] }),
  });
  const { text } = await get('/runs/r1');
  expect(text).toContain('Nothing was sent for 1,229 of 1,241 records.');
  expect(text).toContain('href="/syncs/talks/records?state=pending"');
  expect(text).toContain('Status of the run: cancelled.');
  const ending = await servePages({
    run: async () =>
      aRun({ cancelled: 'Ann cancelled the run.', progress: { phase: 'delivering', done: 8, total: 1241 } }),
    failures: async () => ({ failures: [] }),
    changes: async () => ({ changes: [] }),
  });
  expect((await ending.get('/runs/r1')).text).not.toContain('8 of 1,241');
});

test('A run says its result, and why it is only a part, in one sentence; zeros are blank', async () => {
  const show = async (more: Parameters<typeof aRun>[0]) => {
    const { get } = await servePages({
      run: async () => aRun({ finishedAt: '2027-03-01T10:00:05.000Z', complete: true, ...more }),
      failures: async () => ({ failures: [] }),
      changes: async () => ({ changes: [] }),
    });
    return (await get('/runs/r1')).text;
  };
  const counts = someCounts({ read: 1204, created: 3, updated: 12, unchanged: 1184, rejected: 4, failed: 1 });
  const partial = await show({ status: 'partial', counts });
  expect(partial).toContain(
    '<strong>3 new, 12 changed, of 1,204 records. Not delivered: 4 rejected, 1 failed.</strong>',
  );
  expect(partial).not.toMatch(/<td[^>]*>0<\/td>/);
  const idle = someCounts({ read: 9, unchanged: 9 });
  expect(await show({ status: 'success', counts: idle })).toContain(
    '<strong>Nothing was changed on the site, of 9 records.</strong>',
  );
  const feed = { location: 'https://feeds.example.edu/a.csv' };
  expect(await show({ status: 'partial', counts: idle, feed, complete: false })).toContain(
    'so nothing counts as missing',
  );
  expect(await show({ status: 'failed', counts: someCounts({}) })).not.toContain('Nothing was changed');
});

test('Runs in a row that changed nothing are one line; the others are open', async () => {
  const idle = (run: string) => aRunRow({ run, counts: someCounts({ read: 90, unchanged: 90 }) });
  const runs = ['1', '2', '3', '4', '5'].map((nth) => idle(`i${nth}`));
  const { get } = await servePages({
    runs: async () => ({ runs: [aRunRow({ run: 'c1' }), ...runs, idle('i6'), aRunRow({ run: 'c2' })] }),
  });
  const { text } = await get('/runs');
  expect(text).toContain('<summary>6 runs without changes</summary>');
  const open = text.replaceAll(/<details[\s\S]*?<\/details>/g, '');
  expect([open.includes('/runs/c1'), open.includes('/runs/c2'), open.includes('/runs/i3')]).toEqual([
    true,
    true,
    false,
  ]);
});

test('A run is undone, unless later runs have changed all of its items', async () => {
  const show = async (more: Parameters<typeof aRun>[0]) => {
    const { get } = await servePages({
      run: async () => aRun({ status: 'success', finishedAt: '2027-03-01T10:00:05.000Z', changes: 3, ...more }),
      failures: async () => ({ failures: [] }),
      changes: async () => ({ changes: [] }),
    });
    return (await get('/runs/r1')).text;
  };
  expect(await show({})).toContain('Undo …');
  const overwritten = await show({ isOverwritten: true });
  expect(overwritten).not.toContain('Undo …');
  expect(overwritten).toContain('Nothing to undo: later runs have changed all of its items.');
});

test('The rejects of an older run are shown and downloaded, those of the last one also written to the owner of the feed', async () => {
  const asked: unknown[] = [];
  const { get } = await servePages({
    rejects: async (...given) => {
      asked.push(given);
      return rejects;
    },
    letter: async () => ({ to: ['rosa@example.org'], subject: 'One & two', text: 'long '.repeat(1_000) }),
  });
  const { text } = await get('/syncs/talks/rejects?run=r1');
  expect(asked).toEqual([['talks', { run: 'r1' }]]);
  expect(text).toContain('/syncs/talks/rejects.csv?run=r1');
  expect(text).toContain('Show those of the last run');
  expect(text).not.toContain('mailto:');
  const [, mail = ''] = /href="(mailto:[^"]+)"/.exec((await get('/syncs/talks/rejects')).text) ?? [];
  expect(mail).toMatch(/^mailto:rosa%40example.org\?subject=One%20%26%20two&amp;body=long%20/);
  expect(mail.length).toBeLessThan(6_000);
});

test('Rejects that the ledger no longer has are not called accepted', async () => {
  const { get } = await servePages({ rejects: async () => ({ ...rejects, rejected: 4, total: 0, groups: [] }) });
  expect((await get('/syncs/talks/rejects?run=r1')).text).toContain('4 of 90 records');
});

test('The rejects of all syncs lead to each of them', async () => {
  const reasons = [{ code: 'FF_RECORD_DATE', cause: 'A date is wrong.', total: 4 }];
  const talks = { sync: 'talks', run: 'r1', startedAt: '2027-03-01T14:00:00.000Z', read: 90, total: 4, reasons };
  const { get } = await servePages({ allRejects: async () => ({ syncs: [talks] }) });
  const { text } = await get('/rejects');
  expect(text).toContain('href="/syncs/talks/rejects"');
  expect(text).toContain('4: A date is wrong.');
});

const day: DayView = {
  day: '2027-03-01',
  timezone: 'America/New_York',
  runs: [aRunRow(), aRunRow({ run: 'r2', counts: someCounts({ read: 9, created: 1, rejected: 2 }) })],
  changed: [
    {
      run: 'r2',
      sync: 'talks',
      items: [
        { key: 'T1', title: ATTACK, effect: 'created', attributes: [] },
        { key: 'T2', title: 'Ships', effect: 'updated', attributes: ['title', 'image'] },
        { key: 'T3', title: 'Tides', effect: 'removed', attributes: [] },
      ],
      hasMore: false,
    },
  ],
  deeds: [
    { at: '2027-03-01T14:00:00.000Z', deed: 'pause', by: 'Ann', via: 'console', sync: 'talks', reason: 'moving' },
  ],
  isCut: false,
};

test('The page of a day has the changes by name, the rejects of the last readings, and the decisions', () => {
  const { title, body, aside } = dayContent(day, aContext());
  const text = String(body);
  expect(title).toBe('Today, 2027-03-01');
  expect(text).toContain('2 runs: 4 new, 12 changed.');
  expect(text).not.toContain('<script>');
  expect(text).toMatch(/Changed<.*Ships<.*title, image/s);
  expect(text).toContain('/syncs/talks/rejects?run=r2');
  expect(text.match(/rejects\?run=/g)).toHaveLength(1);
  expect(text).toMatch(/Ann<.*paused the sync.*moving/s);
  expect(String(aside)).toContain('/day?day=2027-02-28');
  expect(String(aside)).not.toContain('2027-03-02');
});

test('A day can be chosen, and is today unless it is', async () => {
  const asked: string[] = [];
  const { get } = await servePages({
    day: async (date) => {
      asked.push(date);
      return { ...day, day: date };
    },
    overview: async () => ({
      ...overview,
      attention: [{ is: 'held', sync: 'talks', run: 'r7', text: 'It waits.', remedy: '' }],
    }),
  });
  const { text } = await get('/day?day=2027-02-28');
  expect(text).toContain('What happened on 2027-02-28');
  expect(text).not.toContain('Waits for a person');
  expect((await get('/day')).text).toMatch(/Today.*Waits for a person.*It waits/s);
  expect(asked).toEqual(['2027-02-28', expect.stringMatching(/^\d{4}-\d\d-\d\d$/)]);
  expect((await get('/day?day=soon')).status).toBe(400);
});
