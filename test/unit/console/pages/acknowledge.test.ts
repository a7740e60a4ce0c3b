import { describe, expect, test } from 'vitest';
import { acknowledgement } from '../../../../src/documents/acknowledge.ts';
import { rejectsDocument } from '../../../../src/documents/rejects.ts';
import type { RejectsView } from '../../../../src/queries/views/sync.ts';
import { ATTACK, aContext, approver, bodyOf, onlyViewer } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const acknowledged = { kind: 'rejected', by: ATTACK, at: '2027-03-01T15:00:00.000Z', note: 'in May' } as const;
const group = { code: 'FF_RECORD_DATE', cause: 'A date is wrong.', remedy: 'Correct it.' };
const first = [
  { at: 'line 5', key: 'T4', title: 'Old Maps', name: 'T4', reason: '"2027-02-30" is not a calendar date.' },
  { at: 'line 6', title: '', name: '?0123456789ab', reason: 'no key', acknowledged },
];
const view: RejectsView = { run: 'r1', read: 90, total: 40, groups: [{ ...group, total: 40, first }] };

describe('The rejects of a sync', () => {
  test('can be selected and acknowledged, or all of a reason at once; it is shown who has done so', () => {
    const text = bodyOf(rejectsDocument('talks', view));
    expect(text).toContain('<input type="checkbox" name="keys" value="T4" aria-label="Select Old Maps">');
    expect(text).toContain('record?key=T4">Old Maps</a>');
    expect(text).not.toContain('value="?0123456789ab"');
    expect(text).toMatch(/2027-03-01 10:00 EST<\/time>: <q>in May/);
    expect(text).toContain('<button>Acknowledge the selected</button>');
    const [, hint] = /name="hint" value="([^"]+)"/.exec(text) ?? [];
    expect(text).toMatch(new RegExp(`id="${hint}"[^>]*>Select at least one\\.`));
    expect(text).toContain('<button name="code" value="FF_RECORD_DATE">Acknowledge all 40</button>');
    expect(text).not.toContain('<script>');
  });

  test('Viewers, and a list of which all is acknowledged, have no form', () => {
    const known = { ...view, groups: [{ ...group, total: 1, first: first.slice(1) }] };
    expect(bodyOf(rejectsDocument('talks', known))).not.toContain('<form');
    const text = bodyOf(rejectsDocument('talks', view), aContext({ viewer: onlyViewer }));
    expect(text).not.toMatch(/<form|checkbox|caption[^>]*>[^<]*FF_/);
    expect(text).toContain('in May');
  });

  test.each([
    ['keys=T4&note=&back=/syncs/talks/rejects', { keys: ['T4'] }],
    ['keys=T4&keys=T5&note=in+May&back=/syncs/talks/rejects', { keys: ['T4', 'T5'], note: 'in May' }],
    ['code=FF_RECORD_DATE&back=/syncs/talks/rejects', { code: 'FF_RECORD_DATE' }],
  ])('The form %s leads back to the page', async (fields, body) => {
    const { url, get, done } = await servePages({ rejects: async () => view, letter: async () => undefined });
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await get('/syncs/talks/rejects')).text) ?? [];
    const send = (given: string) => {
      return fetch(`${url}/syncs/talks/acknowledge`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `${given}&csrf=${encodeURIComponent(csrf)}`,
        redirect: 'manual',
      });
    };
    const response = await send(fields);
    const leadsTo = '/syncs/talks/rejects?done=acknowledge';
    expect([response.status, response.headers.get('location')]).toEqual([303, leadsTo]);
    expect((await get(leadsTo)).text).toMatch(/role="status"[^>]*>.*no longer asks for attention/);
    expect(done).toMatchObject([['acknowledge', { sync: 'talks', ...body }, { via: 'console' }]]);
    expect(done).toHaveLength(1);
    const none = await send('note=&hint=why-1-none&back=/syncs/talks/rejects');
    expect([none.status, none.headers.get('location')]).toEqual([303, '/syncs/talks/rejects#why-1-none']);
    expect(done).toHaveLength(1);
    expect((await send('keys=T4&back=//evil.example')).status).toBe(400);
  });
});

test('The page of a record offers to acknowledge its problem, or to take that back', () => {
  const shown = (known: (typeof acknowledged)[], hasProblem: boolean, viewer = approver) => {
    const record = { name: 'T4', acknowledged: known, hasProblem };
    const block = acknowledgement(record, { sync: 'talks', back: '/' });
    return bodyOf({ title: '', blocks: [block] }, aContext({ viewer })).trim();
  };
  expect(shown([], true)).toContain('action="/syncs/talks/acknowledge"');
  expect(shown([acknowledged], true)).toMatch(/in May.*action="\/syncs\/talks\/acknowledge\/take-back"/s);
  expect(shown([], false)).toBe('');
  expect(shown([acknowledged], true, onlyViewer)).not.toContain('<form');
});
