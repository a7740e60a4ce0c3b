import { expect, test } from 'vitest';
import type { AttachmentReader, FileState } from '../../../../src/core/attachment.ts';
import { CodedError } from '../../../../src/core/errors.ts';
import { type AttachmentSource, UNKNOWN } from '../../../../src/core/record.ts';
import type { KnownRecord } from '../../../../src/ledger/records/known-record.ts';
import {
  createFingerprinting,
  fileIdOf,
  fingerprintsOf,
  withDelivered,
} from '../../../../src/sync/compare/file-fingerprints.ts';

const file = (attribute: string, location: string) => ({
  attribute,
  source: { is: 'location' as const, location },
});
const idle = new AbortController().signal;

function readerOf(answer: (source: AttachmentSource) => Promise<FileState>): AttachmentReader {
  const unread = () => Promise.reject(new Error('nothing is to be read'));
  return { fingerprint: answer, read: unread, facts: unread };
}

test('A shared location is checked once, with limited concurrency', async () => {
  const asked: string[] = [];
  let busy = 0;
  let busiest = 0;
  const reader = readerOf(async (source) => {
    busiest = Math.max(busiest, ++busy);
    await new Promise(setImmediate);
    busy--;
    const location = source.is === 'location' ? source.location : source.base64;
    asked.push(location);
    return { fingerprint: `of ${location}` };
  });
  const fingerprint = createFingerprinting(reader, idle);
  const records = Array.from({ length: 100 }, (_, index) => [file('image', `/${index % 50}`)]);
  const found = await Promise.all(records.map(fingerprint));
  expect(found[77]).toEqual({
    attachments: [{ ...file('image', '/27'), fingerprint: 'of /27' }],
    warnings: [],
    broken: [],
  });
  expect(asked).toHaveLength(50);
  expect(new Set(asked).size).toBe(50);
  expect(busiest).toBe(8);
});

test('An unreadable file has no fingerprint, an unreachable one keeps it, and both cause a warning', async () => {
  const reader = readerOf((source) => {
    if (source.is === 'location' && source.location === '/doubtful')
      return Promise.resolve({ fingerprint: 'as before', warning: 'no answer' });
    return Promise.reject(new CodedError('FF_ATTACHMENT_UNREADABLE', 'not there'));
  });
  const fingerprint = createFingerprinting(reader, idle);
  const files = [file('image', '/doubtful'), file('logo', '/gone')];
  const { attachments, warnings } = await fingerprint(files);
  expect(attachments).toEqual([{ ...files[0], fingerprint: 'as before' }, files[1]]);
  expect(warnings).toEqual(['image: no answer', 'logo: not there']);
  const mapped = { image: { field: 'a' }, logo: { field: 'b' }, brochure: { field: 'c' } };
  expect(fingerprintsOf(attachments, { attachments: mapped })).toEqual({ image: 'as before', brochure: null });
});

test('Any other error is thrown', async () => {
  const fingerprint = createFingerprinting(
    readerOf(() => Promise.reject(new Error('a bug'))),
    idle,
  );
  await expect(fingerprint([file('image', '/a')])).rejects.toThrow('a bug');
});

test('A file that cannot be read is the delivered one if that came from the same source, and otherwise one that the CMS lacks', () => {
  const known = { cmsId: 7, fingerprints: { image: 'f1' }, attachments: JSON.stringify([file('image', '/a')]) };
  const [same] = withDelivered([file('image', '/a')], known);
  expect(same).toEqual({ ...file('image', '/a'), fingerprint: 'f1' });
  const others: Array<Pick<KnownRecord, 'cmsId' | 'fingerprints' | 'attachments'>> = [
    { ...known, fingerprints: {} },
    { ...known, fingerprints: { image: UNKNOWN } },
    { ...known, attachments: '[]' },
  ];
  for (const before of others) {
    const files = withDelivered([file('image', '/a')], before);
    expect(files).toEqual([file('image', '/a')]);
    expect(fingerprintsOf(files, { attachments: { image: { field: 'a' } } }, before)).toEqual({
      image: fileIdOf(file('image', '/a')),
    });
  }
  expect(fileIdOf(file('image', '/a'))).not.toBe(fileIdOf(file('image', '/b')));
});
