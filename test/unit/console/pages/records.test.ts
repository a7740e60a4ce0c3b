import { describe, expect, test } from 'vitest';
import { recordContent } from '../../../../src/console/pages/record.ts';
import { livePart, sourcePart } from '../../../../src/console/pages/record-parts.ts';
import { recordsContent } from '../../../../src/console/pages/records.ts';
import { CodedError } from '../../../../src/core/errors.ts';
import type { RecordSearch } from '../../../../src/queries/answers/paging.ts';
import type { RecordDetailView, RecordSourceView } from '../../../../src/queries/views/record.ts';
import type { RecordRowView } from '../../../../src/queries/views/sync.ts';
import { ATTACK, aContext, onlyViewer } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

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
      { words: 'jazz night', limit: 50 },
      { sync: 'talks', states: ['failed'], after: 'c', limit: 50 },
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

  test('A part of a search without a match leads on; a search without a match says where else to look', () => {
    const part = recordsContent({ sync: 'talks', words: 'x' }, { records: [], next: 'c' }, aContext());
    expect(String(part.body)).toContain('Continue the search');
    const all = recordsContent({ sync: 'talks', words: 'x' }, { records: [] }, aContext());
    expect(String(all.body)).toContain('href="/syncs/talks/rejects"');
    expect(String(all.body)).not.toContain('Continue');
  });
});

const record: RecordDetailView = {
  ...row,
  resource: 'events',
  at: 'line 12',
  run: 'r1',
  desired: { title: ATTACK, description: 'Now', website: 'javascript:alert(1)' },
  delivered: null,
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
  test('It has the reason and its remedy, the payload and the history', () => {
    const { title, aside, body } = recordContent(record, aContext());
    const text = String(body);
    expect(title).toBe(ATTACK);
    expect(text).toContain('Correct the title.');
    expect(text).toContain('the CMS did not respond');
    expect(text).toMatch(/2027-03-01 09:00 EST.*POST.*title \+ 1 file/s);
    expect(text).not.toContain('<script');
    expect(text).not.toContain('href="javascript:');
    expect(String(aside)).toContain('action="/syncs/talks/record/retry"');
    expect(String(aside)).toContain('name="key" value="a/1"');
  });

  test('What takes a while is loaded on demand, and without JavaScript by a link', () => {
    const text = String(recordContent(record, aContext()).body);
    for (const part of ['source', 'live']) {
      const path = `/syncs/talks/record/${part}?key=a%2F1`;
      expect(text).toContain(`href="${path}" hx-get="${path}" hx-target="#${part}"`);
      expect(text).toContain(`<div id="${part}"`);
    }
  });

  test('An item can be adopted by those who may, unless the record has one', () => {
    const adopts = '/syncs/talks/record/adopt';
    expect(String(recordContent(record, aContext()).body)).toContain(adopts);
    expect(String(recordContent({ ...record, cmsId: 3 }, aContext()).body)).not.toContain(adopts);
    const { aside, body } = recordContent(record, aContext({ viewer: onlyViewer }));
    expect(`${aside}${body}`).not.toContain('<form');
  });

  test('A delivered record has no retry, and links to its item', () => {
    const link = 'https://cms.example.edu/edit/3';
    const { aside } = recordContent({ ...record, status: 'delivered', cmsId: 3, link }, aContext());
    expect(String(aside)).toContain(`href="${link}"`);
    expect(String(aside)).not.toContain('retry');
  });

  test('A record that was never accepted leads to what the feed has', async () => {
    const { get } = await servePages({ record: () => Promise.reject(new CodedError('FF_RECORD_UNKNOWN', 'Unknown.')) });
    const { status, text } = await get('/syncs/talks/record?key=x');
    expect(status).toBe(200);
    expect(text).toContain('/syncs/talks/record/source?key=x');
    expect(text).not.toContain('id="live"');
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

  test('The part of the source has the reason, what happens next, and the fields', () => {
    const text = String(sourcePart(source));
    for (const each of [
      'The title is missing.',
      'Correct it in the source.',
      'not read completely',
      'line 12',
      'Add one.',
    ]) {
      expect(text).toContain(each);
    }
    expect(text).toContain('The year is unusual.');
    expect(text).not.toContain('<script');
  });

  test('A part is a fragment for htmx and a page of its own for others', async () => {
    const { get } = await servePages({ recordSource: async () => source });
    const path = '/syncs/talks/record/source?key=a%2F1';
    const page = (await get(path)).text;
    const part = (await get(path, { 'hx-request': 'true' })).text;
    expect(page).toMatch(/^<!doctype html>/);
    expect(page).toContain('href="/syncs/talks/record?key=a%2F1"');
    expect(part).not.toContain('<html');
    expect(page).toContain(part);
  });

  test.each([
    ['never', 'Nothing was delivered yet.'],
    ['missing', 'was deleted there'],
    ['there', 'The item is as it was delivered.'],
  ] as const)('The part of the CMS says if the item is %s', (is, text) => {
    expect(String(livePart({ is, attributes: { title: 'A' }, differences: [] }))).toContain(text);
  });

  test('The part of the CMS shows what was edited there, or why it is unknown', () => {
    const differences = [{ attribute: 'title', from: 'Jazz', to: 'Rock' }];
    const edited = String(livePart({ is: 'there', attributes: { title: 'Rock' }, differences }));
    expect(edited).toMatch(/was edited in the CMS.*<del>Jazz<\/del>.*<ins>Rock<\/ins>/s);
    const problem = { code: 'FF_CMS_TIMEOUT', message: 'No answer.', remedy: 'Try again.' };
    expect(String(livePart({ is: 'unreachable', problem, attributes: {}, differences: [] }))).toContain('Try again.');
  });
});
