import { describe, expect, test } from 'vitest';
import type { CmsItem } from '../../../../src/cms/client.ts';
import { type Payload, UNKNOWN } from '../../../../src/core/record.ts';
import type { VerifiedRecord } from '../../../../src/ledger/verifications/verified-records.ts';
import {
  type ComparedSync,
  type Drift,
  differencesIn,
  undeliveredDrift,
} from '../../../../src/sync/verify/compare-item.ts';

const sync: ComparedSync['sync'] = {
  attachments: { image: { field: 'image' } },
  authority: { teaser: 'editor', first: 'initial' },
};
const context = { sync, target: { externalId: 'source_key' } };

function record(delivered: Payload, more: Partial<VerifiedRecord> = {}): VerifiedRecord {
  const known = { payload: delivered, fingerprints: {}, cmsId: 7, editorState: {}, isUnconfirmed: false };
  return {
    ...{ sync: 'talks', key: 'T1', cmsId: 7, action: null, desired: delivered, attachments: [], known, madeByCms: {} },
    ...{
      place: 'line 2',
      isAdopted: false,
      settledAt: 0,
      lacksFiles: false,
      isUndelivered: false,
      isHeld: false,
      isUnderWay: false,
    },
    ...more,
  };
}

const found = (of: VerifiedRecord, item: Payload, compared = context) =>
  differencesIn(of, { id: 7, ...item } as CmsItem, compared).map(
    ({ cause, attributes }: Drift) => `${cause} ${attributes.join(' ')}`,
  );

describe('An item is as it was delivered', () => {
  test.each<[string, Payload, Payload]>([
    ['if it has what was sent, and more', { title: 'Maps' }, { title: 'Maps', url: '/events/7', notes: 'x' }],
    ['if parts that only it has differ', { time: { start: '18:00' } }, { time: { start: '18:00:00', isTba: false } }],
    ['if an empty value is shown as null', { description: '' }, { description: null }],
    ['if an empty value is left out', { description: '' }, {}],
    ['if a flag without a value is shown as false', { isFeatured: null }, { isFeatured: false }],
    ['if an attribute of editors differs', { teaser: 'a', first: 'a' }, { teaser: 'b', first: 'b' }],
    ['if it shows a password', { password: 'x' }, { password: '***' }],
    ['if it is unknown what the last change left', { title: UNKNOWN }, { title: 'b' }],
  ])('%s', (_, delivered, item) => {
    expect(found(record(delivered), item)).toEqual([]);
  });

  test('if it has what the CMS made of it', () => {
    const of = record({ title: 'A & B' }, { madeByCms: { title: 'A &amp; B' } });
    expect(found(of, { title: 'A &amp; B' })).toEqual([]);
    expect(found(of, { title: 'A & B' })).toEqual([]);
    expect(found(of, { title: 'A' })).toEqual(['edited title']);
  });

  test('if what differs is no longer desired, or no longer in the map', () => {
    const of = record({ title: 'a', date: '2027-03-01', text: 'a' }, { desired: { title: 'a', date: '2027-03-01' } });
    expect(found(of, { title: 'a', date: '2027-03-01', text: 'b' })).toEqual([]);
    const mapped = { ...context, mapped: new Set(['title']) };
    expect(found(record({ title: 'a', text: 'a' }), { title: 'b', text: 'b' }, mapped)).toEqual(['edited title']);
    expect(found(of, { title: 'a', date: '2027-04-01' }, mapped)).toEqual(['edited date']);
  });
});

describe('Differences', () => {
  test('An attribute that was emptied, filled or set by an editor', () => {
    expect(found(record({ title: 'a', text: '' }), { title: null, text: 'b' })).toEqual(['edited title text']);
    expect(found(record({ source_key: 'talks:T1' }), { source_key: '' })).toEqual(['edited source_key']);
  });

  test('A missing file, another file, and one that could not be read when the record was delivered', () => {
    const delivered = { title: 'a', image: { src: '/a.png' } };
    expect(found(record(delivered), { title: 'b', image: null })).toEqual(['edited title', 'fileMissing image']);
    expect(found(record(delivered), { title: 'a', image: { src: '/b.png', alt: '' } })).toEqual(['edited image']);
    const source = { is: 'location' as const, location: '/gone.png' };
    const unread = { lacksFiles: true, attachments: [{ attribute: 'image', source }] };
    expect(found(record({ title: 'a' }, unread), { title: 'a' })).toEqual(['fileMissing image']);
    expect(found(record({ title: 'a' }, { ...unread, lacksFiles: false }), { title: 'a' })).toEqual([]);
  });

  test('Of a marked record all that was delivered counts', () => {
    const of = record({ title: 'a', isCancelled: true }, { action: 'mark', desired: { isCancelled: true } });
    expect(found(of, { title: 'b', isCancelled: false })).toEqual(['edited title isCancelled']);
  });

  test('What is undelivered is named', () => {
    const error = { code: 'FF_CMS_UNPROCESSABLE', reason: 'no' } as const;
    const changed = record({ title: 'a', text: 'a' }, { desired: { title: 'b', text: 'a' }, error });
    expect(undeliveredDrift(changed, context)).toEqual({
      ...{ key: 'T1', cmsId: 7, cause: 'undelivered', attributes: ['title'], error },
    });
    expect(undeliveredDrift(record({ title: 'a' }, { action: 'delete' }), context)).toMatchObject({ attributes: [] });
  });
});
