import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../../src/core/record.ts';
import type { LaterChange, RunChange } from '../../../../src/ledger/attempts/run-changes.ts';
import type { RecordWithItem } from '../../../../src/ledger/records/claimed-record.ts';
import type { Sending } from '../../../../src/ledger/records/opening.ts';
import { keepPatch } from '../../../../src/sync/deliver/keep-call.ts';
import { addedByCms, rewrittenByCms, writableOf } from '../../../../src/sync/items/item-images.ts';
import { partsLike, valueAt } from '../../../../src/sync/items/values.ts';
import { obstacleTo, undoingOf } from '../../../../src/sync/undo/judge-change.ts';

type Item = { id: number; [attribute: string]: Payload[string] };

const updated: RunChange = {
  key: 'T1',
  effect: 'updated',
  content: {},
  attributes: ['title', 'image'],
  before: { title: 'Old', image: { src: '/a.png', alt: '' } },
  after: { title: 'New!' },
  cmsId: 7,
  since: [],
  record: {
    at: 'line 2',
    resource: 'events',
    cmsId: 7,
    delivered: { title: 'New', image: { src: '/b.png' }, room: 'A' },
    isUnconfirmed: false,
  },
};
const created: RunChange = { ...updated, effect: 'created', before: null, after: { title: 'New!', isFeatured: true } };
const removed: RunChange = {
  ...updated,
  effect: 'removed',
  attributes: [],
  after: null,
  record: { ...updated.record!, cmsId: null, delivered: null },
};
const live: Item = { id: 7, title: 'New!', image: { src: '/b.png', fileName: 'b.png' }, isPastEvent: true };

describe('Changes that revert a change', () => {
  const restored = { is: 'restore', body: { title: 'Old', image: { src: '/a.png' } } };
  const edited = (what: string) => ({
    is: 'skipped',
    code: 'FF_UNDO_EDITED',
    reason: `item 7 was edited in the CMS since: ${what}`,
  });
  const gone = { is: 'skipped', code: 'FF_UNDO_GONE' };

  test.each<[string, RunChange, Item | undefined, object]>([
    ['An update is reverted to the previous values', updated, live, restored],
    ['An attribute that was edited since an update is kept', updated, { ...live, title: 'Newest' }, edited('title')],
    [
      'A value that was sent, but that the CMS had changed, counts as an edit',
      updated,
      { ...live, title: 'New' },
      edited('title'),
    ],
    ['Other attributes do not prevent the undo of an update', updated, { ...live, room: 'B' }, restored],
    [
      'An update whose previous values are already back is restored all the same',
      updated,
      { ...live, ...updated.before },
      restored,
    ],
    ['An updated item that is missing is skipped', updated, undefined, gone],
    ['A created item is deleted', created, { ...live, isFeatured: true }, { is: 'delete' }],
    [
      'A changed default of the CMS counts as an edit of a created item',
      created,
      { ...live, isFeatured: false },
      edited('isFeatured'),
    ],
    [
      'An attribute that was never sent counts as an edit of a created item',
      created,
      { ...live, isFeatured: true, room: 'B' },
      edited('room'),
    ],
    [
      'An empty attribute that was never sent does not count as an edit',
      created,
      { ...live, isFeatured: true, room: '' },
      { is: 'delete' },
    ],
    ['A created item that is missing is skipped', created, undefined, gone],
    [
      'A deleted item is created again, with its files as the CMS names them',
      removed,
      undefined,
      { is: 'create', payload: restored.body },
    ],
  ])('%s', (_, change, item, undoing) => {
    expect(obstacleTo(change)).toBeUndefined();
    expect(undoingOf(change, item, 'events')).toMatchObject(undoing);
  });
});

describe('Reasons against an undo', () => {
  const later = (run: string, undoes: string | null = null, more: Partial<LaterChange> = {}): LaterChange => ({
    ...{ run, undoes, effect: 'updated', before: {}, replaced: null, cmsId: 7 },
    ...more,
  });
  const since = (...changes: LaterChange[]): RunChange => ({ ...updated, since: changes });
  const recordWith = (more: object): RunChange => ({ ...updated, record: { ...updated.record!, ...more } });

  test.each<[string, RunChange, string | undefined]>([
    ['A change without obstacles can be undone', updated, undefined],
    ['A later run prevents the undo', since(later('R2')), 'FF_UNDO_LATER'],
    ['A later run that was undone does not prevent the undo', since(later('R2'), later('U2', 'R2')), undefined],
    [
      'A later run whose undo was undone prevents the undo',
      since(later('R2'), later('U2', 'R2'), later('U3', 'U2')),
      'FF_UNDO_LATER',
    ],
    ['Its own undo prevents a second one', since(later('U1', 'R1')), 'FF_UNDO_LATER'],
    [
      'Its own undo does not prevent a second one if it was undone',
      since(later('U1', 'R1'), later('U2', 'U1')),
      undefined,
    ],
    [
      'A run after an undone one prevents the undo',
      since(later('R2'), later('U2', 'R2'), later('R3')),
      'FF_UNDO_LATER',
    ],
    ['An unconfirmed change cannot be undone', recordWith({ isUnconfirmed: true }), 'FF_UNDO_UNSETTLED'],
    ['A change of a record that now has another item cannot be undone', recordWith({ cmsId: 8 }), 'FF_UNDO_GONE'],
    ['A change of a record without an item cannot be undone', recordWith({ cmsId: null }), 'FF_UNDO_GONE'],
    ['A delete whose item exists again cannot be undone', { ...removed, record: updated.record! }, 'FF_UNDO_GONE'],
    ['A change without a stored image cannot be undone', { ...updated, before: null }, 'FF_UNDO_FORGOTTEN'],
    ['A create can be undone without a stored image', created, undefined],
    [
      'A change before an undone one without a stored image cannot be undone',
      since(later('R2', null, { before: null }), later('U2', 'R2')),
      'FF_UNDO_FORGOTTEN',
    ],
  ])('%s', (_, change, code) => {
    expect(obstacleTo(change)?.code).toBe(code);
  });

  test('The reason distinguishes a later change from an undo of this one', () => {
    expect(obstacleTo(since(later('R2')))?.reason).toBe('run R2 updated the item later');
    expect(obstacleTo(since(later('U1', 'R1')))?.reason).toBe('run U1 has undone this change already');
  });

  test('An edit before a later, undone run does not prevent the undo, but is noticed', () => {
    const replaced = { title: 'New' };
    const change = {
      ...since(later('R2', null, { before: { title: 'Edited' }, replaced }), later('U2', 'R2')),
      after: null,
    };
    expect(obstacleTo(change)).toBeUndefined();
    expect(undoingOf(change, { ...live, title: 'Edited' }, 'events')).toMatchObject({ code: 'FF_UNDO_EDITED' });
    expect(undoingOf(change, { ...live, title: 'New' }, 'events')).toMatchObject({ is: 'restore' });
  });
});

/** What a CMS makes of what is written: texts trimmed, an attribute and parts of its own. */
function written(item: Item, body: Payload): Item {
  const tidy = Object.entries(body).map(([attribute, value]) => {
    if (typeof value === 'string') return [attribute, value.trim()];
    const isObject = typeof value === 'object' && value !== null;
    return [
      attribute,
      isObject ? { ...value, ...(attribute === 'time' ? { isTba: false } : { fileName: 'x' }) } : value,
    ];
  });
  return { isFeatured: false, ...item, ...Object.fromEntries(tidy) };
}

/** A run's change of an item as delivery keeps it, and the item after it. */
function changed(before: Item | undefined, body: Payload): { change: RunChange; item: Item } {
  const item = written(before ?? { id: 7 }, body);
  const image =
    before &&
    Object.fromEntries(Object.keys(body).map((name) => [name, partsLike(valueAt(before, name), body[name] ?? null)]));
  const change: RunChange = {
    key: 'T1',
    effect: before ? 'updated' : 'created',
    content: {},
    attributes: Object.keys(body),
    before: image ?? null,
    after: before ? rewrittenByCms(body, item) : { ...addedByCms(body, item, 'events'), ...rewrittenByCms(body, item) },
    cmsId: 7,
    since: [],
    record: { at: '', resource: 'events', cmsId: 7, delivered: body, isUnconfirmed: false },
  };
  return { change, item };
}

const text = fc.constantFrom('Maps', 'Ships ', ' Tides', '', 'Line\r\nline');
const payloads: fc.Arbitrary<Payload> = fc.record(
  {
    title: fc.constantFrom('Maps', 'Ships', 'Tides '),
    description: fc.option(text),
    room: fc.option(fc.oneof(text, fc.integer({ min: 0, max: 3 }))),
    time: fc.record({ start: fc.constantFrom('18:00', '19:00:00'), end: fc.option(fc.constantFrom('20:00:00', '')) }),
    image: fc.option(fc.record({ src: fc.constantFrom('/a.png', '/b.png') })),
  },
  { requiredKeys: ['title'] },
) as fc.Arbitrary<Payload>;

describe('A PATCH is kept before it is sent', () => {
  const picture = { src: '/b.png', fileName: 'b.png' };

  /** Keeps the PATCH that removes the image of the live item. */
  async function keep(goal: RecordWithItem['goal'], earlier: Payload[]) {
    const kept: Sending[] = [];
    const ledger = { records: { sending: async (_: unknown, call: Sending) => kept.push(call) > 0 } };
    const open = earlier.map((before) => ({ method: 'PATCH', doubt: 'sent', body: { image: null }, before }));
    const item = { cmsId: 7, delivered: { image: { src: '/b.png' } }, attributesBeforeMark: null };
    const record = { key: 'T1', resource: 'events', goal, open, item } as unknown as RecordWithItem;
    const context = { ledger, keepsBefore: true } as unknown as Parameters<typeof keepPatch>[3];
    return { sent: await keepPatch(record, { image: null }, live, context), kept };
  }

  const call = { method: 'PATCH', body: { image: null } };

  test('with the previous value of each attribute, and of a mark with the value to restore', async () => {
    const { sent, kept } = await keep({ is: 'exactly', as: 'mark' }, [{ room: 'A' }]);
    expect(sent).toEqual({ method: 'PATCH', attributes: ['image'], before: { image: picture }, replaced: {} });
    const before = { title: 'New!', image: picture };
    expect(kept).toMatchObject([{ ...call, before, marked: { attributesBeforeMark: { image: { src: '/b.png' } } } }]);
  });

  test('with the value before the first of the earlier attempts that have no answer', async () => {
    const [first, second] = ['/first.png', '/second.png'].map((src) => ({ image: { src } }));
    const { sent, kept } = await keep({ is: 'have' }, [first!, second!]);
    expect(sent).toMatchObject({ before: first, replaced: { image: { src: '/b.png' } } });
    expect(kept).toEqual([{ ...call, before: { title: 'New!', ...first } }]);
  });
});

describe('Any item and any change', () => {
  test('An undo on an unedited site restores exactly the previous state', () => {
    fc.assert(
      fc.property(payloads, payloads, (existing, body) => {
        const before = written({ id: 7 }, existing);
        const { change, item } = changed(before, body);
        const undoing = undoingOf(change, item, 'events');
        expect(undoing.is).toBe('restore');
        const restored = undoing.is === 'restore' ? written(item, undoing.body) : item;
        expect(withoutEmpty(restored)).toEqual(withoutEmpty(before));
      }),
    );
  });

  test('A created item is deleted unless an editor has changed it', () => {
    fc.assert(
      fc.property(payloads, fc.constantFrom('title', 'description', 'room', 'seats'), (body, attribute) => {
        const { change, item } = changed(undefined, body);
        expect(undoingOf(change, item, 'events')).toEqual({ is: 'delete' });
        const edited = undoingOf(change, { ...item, [attribute]: 'An editor was here' }, 'events');
        expect(edited).toMatchObject({ code: 'FF_UNDO_EDITED', reason: expect.stringContaining(attribute) });
      }),
    );
  });

  test('A deleted item is created as it was', () => {
    fc.assert(
      fc.property(payloads, (existing) => {
        const before = written({ id: 7 }, existing);
        const change: RunChange = { ...removed, before: writableOf(before, 'events') };
        const undoing = undoingOf(change, undefined, 'events');
        const again = undoing.is === 'create' ? written({ id: 8 }, undoing.payload) : { id: 8 };
        expect({ ...withoutEmpty(again), id: 7 }).toEqual(withoutEmpty(before));
      }),
    );
  });
});

function withoutEmpty(item: Item): Payload {
  const { time, ...others } = item;
  const filled = (payload: Payload) =>
    Object.fromEntries(Object.entries(payload).filter(([, value]) => value !== null && value !== ''));
  return { ...filled(others), ...(time ? { time: filled(time as Payload) } : {}) };
}
