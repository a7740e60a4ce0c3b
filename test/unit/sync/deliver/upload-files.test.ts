import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { sha256 } from '../../../../src/core/hash.ts';
import type { ClaimedRecord, StagedAttachment } from '../../../../src/ledger/records/claimed-record.ts';
import { uploadFiles } from '../../../../src/sync/deliver/upload-files.ts';

type UploadContext = Parameters<typeof uploadFiles>[2];

const CONTENT = sha256('a picture');

/** Two deliveries of one process. The ledger answers the second one late: it does not know yet what the first one has uploaded. */
function twoDeliveries() {
  const seen = { downloads: 0, uploads: 0 };
  const uploads = new Map<string, string>();
  const first = Promise.withResolvers<void>();
  const uploading: UploadContext['uploading'] = new Map();
  const read = async () => {
    seen.downloads += 1;
    return { sha256: CONTENT, fingerprint: CONTENT, [Symbol.asyncDispose]: async () => {} };
  };
  const upload = async () => {
    seen.uploads += 1;
    // The other delivery has asked for the file by then.
    await turn();
    return { src: '/files/a.png' };
  };
  const contextOf = (isLate: boolean) => {
    const findUpload = async ({ sha256 }: { sha256: string }) => {
      const known = uploads.get(sha256);
      if (isLate) await first.promise;
      return known;
    };
    const addUpload = async ({ sha256 }: { sha256: string }, src: string) => void uploads.set(sha256, src);
    return {
      sync: { onAttachmentError: 'hold' },
      target: { maxAttempts: 3 },
      targetId: 'site',
      ledger: { files: { findUpload, addUpload } },
      cms: { upload },
      attachments: { read },
      uploading,
    } as unknown as UploadContext;
  };
  return { seen, deliver };

  /** @returns the number of uploads that each delivery counts */
  async function deliver(one: StagedAttachment, other: StagedAttachment): Promise<number[]> {
    const delivered = uploadFiles(record, { due: [one], waiting: [] }, contextOf(false));
    const late = uploadFiles(record, { due: [other], waiting: [] }, contextOf(true));
    first.resolve(delivered.then(() => {}));
    return (await Promise.all([delivered, late])).map((files) => files.uploads);
  }
}

const record = { key: 'a', attempts: 0 } as Partial<ClaimedRecord> as ClaimedRecord;

function pictureAt(location: string, fingerprint?: string): StagedAttachment {
  return { attribute: 'image', source: { is: 'location', location }, ...(fingerprint && { fingerprint }) };
}

test('A file that two records have is read and uploaded once, even if the ledger answers one of them late', async () => {
  const { seen, deliver } = twoDeliveries();
  const picture = pictureAt('/a.png', CONTENT);
  expect(await deliver(picture, picture)).toEqual([1, 0]);
  expect(seen).toEqual({ downloads: 1, uploads: 1 });
});

test('The content that two files have is uploaded once, too', async () => {
  const { seen, deliver } = twoDeliveries();
  expect(await deliver(pictureAt('/a.png'), pictureAt('/b.png'))).toEqual([1, 0]);
  expect(seen).toEqual({ downloads: 2, uploads: 1 });
});
