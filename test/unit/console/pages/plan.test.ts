import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { pageOfDocument } from '../../../../src/console/pages/as-html.ts';
import { runContent } from '../../../../src/console/pages/run.ts';
import { heldPlanDocument } from '../../../../src/documents/held-plan.ts';
import { purgeDocument } from '../../../../src/documents/purge.ts';
import { undoDocument } from '../../../../src/documents/undo.ts';
import type { HeldPlanView, PlannedItemView, UndoPreviewView } from '../../../../src/queries/views/run.ts';
import { aRun } from '../fake-console.ts';
import { ATTACK, aContext, bodyOf, onlyViewer, someCounts } from '../sample-views.ts';
import { servePages } from './serve-pages.ts';

const plan: HeldPlanView = {
  run: 'r7',
  sync: 'talks',
  resource: 'events',
  set: 'set-of-r7',
  heldAt: '2027-03-01T14:00:00.000Z',
  error: { code: 'FF_GUARD_DELETE', message: '40 of the 90 records are missing.', remedy: 'Review the plan.' },
  counts: someCounts({ read: 50, missing: 40 }),
  ops: { create: 0, createAgain: 0, update: 1, delete: 1, mark: 0 },
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
  const body = () => bodyOf(heldPlanDocument(plan, { items }));

  test('The page says why it is on hold, since when, and which items would change', () => {
    const text = body();
    expect(text).toContain('40 of the 90 records are missing.');
    expect(text).toContain('2027-03-01 09:00 EST');
    expect(text).toContain('<dt>Would do</dt><dd>Delete 1 event, change 1</dd>');
    expect(text).toContain('href="/syncs/talks/record?key=a+b"');
    expect(text).toContain('href="https://cms.example.edu/edit/12"');
    expect(text).toMatch(/<del>Old<\/del>.*<ins>New<\/ins>/s);
  });

  test('The page of a repair says what it overwrites, and not that the next run plans it again', () => {
    const error = { code: 'FF_REPAIR_HELD', message: 'The repair waits.', remedy: 'Review it.' };
    const text = bodyOf(heldPlanDocument({ ...plan, error }, { items }));
    expect(text).toContain('whatever the items have in them by then');
    expect(text).not.toContain('The next run plans again');
  });

  test('The page and the documentation say the same about what an approval covers', () => {
    const covers =
      'An approval covers exactly the changes for which the plan is on hold. If they change in the meantime, it is refused. ' +
      'The other changes of the plan are applied with them, as the last run found them.';
    expect(body()).toContain(covers);
    const page = readFileSync(join(import.meta.dirname, '../../../../docs/console.md'), 'utf8');
    expect(page.replaceAll(/\s+/g, ' ')).toContain(covers);
  });

  test('Items that would change in the same way are one change, with the items below it', () => {
    const free = (key: string, to = 'Gratis') => ({
      ...{ key, op: 'update' as const, title: `Event ${key}`, at: `line ${key}` },
      differences: [{ attribute: 'price', from: 'Free', to }],
    });
    const many = [...['1', '2', '3'].map((key) => free(key)), free('4', '5 €'), ...items];
    const text = bodyOf(heldPlanDocument(plan, { items: many }));
    expect(text).toMatch(/price: Free → Gratis <span class="count">3 items<\/span>/);
    expect(text.split('<ins>Gratis</ins>')).toHaveLength(2);
    expect(text).toMatch(/<li><a href="\/syncs\/talks\/record\?key=3">Event 3<\/a><\/li>/);
    expect(text).toContain('<details id="item-4">');
    expect(text).not.toContain('<details id="item-3">');
  });

  test('Codes and ids are only where people look for them', () => {
    const prose = body().replaceAll(/<details[\s\S]*?<\/details>|<[^>]*>/g, '');
    expect(prose).toContain('40 of the 90 records are missing.');
    expect(prose).not.toMatch(/FF_|r7|set-of/);
  });

  test('Texts of a feed are escaped, and only web addresses are links', () => {
    expect(body()).not.toContain('<script');
    expect(body()).toContain('&lt;script&gt;');
    expect(body()).not.toContain('javascript:');
  });

  test('The buttons say what they do, and send exactly this set with a reason; Enter in the field sends nothing', () => {
    const text = body();
    expect(text).toMatch(/<form method="post" action="\/runs\/r7\/approve">/);
    expect(text).toContain('name="set" value="set-of-r7"');
    expect(text).toContain('name="csrf" value="token-of-form"');
    expect(text).toMatch(/<textarea [^>]*name="reason"[^>]* required/);
    expect(text).not.toMatch(/<input(?! type="hidden")/);
    expect(text).toContain('<button formaction="/runs/r7/reject">Reject, change nothing</button>');
    expect(text).toContain('<button class="danger">Delete 1 event, change 1</button>');
  });

  test('Only a plan that deletes has a red button', () => {
    const text = bodyOf(heldPlanDocument({ ...plan, ops: { ...plan.ops, delete: 0 } }, { items }));
    expect(text).toContain('<button class="primary">Change 1 event</button>');
  });

  test('Viewers cannot decide', () => {
    const text = bodyOf(heldPlanDocument(plan, { items }), aContext({ viewer: onlyViewer }));
    expect(text).not.toContain('<form');
    expect(text).toContain('Only people who may approve');
  });

  test('A long plan says how many of its items are listed and leads to the others', () => {
    const text = bodyOf(
      heldPlanDocument({ ...plan, ops: { ...plan.ops, delete: 900 } }, { items, next: 'delete:c d' }),
    );
    expect(text).toContain('The first 2 of 901 items.');
    expect(text).toContain('href="/runs/r7/plan?items=delete%3Ac+d#items"');
  });

  test('Records that are missing have no place in the feed', () => {
    expect(body()).not.toContain('line 3');
    expect(body()).toContain('line 4');
  });

  test('A plan with the changes of a rejected one asks for nothing', () => {
    const { title, body: text } = pageOfDocument(
      heldPlanDocument({ ...plan, decision: { is: 'rejected', ...decision } }, { items }),
      aContext(),
    );
    expect(title).toBe('Plan of talks: rejected earlier');
    expect(String(text)).toContain('rejected earlier. As long as the feed has them, nothing of this sync is delivered');
    expect(String(text)).toMatch(/<details id="again"><summary>Decide again.*action="\/runs\/r7\/approve"/s);
    expect(String(text)).not.toContain('<script>');
  });

  const heldRun = aRun({ run: 'r7', status: 'held', finishedAt: plan.heldAt, error: plan.error });
  const decision = { by: ATTACK, via: 'cli', at: '2027-03-01T15:00:00.000Z', reason: 'the term is over' } as const;

  test.each([
    [{ is: 'approved', appliedBy: 'r8', ...decision } as const, 'Approved by', '/runs/r8'],
    [{ is: 'rejected', ...decision } as const, 'Rejected by', 'None of these changes was applied'],
    [undefined, 'a later run has replaced it', 'href="/syncs/talks"'],
  ])('The link of an alert still leads to the page after the decision: %j', async (decided, what, effect) => {
    const state = decided ? { decision: decided } : { isReplaced: true as const };
    const { get } = await servePages({ run: async () => ({ ...heldRun, ...state }) });
    const { status, text } = await get('/runs/r7/plan');
    expect(status).toBe(200);
    expect(text).toContain(what);
    expect(text).toContain(effect);
    if (decided) expect(text).toMatch(/2027-03-01 10:00 EST<.* on the command line.*the term is over/s);
    expect(text).toContain('It was on hold because: 40 of the 90 records are missing.');
    expect(text).toContain('href="/runs/r7"');
    expect(text).not.toMatch(/\/approve|<script>/);
  });

  test('A run that is held without a plan to decide says what to do, and not that its plan was replaced', async () => {
    const { get } = await servePages({ run: async () => heldRun });
    const { text } = await get('/runs/r7/plan');
    expect(text).toContain('This run has no plan that waits for a decision.');
    expect(text).toMatch(/40 of the 90 records are missing\..*Review the plan\./s);
    expect(text).not.toContain('replaced');
  });

  test('The run of a replaced plan says so, and asks for nothing', () => {
    const lists = { changes: { changes: [] }, failures: { failures: [] } };
    const shown = (isReplaced?: true) =>
      String(runContent({ detail: { ...heldRun, isReplaced }, ...lists }, aContext()).body);
    expect(shown(true)).toMatch(/a later run has replaced it.*It was on hold because: 40 of the 90/s);
    expect(shown(true)).not.toContain('Review the plan');
    expect(shown()).toContain('Review the plan');
  });

  test.each([
    [{ is: 'rejected', ...decision } as const, undefined, /Rejected by/, /plan"|Review the plan/],
    [
      { is: 'rejected', ...decision } as const,
      'r9',
      /Rejected by.*href="\/runs\/r9\/plan">Decide again/s,
      /Review the plan/,
    ],
    [undefined, 'r7', /Review the plan/, /Decide again/],
  ])('The run shows the decision %j first', (decided, heldPlan, shown, hidden) => {
    const detail = { ...heldRun, decision: decided, heldPlan, counts: someCounts({ read: 2, failed: 2 }) };
    const text = String(runContent({ detail, changes: { changes: [] }, failures: { failures: [] } }, aContext()).body);
    expect(text).toMatch(shown);
    expect(text).not.toMatch(hidden);
    expect(text.includes('Retry undelivered')).toBe(decided === undefined);
  });
});

describe('An undo', () => {
  const preview: UndoPreviewView = {
    run: 'r3',
    sync: 'talks',
    resource: 'events',
    changes: [
      { op: 'restore', key: 'a', cmsId: 4, differences: [{ attribute: 'title', from: 'New', to: 'Old' }] },
      { op: 'delete', key: ATTACK, cmsId: 5, differences: [] },
    ],
    skipped: [{ key: 'z', code: 'FF_UNDO_EDITED', reason: 'The item was edited in the CMS.' }],
  };

  test('The preview lists what it would do and what it would leave alone', () => {
    const text = bodyOf(undoDocument(preview));
    expect(text).toMatch(/Restore<\/span>.*<del>New<\/del>.*<ins>Old<\/ins>/s);
    expect(text).toContain('The item was edited in the CMS.');
    expect(text).toContain('<button class="danger">Delete 1 event, restore 1</button>');
    expect(text).toContain('<textarea id="reason"');
    expect(text).toContain('1 item would be left alone.');
    expect(text).toContain('action="/runs/r3/undo"');
    expect(text).not.toContain('<script');
  });

  test('Viewers see the preview only; nothing to undo has no button', () => {
    expect(bodyOf(undoDocument(preview), aContext({ viewer: onlyViewer }))).not.toContain('<form');
    const text = bodyOf(undoDocument({ ...preview, changes: [] }));
    expect(text).toContain('There is nothing to undo.');
    expect(text).not.toContain('<form');
  });

  test('Records have names; an item that comes back has a new id and a new address', () => {
    const again = { op: 'create' as const, key: 'g', title: 'Jazz Night, 2027-03-05', differences: [] };
    const text = bodyOf(undoDocument({ ...preview, changes: [again] }));
    expect(text).toContain('href="/syncs/talks/record?key=g">Jazz Night, 2027-03-05</a>');
    expect(text).toContain('a new id and a new address');
  });

  test('It is said that the next run delivers again, and that accounts lose their passwords', () => {
    const again = { op: 'create' as const, key: 'g', title: 'Ann', differences: [] };
    const text = bodyOf(undoDocument({ ...preview, resource: 'accounts', changes: [again] }));
    expect(text).toMatch(
      /next run of talks delivers the changes again.*name="pause" value="1" checked> and pause talks/s,
    );
    expect(text).toContain('without its former password');
    expect(bodyOf(undoDocument({ ...preview, changes: [again] }))).not.toContain('password');
  });

  test('If a later run is why there is nothing to undo, the page names it and links it', () => {
    const later = { key: 'z', code: 'FF_UNDO_LATER', reason: 'run r9 updated the item later', run: 'r9' };
    const laterRuns = [{ run: 'r9', kind: 'undo', startedAt: '2027-03-01T14:00:00.000Z' }] as const;
    const view = { ...preview, changes: [], skipped: [later], laterRuns: [...laterRuns] };
    const text = bodyOf(undoDocument(view));
    expect(text).toMatch(/There is nothing to undo: <a href="\/runs\/r9">the undo of .*2027-03-01 09:00 EST/);
    const mixed = bodyOf(undoDocument({ ...view, skipped: [later, ...preview.skipped] }));
    expect(mixed).toContain('There is nothing to undo.');
    expect(mixed).toMatch(/Undone already by <a href="\/runs\/r9">/);
    const changed = { ...view, laterRuns: [{ ...laterRuns[0], kind: 'run' as const }] };
    const text9 = bodyOf(undoDocument(changed));
    expect(text9).toMatch(/Changed later by <a href="\/runs\/r9">the run of/);
    expect(text9).not.toContain('updated the item later');
  });

  test('A long preview is cut, and says so', () => {
    const changes = Array.from({ length: 1203 }, (_, place) => ({
      op: 'delete' as const,
      key: `k${place}`,
      differences: [],
    }));
    const text = bodyOf(undoDocument({ ...preview, changes }));
    expect(text).toContain('Delete 1,203 events');
    expect(text).toContain('and 1,003 more');
    expect(text).not.toContain('k200<');
  });
});

describe('Deleting the items of a sync', () => {
  const preview = {
    ...{ sync: 'talks', resource: 'events' as const, deletes: 23, adopted: 1, next: 'b' },
    items: [{ key: 'a', title: ATTACK, cmsId: 12 }],
  };

  test('shows how many and which, and asks for a reason and the name', async () => {
    const { get, url, done } = await servePages({ purgePreview: async () => preview });
    const { text } = await get('/syncs/talks/purge');
    expect(text).toContain('>Delete 23 events</button>');
    expect(text).toContain('1 item would stay in the CMS');
    expect(text).toContain('href="/syncs/talks/purge?after=b"');
    expect(text).not.toContain(ATTACK);
    const csrf = /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const send = async (fields: Record<string, string>) => {
      const body = new URLSearchParams({ csrf, ...fields });
      return (await fetch(`${url}/syncs/talks/purge`, { method: 'POST', body, redirect: 'manual' })).status;
    };
    expect([await send({ confirm: 'talks' }), await send({ confirm: 'walks', reason: 'retired' })]).toEqual([400, 400]);
    expect(done).toEqual([]);
    expect(await send({ confirm: 'talks', reason: 'retired' })).toBe(303);
    expect(done).toEqual([
      ['purge', { sync: 'talks', reason: 'retired' }, expect.objectContaining({ via: 'console' })],
    ]);
  });

  test('is offered neither to those who may not, nor if there are none', () => {
    expect(bodyOf(purgeDocument(preview), aContext({ viewer: onlyViewer }))).not.toContain('<button');
    const none = pageOfDocument(
      purgeDocument({ ...preview, deletes: 0, adopted: 0, items: [], next: undefined }),
      aContext(),
    );
    expect(String(none.body)).not.toContain('<button');
  });
});
