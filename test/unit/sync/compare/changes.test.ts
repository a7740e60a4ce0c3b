import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Payload } from '../../../../src/core/record.ts';
import { changedAttributes, createBody, type DeliveredState } from '../../../../src/sync/compare/changes.ts';
import { planRecord } from '../../../../src/sync/compare/decide.ts';

const delivered = (payload: Payload, fingerprints: Record<string, string> = {}): DeliveredState => ({
  payload,
  fingerprints,
  cmsId: 7,
  editorState: {},
  isUnconfirmed: false,
});

describe('The plan of a record that was delivered without a file', () => {
  const wanted = (image: string | null, title = 'A') => ({ payload: { title }, fingerprints: { image } });
  const lacking = (more: Partial<DeliveredState> = {}): DeliveredState => {
    const file = { code: 'FF_ATTACHMENT_UNREADABLE', reason: '404', file: 'f1', since: 0, tries: 1 } as const;
    return { ...delivered({ title: 'A' }), undeliveredFiles: { image: file }, ...more };
  };
  const waiting = lacking({ waitingFiles: { image: 'f1' } });
  const earlier = { payload: { title: 'A', image: { src: '/0.png' } }, fingerprints: { image: 'f0' } };

  test.each<[string, Parameters<typeof planRecord>, ReturnType<typeof planRecord>]>([
    ['is unchanged while the file waits', [wanted('f1'), waiting], { op: 'unchanged', changed: [] }],
    ['tries the file again', [wanted('f1'), lacking()], { op: 'update', changed: ['image'], retriesFiles: 'only' }],
    [
      'tries the file again with other changes',
      [wanted('f1', 'B'), lacking()],
      { op: 'update', changed: ['title', 'image'], retriesFiles: 'also' },
    ],
    ['sends other changes while the file waits', [wanted('f1', 'B'), waiting], { op: 'update', changed: ['title'] }],
    ['tries another file at once', [wanted('f2'), waiting], { op: 'update', changed: ['image'] }],
    [
      'notes that the source has withdrawn the file',
      [wanted(null), lacking()],
      { op: 'update', changed: [], retriesFiles: 'only' },
    ],
    [
      'notes that the source has the delivered file again',
      [wanted('f0'), lacking(earlier)],
      { op: 'update', changed: [], retriesFiles: 'only' },
    ],
    [
      'notes that editors own the attribute by now',
      [wanted('f1'), lacking(), { image: 'initial' }],
      { op: 'update', changed: [], retriesFiles: 'only' },
    ],
  ])('%s', (_, given, expected) => {
    expect(planRecord(...given)).toEqual(expected);
  });
});

describe('The plan of a record', () => {
  test('A record that the CMS does not have is created', () => {
    const desired = { payload: { title: 'A' }, fingerprints: { image: 'f1', brochure: null } };
    expect(planRecord(desired, undefined)).toEqual({ op: 'create', changed: ['title', 'image'] });
    expect(planRecord(desired, { ...delivered({}), cmsId: null }).op).toBe('create');
  });

  test('A record that equals its delivered state is unchanged', () => {
    const desired = { payload: { title: 'A', time: { start: '10:00:00', type: 'timed' } }, fingerprints: {} };
    expect(planRecord(desired, delivered({ time: { type: 'timed', start: '10:00:00' }, title: 'A' })).op).toBe(
      'unchanged',
    );
  });

  test('A file without a fingerprint, which an undo has set, is removed if the source has none', () => {
    const desired = { payload: { title: 'A' }, fingerprints: { image: null } };
    const restored = { title: 'A', image: { src: '/a.png' } };
    expect(planRecord(desired, delivered(restored))).toEqual({ op: 'update', changed: ['image'] });
    expect(planRecord(desired, delivered({ ...restored, image: null })).op).toBe('unchanged');
  });

  test('Of an item of which nothing is known, empty values and files are sent, too', () => {
    const desired = { payload: { title: 'A', url: null }, fingerprints: { image: null, brochure: 'g' } };
    const found = { ...delivered({}), payload: null };
    expect(planRecord(desired, found)).toEqual({ op: 'update', changed: ['title', 'url', 'image', 'brochure'] });
  });

  test('An update names exactly the attributes and files that differ', () => {
    const desired = { payload: { title: 'B', date: '2026-01-01' }, fingerprints: { image: 'f2', brochure: 'g' } };
    const before = delivered({ title: 'A', date: '2026-01-01' }, { image: 'f1', brochure: 'g' });
    expect(planRecord(desired, before)).toEqual({ op: 'update', changed: ['title', 'image'] });
  });

  test('An attribute that the source no longer has is left unchanged', () => {
    expect(planRecord({ payload: { title: 'A' }, fingerprints: {} }, delivered({ title: 'A', url: 'x' })).op).toBe(
      'unchanged',
    );
  });

  test('A file that cannot be read is left unchanged', () => {
    const desired = { payload: { title: 'A' }, fingerprints: {} };
    expect(planRecord(desired, delivered({ title: 'A' }, { image: 'f1' })).op).toBe('unchanged');
  });

  test('A delivered file that the source no longer has is removed if the source may change it', () => {
    const desired = { payload: { title: 'A' }, fingerprints: { image: null } };
    expect(planRecord(desired, delivered({ title: 'A' }, { image: 'f1' }))).toEqual({
      op: 'update',
      changed: ['image'],
    });
    expect(planRecord(desired, delivered({ title: 'A' })).op).toBe('unchanged');
    expect(planRecord(desired, delivered({ title: 'A' }, { image: 'f1' }), { image: 'initial' }).op).toBe('unchanged');
    const overruled = {
      ...delivered({ title: 'A' }, { image: 'f1' }),
      editorState: { image: { written: null, overruled: null } },
    };
    expect(planRecord(desired, overruled, { image: 'editor' }).op).toBe('unchanged');
    expect(planRecord({ ...desired, fingerprints: { image: 'f2' } }, overruled, { image: 'editor' }).op).toBe('update');
  });

  test('An explicit empty value clears only a delivered attribute', () => {
    expect(changedAttributes({ a: null, b: null }, { a: 'x' })).toEqual({ a: null });
    expect(changedAttributes({ a: '' }, { a: 'x' })).toEqual({ a: '' });
    expect(createBody({ a: null, b: '', c: 'x' })).toEqual({ b: '', c: 'x' });
  });

  test('The planned attributes always lead to the desired state, and then no change is left', () => {
    const value = fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.parse(JSON.stringify(json)));
    const payload = fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), value, { noNullPrototype: true });
    fc.assert(
      fc.property(payload, payload, (desired, before) => {
        const changed = changedAttributes(desired as Payload, before as Payload);
        const after = { ...before, ...changed } as Payload;
        expect(changedAttributes(desired as Payload, after)).toEqual({});
        for (const attribute of Object.keys(before)) {
          if (!(attribute in desired)) expect(after[attribute]).toEqual((before as Payload)[attribute]);
        }
      }),
    );
  });
});
