import { expect, test } from 'vitest';
import { createCost } from '../../../../src/sync/plan/cost.ts';

function costOf(changes: ReadonlyArray<Parameters<ReturnType<typeof createCost>['add']>[0]>, lists?: number) {
  const cost = createCost();
  for (const change of changes) cost.add(change);
  return cost.total(lists);
}

const image = { attribute: 'image', source: { is: 'location', location: '/a.png' }, fingerprint: 'f' } as const;

test('A plan costs a write a change, an upload a file, and the reads before them', () => {
  expect(costOf([])).toEqual({ creates: 0, patches: 0, deletes: 0, uploads: 0, reads: 0 });
  const changes = [
    { op: 'create', changed: ['title', 'image'], attachments: [image] },
    { op: 'create', changed: ['title', 'image'], attachments: [image] },
    { op: 'create', changed: ['title', 'logo'], attachments: [{ ...image, attribute: 'logo' }] },
    { op: 'update', changed: ['title'], attachments: [image] },
    { op: 'update', changed: ['description'], attachments: [] },
  ] as const;
  const cost = { creates: 3, patches: 2, deletes: 0, uploads: 2 };
  expect(costOf(changes)).toEqual({ ...cost, reads: 3 });
  expect(costOf(changes, 1).reads).toBe(4);
  // The items of many are on few pages: two, and three items to compare them with.
  const many = Array.from({ length: 120 }, () => ({ op: 'update', changed: ['title'], attachments: [] }) as const);
  expect(costOf(many).reads).toBe(1 + 2 + 3);
  const missing = [
    { op: 'delete', changed: [], attachments: [] },
    { op: 'mark', changed: ['status'], attachments: [] },
  ] as const;
  expect(costOf(missing)).toEqual({ creates: 0, patches: 1, deletes: 1, uploads: 0, reads: 3 });
});
