import { describe, expect, test } from 'vitest';
import { recordState } from '../../../../src/documents/badges.ts';
import { verificationDocument } from '../../../../src/documents/verification.ts';
import type { VerificationView, VerifiedDifferenceView } from '../../../../src/queries/views/verification.ts';
import { ATTACK, aContext, bodyOf, onlyViewer } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const counts = { records: 90, inSync: 88, moving: 0, unverified: 0 };
const over = { beganAt: '2027-03-01T14:00:00.000Z', endedAt: '2027-03-01T14:00:09.000Z' };
const none: VerificationView = { sync: 'talks', total: 0, open: 0, differences: [] };
const view: VerificationView = {
  ...{ sync: 'talks', ...over, askedBy: 'Kim', proven: true, counts, foundAt: over.beganAt, total: 2, open: 2 },
  differences: [
    { key: 'T1', title: ATTACK, cause: 'edited', cmsId: 7, link: 'https://cms.example.edu/7', attributes: ['title'] },
    { key: 'T2', title: 'Ships', cause: 'deleted', cmsId: 8, attributes: [] },
  ],
};
const shown = (more: Partial<VerificationView>, context = aContext()) => {
  return bodyOf(verificationDocument({ ...view, ...more }), context);
};

describe('The verification of a sync', () => {
  test('lists each difference with its record and cause, and offers to verify, to repair and to acknowledge', () => {
    const text = shown({});
    expect(text).toContain('The CMS differs from what was delivered: 2 differences.</div>');
    expect(shown({ total: 3 })).toContain('2 differences. 1 more in the list: delivered since, or never delivered.');
    expect(text).toContain('href="/syncs/talks/record?key=T2&amp;with=cms">Ships</a>');
    expect(text).toMatch(/Deleted in the CMS<\/span>/);
    expect(text).toContain('<dt>Asked by</dt><dd>Kim</dd>');
    expect(text).toContain('action="/syncs/talks/verification"');
    expect(text).toContain('action="/syncs/talks/repair"');
    expect(text).toContain('name="keys" value="T1"');
    expect(text).not.toContain('<script>');
  });

  test('What was delivered since, or never, is marked and asks for nothing', () => {
    const [edited, deleted] = view.differences as [VerifiedDifferenceView, VerifiedDifferenceView];
    const file = { ...deleted, key: 'T3', cause: 'fileMissing', since: 'undelivered' } as const;
    const text = shown({ open: 0, differences: [{ ...edited, since: 'repaired' }, file] });
    expect(text).toContain('Edited in the CMS</span> <span class="badge good">Delivered since');
    expect(text).toContain('Delivered without the file');
    expect(text).not.toContain('value="T1"');
    expect(text).toContain('value="T3"');
    expect(text).not.toContain('The CMS differs');
    expect(text).toContain('Verify again');
  });

  test('What a repair leaves says why, and what to do; a repair of nothing else is not offered', () => {
    const [edited, deleted] = view.differences as [VerifiedDifferenceView, VerifiedDifferenceView];
    const left = { ...deleted, isLeft: true } as const;
    expect(shown({ differences: [edited, left] })).toContain('action="/syncs/talks/repair"');
    const text = shown({ total: 1, open: 1, differences: [left] });
    expect(text).toMatch(/A repair leaves it.*Acknowledge it.*<details>.*onDeletedInCms: recreate/);
    expect(text).not.toContain('/repair"');
  });

  test('Viewers only see it', () => {
    expect(shown({}, aContext({ viewer: onlyViewer }))).not.toContain('<form');
  });

  test.each<[string, Partial<VerificationView>, string]>([
    ['that was never verified', { ...none, beganAt: undefined }, 'was never verified'],
    ['that is being verified', { endedAt: undefined }, 'in progress'],
    [
      'that could not be verified',
      { total: 0, open: 0, differences: [], proven: false, reason: 'the list is short' },
      'the list is short',
    ],
    [
      'of an earlier version',
      { total: 0, open: 0, differences: [], proven: undefined, counts: undefined },
      'are unknown',
    ],
    ['with an error', { error: { code: 'FF_CMS_DOWN', message: 'No answer.', remedy: 'Wait.' } }, 'No answer.'],
  ])('A sync %s is not shown as proven', (_name, more, text) => {
    expect(shown(more)).toContain(text);
    expect(shown(more)).not.toContain('exactly as delivered');
    expect(shown({ total: 0, open: 0, differences: [] })).toContain('The CMS has all 88 records exactly as delivered.');
  });

  test('The form begins a verification and leads back to the page', async () => {
    const { url, get, done } = await servePages({ verification: async () => view });
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec((await get('/syncs/talks/verification')).text) ?? [];
    const response = await fetch(`${url}/syncs/talks/verification`, {
      method: 'POST',
      body: new URLSearchParams({ csrf }),
      redirect: 'manual',
    });
    expect([response.status, response.headers.get('location')]).toEqual([303, '/syncs/talks/verification?done=verify']);
    expect(done).toMatchObject([['verify', { sync: 'talks' }, { via: 'console' }]]);
  });
});

test('A delivered record whose item is gone is not shown as delivered', () => {
  expect(recordState({ status: 'delivered', differs: { cause: 'deleted' } })).toEqual(['bad', 'Deleted in the CMS']);
  expect(recordState({ status: 'failed', differs: { cause: 'deleted' } })).toEqual(['bad', 'Failed']);
});
