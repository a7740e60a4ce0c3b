import { describe, expect, test } from 'vitest';
import { heldPlanContent } from '../../../../src/console/pages/held-plan.ts';
import { undoContent } from '../../../../src/console/pages/undo.ts';
import { CodedError } from '../../../../src/core/errors.ts';
import type { HeldPlanView, PlannedItemView, UndoPreviewView } from '../../../../src/queries/views/run.ts';
import { ATTACK, aContext, onlyViewer, someCounts } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const plan: HeldPlanView = {
  run: 'r7',
  sync: 'talks',
  set: 'set-of-r7',
  heldAt: '2027-03-01T14:00:00.000Z',
  error: { code: 'FF_GUARD_DELETE', message: '40 of the 90 records are missing.', remedy: 'Review the plan.' },
  counts: someCounts({ read: 50, missing: 40 }),
  ops: { create: 0, update: 1, delete: 1, mark: 0 },
};
const items: PlannedItemView[] = [
  {
    key: 'a b',
    op: 'delete',
    title: ATTACK,
    date: '2027-03-09',
    at: 'line 3',
    cmsId: 12,
    link: 'https://cms.example.edu/edit/12',
  },
  {
    key: 'c',
    op: 'update',
    title: '',
    at: 'line 4',
    cmsId: 13,
    link: 'javascript:alert(1)',
    differences: [{ attribute: 'title', from: 'Old', to: 'New' }],
  },
].map((item) => ({ differences: [], ...item }) as PlannedItemView);

describe('A held plan', () => {
  const body = () => String(heldPlanContent(plan, { items }, aContext()).body);

  test('The page says why it is on hold, since when, and which items would change', () => {
    const text = body();
    expect(text).toContain('40 of the 90 records are missing.');
    expect(text).toContain('2027-03-01 09:00 EST');
    expect(text).toContain('<dt>Would delete</dt><dd>1 item</dd>');
    expect(text).not.toContain('Would create');
    expect(text).toContain('href="/syncs/talks/record?key=a+b"');
    expect(text).toMatch(/<td class="time">2027-03-09<\/td>/);
    expect(text).toContain('href="https://cms.example.edu/edit/12"');
    expect(text).toMatch(/<del>Old<\/del>.*<ins>New<\/ins>/s);
  });

  test('Texts of a feed are escaped, and only web addresses are links', () => {
    expect(body()).not.toContain('<script');
    expect(body()).toContain('&lt;script&gt;');
    expect(body()).not.toContain('javascript:');
  });

  test('Approve and Reject send exactly this set with a reason; Enter in the field does not approve', () => {
    const text = body();
    expect(text).toMatch(/<form method="post" action="\/runs\/r7\/approve">/);
    expect(text).toContain('name="set" value="set-of-r7"');
    expect(text).toContain('name="csrf" value="token-of-form"');
    expect(text).toMatch(/name="reason"[^>]* required/);
    expect(text.indexOf('formaction="/runs/r7/reject"')).toBeGreaterThan(0);
    expect(text.indexOf('formaction="/runs/r7/reject"')).toBeLessThan(text.indexOf('Approve 2 changes'));
  });

  test('Viewers cannot decide', () => {
    const text = String(heldPlanContent(plan, { items }, aContext({ viewer: onlyViewer })).body);
    expect(text).not.toContain('<form');
    expect(text).toContain('Only people who may approve');
  });

  test('A long plan says how many of its items are listed and leads to the others', () => {
    const text = String(
      heldPlanContent({ ...plan, ops: { ...plan.ops, delete: 900 } }, { items, next: 'delete:c d' }, aContext()).body,
    );
    expect(text).toContain('The first 2 of 901 items.');
    expect(text).toContain('href="/runs/r7/plan?items=delete%3Ac+d#items"');
  });

  test('The link of an alert still leads to the run after the decision', async () => {
    const { get } = await servePages({
      heldPlan: () => Promise.reject(new CodedError('FF_APPROVE_NOT_HELD', 'Run r7 of "talks" has no held plan.')),
      plannedItems: async () => ({ items: [] }),
    });
    const { status, text } = await get('/runs/r7/plan');
    expect(status).toBe(200);
    expect(text).toContain('has no held plan.');
    expect(text).toContain('href="/runs/r7"');
    expect(text).not.toContain('/approve');
  });
});

describe('An undo', () => {
  const preview: UndoPreviewView = {
    run: 'r3',
    sync: 'talks',
    changes: [
      { op: 'restore', key: 'a', cmsId: 4, differences: [{ attribute: 'title', from: 'New', to: 'Old' }] },
      { op: 'delete', key: ATTACK, cmsId: 5, differences: [] },
    ],
    skipped: [{ key: 'z', code: 'FF_UNDO_EDITED', reason: 'The item was edited in the CMS.' }],
  };

  test('The preview lists what it would do and what it would leave alone', () => {
    const text = String(undoContent(preview, aContext()).body);
    expect(text).toMatch(/Restore<\/span>.*<del>New<\/del>.*<ins>Old<\/ins>/s);
    expect(text).toContain('The item was edited in the CMS.');
    expect(text).toContain('Undo 2 changes');
    expect(text).toContain('1 item would be left alone.');
    expect(text).toContain('action="/runs/r3/undo"');
    expect(text).not.toContain('<script');
  });

  test('Viewers see the preview only; nothing to undo has no button', () => {
    expect(String(undoContent(preview, aContext({ viewer: onlyViewer })).body)).not.toContain('<form');
    const text = String(undoContent({ ...preview, changes: [] }, aContext()).body);
    expect(text).toContain('There is nothing to undo.');
    expect(text).not.toContain('<form');
  });

  test('A long preview is cut, and says so', () => {
    const changes = Array.from({ length: 1203 }, (_, place) => ({
      op: 'delete' as const,
      key: `k${place}`,
      differences: [],
    }));
    const text = String(undoContent({ ...preview, changes }, aContext()).body);
    expect(text).toContain('Undo 1,203 changes');
    expect(text).toContain('and 1,003 more');
    expect(text).not.toContain('k200<');
  });
});
