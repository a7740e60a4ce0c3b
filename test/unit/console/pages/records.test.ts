import { describe, expect, test } from 'vitest';
import { pageOfDocument } from '../../../../src/console/pages/as-html.ts';
import { recordsContent } from '../../../../src/console/pages/records.ts';
import { CodedError } from '../../../../src/core/errors.ts';
import { recordDocument, unknownDocument } from '../../../../src/documents/record.ts';
import type { RecordSearch } from '../../../../src/queries/answers/paging.ts';
import type { RecordLiveView } from '../../../../src/queries/records/record.ts';
import type { RecordDetailView, RecordSourceView } from '../../../../src/queries/views/record.ts';
import type { RecordRowView } from '../../../../src/queries/views/sync.ts';
import { ATTACK, aContext, bodyOf, onlyViewer } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const recordContent = (
  view: RecordDetailView,
  context: ReturnType<typeof aContext>,
  ...others: [Parameters<typeof recordDocument>[1]?]
) => pageOfDocument(recordDocument(view, ...others), context);

const row: RecordRowView = {
  sync: 'talks',
  key: 'a/1',
  title: ATTACK,
  status: 'failed',
  startsOn: '2027-03-09',
  error: { code: 'FF_CMS_REJECTED', reason: 'The CMS refused the title.' },
};

describe('The search for records', () => {
  test('Words, state and cursor are passed on; empty fields of the form are absent', async () => {
    const asked: RecordSearch[] = [];
    const records = async (search: RecordSearch) => {
      asked.push(search);
      return { records: [row], next: 'cursor+1' };
    };
    const { get } = await servePages({ records });
    const found = await get('/records?words=jazz+night&state=');
    expect(found.text).toContain('href="/records?words=jazz+night&amp;after=cursor%2B1"');
    await get('/syncs/talks/records?words=&state=failed&after=c');
    expect(asked).toEqual([
      { words: 'jazz night', limit: 25 },
      { sync: 'talks', states: ['failed'], after: 'c', limit: 25 },
    ]);
    expect((await get('/syncs/talks/records?state=gone')).status).toBe(400);
  });

  test('The search of all syncs waits for words', async () => {
    const { get } = await servePages({});
    const { status, text } = await get('/records');
    expect(status).toBe(200);
    expect(text).toContain('<h1>Why is my event not on the site?</h1>');
    expect(text).toContain('role="search"');
  });

  test('Each record has its sync, state and reason; texts of a feed are escaped', () => {
    const text = String(recordsContent({ words: 'x' }, { records: [row] }, aContext()).body);
    expect(text).toContain('href="/syncs/talks/record?key=a%2F1"');
    expect(text).toContain('href="/syncs/talks"');
    expect(text).toContain('The CMS refused the title.');
    expect(text).not.toContain('<script');
  });

  test('A record that was delivered without its picture says why, and when it is tried again', () => {
    const file = {
      attribute: 'image',
      code: 'FF_FILE_STATUS',
      reason: 'It returned 404.',
      since: '2027-03-01T14:00:00.000Z',
      tries: 2,
    };
    const { error: _, ...delivered } = { ...row, status: 'delivered' as const, withoutFiles: ['image'] };
    const textOf = (retryAt?: string) =>
      String(
        recordsContent({}, { records: [{ ...delivered, undeliveredFiles: [{ ...file, retryAt }] }] }, aContext()).body,
      );
    expect(textOf()).toContain('Delivered without its image');
    expect(textOf()).toContain('It returned 404. Next try: the next run.');
    expect(textOf('2027-03-02T15:00:00.000Z')).toMatch(/Next try: <time[^>]*>Mar 02 10:00/);
  });

  test('A search without a match says where else to look', () => {
    const all = recordsContent({ sync: 'talks', words: 'x' }, { records: [] }, aContext());
    expect(String(all.body)).toContain('href="/syncs/talks/rejects"');
  });
});

const record: RecordDetailView = {
  ...row,
  resource: 'events',
  at: 'line 12',
  run: 'r1',
  desired: { title: ATTACK, description: 'Now', website: 'javascript:alert(1)' },
  delivered: null,
  pictures: {},
  files: [],
  setBy: {},
  attempts: 2,
  marked: false,
  maybeSent: true,
  error: { code: 'FF_CMS_REJECTED', message: 'The CMS refused the title.', remedy: 'Correct the title.' },
  history: [
    {
      at: '2027-03-01T14:00:00.000Z',
      run: 'r1',
      outcome: 'failed',
      method: 'POST',
      attributes: ['title'],
      uploads: 1,
      error: { code: 'FF_CMS_REJECTED', message: 'Refused.', remedy: 'Correct it.' },
      differences: [],
    },
  ],
};

describe('The story of a record', () => {
  const delivered: RecordDetailView = { ...record, status: 'delivered', cmsId: 7, maybeSent: false, error: undefined };

  test('A record that the feed no longer has had a place before', () => {
    const textOf = (more: Partial<RecordDetailView>) => bodyOf(recordDocument({ ...delivered, ...more }));
    expect(textOf({})).toContain('<dt>Place in the feed</dt><dd>line 12</dd>');
    expect(textOf({ missingSince: '2027-03-01T14:00:00.000Z', marked: true })).toMatch(
      /Place in the feed<\/dt><dd>no longer in the feed since <time[^>]*>2027-03-01 09:00 EST<\/time>, before that: line 12 \(marked in the CMS\)</,
    );
  });

  test.each<[string, Partial<RecordDetailView>, RecordLiveView['is'] | undefined, boolean]>([
    ['is there', {}, undefined, true],
    ['was deleted by editors', { status: 'deleted' }, undefined, false],
    ['was deleted by feedferry', { status: 'removed' }, undefined, false],
    [
      'is missing for a verification',
      { differs: { cause: 'deleted', attributes: [], foundAt: '2027-03-01T14:00:00.000Z' } },
      undefined,
      false,
    ],
    ['is missing now', {}, 'missing', false],
  ])('An item that %s has a link, or none', (_, more, is, hasLink) => {
    const live = is && { is, attributes: {}, differences: [] };
    const { aside } = recordContent({ ...delivered, ...more }, aContext(), { live });
    expect(String(aside ?? '').includes('See it on the site')).toBe(hasLink);
  });

  test.each([
    ['FF_RECORD_RULE', undefined, ['publish', 'leave']],
    ['FF_RECORD_REVIEW', undefined, ['publish', 'leave']],
    ['FF_RECORD_RULE', 7, ['publish']],
    ['FF_KEY_REUSED', 7, ['same', 'distinct']],
    ['FF_CMS_REJECTED', undefined, []],
  ])('A record held with %s, of item %s, can be answered by %j', (code, cmsId, expected) => {
    const error = { code, message: 'It waits.', remedy: 'Answer.' };
    const text = bodyOf(recordDocument({ ...record, cmsId, status: 'held', error }));
    const options = [...text.matchAll(/<option value="(\w+)">/g)].map(([, value]) => value);
    expect(options).toEqual(expected);
    if (expected.length > 0) expect(text).toContain(expected[0] === 'same' ? 'Is it the same?' : 'Is it published?');
  });

  test('A record that was left out says by whom, and has a button that takes it back; it is no problem', () => {
    const leftOut = { person: 'Ann', at: '2027-03-01T14:00:00.000Z', note: 'not ours' };
    const { aside, body } = recordContent({ ...record, status: 'held', error: undefined, leftOut }, aContext());
    expect(String(body)).toMatch(/Left out<\/strong> by Ann on .*<q>not ours<\/q>/s);
    expect(String(body)).toContain('action="/syncs/talks/questions/take-back"');
    expect(String(body)).not.toContain('On hold');
    expect(String(aside)).not.toContain('Retry');
    const list = recordsContent(
      { words: 'x' },
      { records: [{ ...row, status: 'held', error: undefined, leftOut }] },
      aContext(),
    );
    expect(String(list.body)).toMatch(/Left out<.*by Ann/s);
  });

  test('Facts that only a terminal has leave no empty line', () => {
    expect(bodyOf(recordDocument(delivered))).not.toMatch(/<dt>[^<]*<\/dt><dd><\/dd>/);
  });

  test('It has the reason and its remedy, the payload and the history', () => {
    const { title, aside, body } = recordContent(record, aContext());
    const text = String(body);
    expect(title).toBe(ATTACK);
    expect(text).toContain('Correct the title.');
    expect(text).toContain('the CMS did not respond');
    expect(text).toMatch(/2027-03-01 09:00 EST.*failed.*title \+ 1 file/s);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('href="javascript:');
    expect(String(aside)).toContain('action="/syncs/talks/retry"');
    expect(String(aside)).toContain('name="keys" value="a/1"');
  });

  test('A removed record says that feedferry deleted its item, and by which run; it has no place in the feed', () => {
    const deletion = { at: '2027-03-01T14:00:00.000Z', run: 'r9', outcome: 'removed', method: 'DELETE' };
    const history = [{ ...deletion, attributes: [], uploads: 0, differences: [] }, ...record.history];
    const { error: _, ...removed } = { ...record, status: 'removed' as const, history };
    const text = String(recordContent(removed, aContext()).body);
    expect(text).toMatch(/feedferry deleted its item in the CMS.*href="\/runs\/r9">Show the run that deleted it/s);
    expect(text).not.toContain('line 12');
    expect(String(recordContent(record, aContext()).body)).toContain('line 12');
    expect(String(recordContent(record, aContext()).body)).not.toContain('deleted its item');
  });

  test('What takes a while is loaded on demand, and without JavaScript by a link', () => {
    const text = String(recordContent(record, aContext()).body);
    for (const other of ['feed', 'cms', 'both']) {
      const path = `/syncs/talks/record?key=a%2F1&amp;with=${other}`;
      expect(text).toContain(`href="${path}" hx-get="${path}" hx-target="#content"`);
    }
  });

  test('An item can be adopted by those who may, unless the record has one', () => {
    const adopts = '/syncs/talks/record/adopt';
    expect(String(recordContent(record, aContext()).body)).toContain(adopts);
    expect(String(recordContent({ ...record, cmsId: 3 }, aContext()).body)).not.toContain(adopts);
    const { aside, body } = recordContent(record, aContext({ viewer: onlyViewer }));
    expect(`${aside}${body}`).not.toContain('<form');
  });

  test('A record whose delete waits in a plan says so, and leads to the plan', () => {
    const waiting = { run: 'r9', op: 'delete' as const };
    const text = String(recordContent({ ...record, status: 'delivered', waiting }, aContext()).body);
    expect(text).toMatch(/To be deleted: waits for a decision.*<a href="\/runs\/r9\/plan">Review the plan<\/a>/s);
    expect(text).toMatch(/<dt>State<\/dt>.*Delivered.*>To be deleted</s);
    expect(String(recordContent(record, aContext()).body)).not.toContain('waits for a decision');
  });

  test('An item that was deleted in the CMS is brought back, and a difference kept, by a button', () => {
    const { aside } = recordContent({ ...record, status: 'deleted', error: undefined }, aContext());
    expect(String(aside)).toMatch(/action="\/syncs\/talks\/retry".*name="recreate" value="1".*Bring it back/s);
    const differs = { cause: 'edited' as const, attributes: ['title'], foundAt: '2027-03-01T14:00:00.000Z' };
    const text = String(recordContent({ ...record, status: 'delivered', differs }, aContext()).body);
    expect(text).toMatch(
      /action="\/syncs\/talks\/acknowledge".*It stays until the source changes.*Keep it as it is on the site/s,
    );
  });

  test('A record has one place in the feed: the present one, if the feed was read', () => {
    const found = [{ at: 'line 7', is: 'desired' as const, files: [], warnings: [] }];
    const feed = {
      location: 'a.csv',
      complete: true,
      verdict: { is: 'update', why: 'x', next: 'y' },
      found: [...found],
      differences: [],
    };
    const text = String(recordContent(record, aContext(), { feed }).body);
    expect(text).toContain('line 7');
    expect(text).not.toContain('line 12');
  });

  test('A delivered record has no retry, and links to its item', () => {
    const link = 'https://cms.example.edu/edit/3';
    const { aside } = recordContent({ ...record, status: 'delivered', cmsId: 3, link }, aContext());
    expect(String(aside)).toContain(`href="${link}"`);
    expect(String(aside)).not.toContain('retry');
  });

  const source: RecordSourceView = {
    location: 'https://calendar.example.edu/public.ics',
    complete: false,
    verdict: { is: 'rejected', why: 'The title is missing.', next: 'Correct it in the source.' },
    found: [
      {
        at: 'line 12',
        is: 'rejected',
        fields: { Title: ATTACK, Hours: ['a', 1] },
        files: [],
        warnings: ['The year is unusual.'],
        problem: { code: 'FF_RECORD_FIELD', message: 'No title.', remedy: 'Add one.' },
      },
    ],
    differences: [],
  };

  test('A record that was never accepted leads to what the feed has: the reason, what happens next, and the fields', async () => {
    const { get } = await servePages({
      record: () => Promise.reject(new CodedError('FF_RECORD_UNKNOWN', 'Unknown.')),
      recordRejection: async () => ({ sync: 'talks', key: 'x', title: '', found: [] }),
      recordSource: async () => source,
    });
    const unread = await get('/syncs/talks/record?key=x');
    expect(unread.status).toBe(200);
    expect(unread.text).toContain('/syncs/talks/record?key=x&amp;with=feed');
    const { text } = await get('/syncs/talks/record?key=x&with=feed');
    const shown = ['The title is missing.', 'Correct it in the source.', 'not read completely', 'line 12', 'Add one.'];
    for (const each of [...shown, 'The year is unusual.', 'a, 1']) expect(text).toContain(each);
    expect(text).not.toContain("<script>alert('1')");
  });

  test('The page of a rejected record has its title, reason, remedy and fields, and the form to acknowledge it', async () => {
    const problem = { code: 'FF_RECORD_DATE', message: 'The date is no date.', remedy: 'Correct the date.' };
    const found = [{ at: 'line 3', fields: { Title: 'Jazz Night', Date: '2027-02-30' }, problem }];
    const rejected = { sync: 'talks', key: 't3', title: 'Jazz Night', run: 'r1', found };
    const { get } = await servePages({
      record: () => Promise.reject(new CodedError('FF_RECORD_UNKNOWN', 'Unknown.')),
      recordRejection: async () => rejected,
    });
    const { text } = await get('/syncs/talks/record?key=t3');
    for (const each of ['<h1>Jazz Night</h1>', 'line 3', 'The date is no date.', 'Correct the date.', '2027-02-30'])
      expect(text).toContain(each);
    expect(text).toContain('href="/runs/r1"');
    expect(text).not.toContain('never accepted');
    const bodyFor = (more: object) => bodyOf(unknownDocument({ ...rejected, ...more }, undefined));
    expect(bodyFor({})).toContain('Acknowledge the problem');
    const acknowledged = [{ kind: 'rejected' as const, by: 'Kim', at: '2027-03-01T14:00:00.000Z' }];
    expect(bodyFor({ acknowledged })).toMatch(/Acknowledged by Kim.*Take the acknowledgement back/s);
  });

  test('A record that looks like another item asks whether it is the same', async () => {
    const error = { code: 'FF_RECORD_ALIKE', message: 'It looks like another one.', remedy: 'Decide.' };
    const held = { ...record, status: 'held' as const, error };
    const { url, get, done } = await servePages({ record: async () => held });
    const { text } = await get('/syncs/talks/record?key=a%2F1');
    expect(text).toContain('name="answer"');
    expect(bodyOf(recordDocument(held), aContext({ viewer: onlyViewer }))).not.toContain('Is it the same?');
    const [, csrf = ''] = /name="csrf" value="([^"]*)"/.exec(text) ?? [];
    const send = (fields: Record<string, string>) => {
      const body = new URLSearchParams({ csrf, keys: 'a/1', note: 'two halls', ...fields });
      return fetch(`${url}/syncs/talks/retry`, { method: 'POST', body, redirect: 'manual' });
    };
    expect((await send({ answer: 'distinct' })).headers.get('location')).toBe('/runs/r1?done=retry');
    expect((await send({ answer: '' })).status).toBe(400);
    const actor = { name: expect.any(String), via: 'console' };
    expect(done).toEqual([['retry', { sync: 'talks', keys: ['a/1'], answer: 'distinct', note: 'two halls' }, actor]]);
    expect(String(recordContent({ ...held, error: undefined }, aContext()).body)).not.toContain('name="answer"');
  });

  test('A search leads to the pages of rejected records', () => {
    const hit = {
      sync: 'talks',
      at: 'line 3',
      name: 'Jazz',
      code: 'FF_RECORD_DATE',
      reason: 'No.',
      remedy: 'Correct.',
    };
    const textFor = (key?: string) =>
      String(recordsContent({ words: 'jazz' }, { records: [], rejected: [{ ...hit, key }] }, aContext()).body);
    expect(textFor('t3')).toContain('<a href="/syncs/talks/record?key=t3">Jazz</a>');
    expect(textFor()).not.toContain('/record?key=');
  });

  test('The record is shown even if the feed or the CMS cannot be asked', async () => {
    const { get } = await servePages({
      record: async () => record,
      recordSource: () => Promise.reject(new CodedError('FF_SYNC_UNKNOWN', 'There is no sync "talks".')),
      recordLive: async () => ({ is: 'never', attributes: {}, differences: [] }),
    });
    const { status, text } = await get('/syncs/talks/record?key=a%2F1&with=both');
    expect(status).toBe(200);
    expect(text).toContain('There is no sync &quot;talks&quot;.');
    expect(text).toContain('Nothing was delivered yet');
    expect(text).toContain('Correct the title.');
  });
});

describe('The content of a record', () => {
  const src = '/uploads/jazz.jpg';
  const time = { start: '18:00:00', end: '20:00:00', type: 'timed' };
  const delivered: RecordDetailView = {
    ...record,
    status: 'delivered',
    desired: { title: 'Jazz Night', date: '2027-03-05', time, description: '<p>One &amp; two</p>', featured: null },
    delivered: {
      title: 'Jazz',
      date: '2027-03-05',
      time,
      description: '<p>One &amp; two</p>',
      featured: false,
      image: { src },
      source_key: 'talks:a/1',
    },
    pictures: { image: `https://cms.example.edu${src}` },
    files: [
      {
        attribute: 'image',
        name: 'jazz.jpg',
        address: 'https://feed.example.edu/jazz.jpg',
        picture: 'https://feed.example.edu/jazz.jpg',
        isDelivered: true,
      },
    ],
    setBy: { source_key: 'feedferry', date: 'derived' },
  };
  const live: RecordLiveView = {
    is: 'there',
    attributes: { ...delivered.delivered, description: '<p>One &amp; three</p>' },
    pictures: delivered.pictures,
    differences: [{ attribute: 'description', from: '<p>One &amp; two</p>', to: '<p>One &amp; three</p>' }],
  };
  /** Without what small screens need. */
  const plain = ({ body }: { body: unknown }) => String(body).replaceAll(/ (role|data-label)="[^"]*"/g, '');
  const bodyWith = (others?: Parameters<typeof recordContent>[2]) =>
    plain(recordContent(delivered, aContext(), others));
  const rowOf = (text: string, attribute: string) =>
    new RegExp(`<tr><th scope="row">${attribute}[<].*?</tr>`, 's').exec(text)?.[0] ?? '';

  test('It is one table: what is wanted and delivered, different values marked, equal ones not repeated', () => {
    const text = bodyWith();
    expect(text.split('id="history"')[0]?.match(/<table>/g)).toHaveLength(1);
    expect(text).toContain('1 attribute differs.');
    expect(rowOf(text, 'title')).toMatch(/<td><span class="value">Jazz Night<.*<td><span class="value"><ins>Jazz</s);
    expect(rowOf(text, 'time')).toMatch(/18:00 – 20:00<\/span><\/td><td><span class="muted">same/);
    expect(rowOf(text, 'date')).toContain('Fri 2027-03-05');
    expect(rowOf(text, 'description')).toContain('>One &amp; two<');
    expect(rowOf(text, 'featured')).toContain('same');
    expect(text.indexOf('>title<')).toBeLessThan(text.indexOf('>date<'));
  });

  test('A right picture is the same on both sides; a wrong one is shown beside the other', () => {
    const right = rowOf(bodyWith(), 'image');
    expect(right).toMatch(
      /<img src="https:\/\/feed\.example\.edu\/jazz\.jpg" alt="image: Wanted" loading="lazy" .*same/s,
    );
    const files = delivered.files.map((file) => ({ ...file, isDelivered: false }));
    const text = plain(recordContent({ ...delivered, files }, aContext()));
    expect(rowOf(text, 'image')).toMatch(/feed\.example\.edu.*cms\.example\.edu\/uploads.*Different/s);
  });

  test('A picture that the item was delivered without is missing', () => {
    const files = delivered.files.map((file) => ({ ...file, isDelivered: false }));
    const { image: _, ...without } = delivered.delivered ?? {};
    const text = plain(recordContent({ ...delivered, files, delivered: without }, aContext()));
    expect(rowOf(text, 'image')).toContain('Missing');
    expect(text).toContain('2 attributes differ.');
  });

  test('What feedferry sets is named, and is no difference', () => {
    const text = bodyWith();
    expect(rowOf(text, 'source_key')).toMatch(/set by feedferry.*–.*talks:a\/1/s);
    expect(rowOf(text, 'date')).toContain('from start and end');
    expect(text).not.toContain('What the source asks for');
  });

  test('An attribute that the source does not ask for is no difference, and says so', () => {
    const values = { title: 'Jazz', time, isMultiDay: true };
    const more = { desired: { title: 'Jazz' }, delivered: values, files: [], pictures: {}, setBy: {} };
    const text = plain(recordContent({ ...delivered, ...more }, aContext()));
    expect(text).toContain('In what the source asks for, no difference between “Wanted” and “Delivered”.');
    expect(rowOf(text, 'time')).toMatch(/not from the source.*18:00 – 20:00/s);
    expect(rowOf(text, 'multi day')).toContain('yes');
  });

  test('The feed and the CMS are columns of the same table', () => {
    const found = [
      {
        at: 'line 12',
        is: 'desired' as const,
        payload: { ...delivered.desired, title: 'Jazz Nights' },
        files: delivered.files,
        warnings: [],
      },
    ];
    const feed = { ...sourceView, found };
    const text = bodyWith({ feed, live });
    expect(text).toContain('The CMS differs: the item was edited there');
    expect(text).toContain('2 attributes differ.');
    expect([...text.matchAll(/<th scope="col">([^<]*)/g)].map(([, head]) => head).slice(1, 5)).toEqual([
      'In the feed now',
      'Wanted',
      'Delivered',
      'In the CMS now',
    ]);
    expect(rowOf(text, 'title')).toMatch(/Jazz Nights<.*Jazz <ins>Night<.*<ins>Jazz<.*same/s);
    expect(rowOf(text, 'description')).toMatch(/One &amp; two.*same.*same.*One &amp; <ins>three<\/ins>/s);
  });

  test.each([
    [{ is: 'missing', attributes: {}, differences: [] }, 'was deleted there'],
    [{ is: 'removed', attributes: {}, differences: [] }, 'feedferry has deleted the item'],
    [{ ...live, differences: [] }, 'The item is as it was delivered.'],
    [
      {
        is: 'unreachable',
        problem: { code: 'FF_CMS_TIMEOUT', message: 'No answer.', remedy: 'Try again.' },
        attributes: {},
        differences: [],
      },
      'Try again.',
    ],
  ] satisfies Array<[RecordLiveView, string]>)('The page says what the CMS answered (%#)', (answer, text) => {
    expect(bodyWith({ live: answer })).toContain(text);
  });
});

describe('An item that differs in the CMS', () => {
  const verdict = { is: 'unchanged', why: 'The last delivery matches the source.', next: 'Nothing is sent.' };
  const feed = { location: 'talks.csv', complete: true, verdict, found: [], differences: [] };
  const repair = '<a href="/syncs/talks/verification">verify the sync and plan a repair</a>';
  const textFor = (live: RecordLiveView, more: Partial<RecordDetailView> = { cmsId: 3 }) =>
    String(recordContent({ ...record, status: 'delivered', ...more }, aContext(), { feed, live }).body);
  const missing: RecordLiveView = { is: 'missing', createsAgain: false, attributes: {}, differences: [] };

  test('An edit is named before the verdict on the feed, with what runs do and the way to a repair', () => {
    const live: RecordLiveView = {
      is: 'there',
      attributes: { title: 'Edited' },
      differences: [{ attribute: 'title', from: 'Jazz', to: 'Edited' }],
    };
    const text = textFor(live);
    expect(text).toMatch(/The CMS differs: .* \(title\).*Runs leave the edits.*The last delivery matches the source/s);
    expect(text).toContain(repair);
  });

  test('A deletion says what the sync does about it, and what a person can do', () => {
    expect(textFor(missing)).toMatch(
      /Runs leave it deleted\. Once a run has noticed.*<summary>Setting<.*onDeletedInCms: leave/s,
    );
    expect(textFor({ ...missing, createsAgain: true })).toMatch(
      /creates such items again, when the record changes.*To create it now.*recreate/s,
    );
    const like = { desired: { title: 'Jazz' }, delivered: { title: 'Jazz' } };
    expect(textFor(missing, { cmsId: 3, ...like })).toContain('Delivered, as wanted');
    const noted = textFor(missing, { status: 'deleted' });
    expect(noted).toMatch(/href="#adopt".*id="adopt"/s);
  });
});

const sourceView: RecordSourceView = {
  location: 'https://calendar.example.edu/public.ics',
  complete: true,
  verdict: { is: 'update', why: 'The source has changed.', next: 'The next run updates title.' },
  found: [],
  differences: [],
};
