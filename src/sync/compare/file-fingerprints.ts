import pLimit from 'p-limit';
import type { SyncConfig } from '../../config/types.ts';
import { type AttachmentReader, type FileState, parseFingerprint } from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import type { Attachment, AttachmentSource } from '../../core/record.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';

const FILES_AT_ONCE = 8;

/** The files of a record with their fingerprints, and what is to be said of them. */
export interface FingerprintedFiles {
  attachments: StagedAttachment[];
  warnings: string[];
}

/** Attribute → fingerprint of its file; null: it has none; left out: nobody can tell. */
export type Fingerprints = Record<string, string | null>;

/**
 * Finds out what files are now: each location once, however many records share it, and some at a time. For one run or
 * question only, since what it has found out it never asks again. A file that cannot be read has no fingerprint.
 */
export function createFingerprinting(reader: AttachmentReader, signal: AbortSignal) {
  const limit = pLimit(FILES_AT_ONCE);
  const asked = new Map<string, Promise<FileState>>();

  return async (attachments: readonly Attachment[]): Promise<FingerprintedFiles> => {
    const files = await Promise.all(attachments.map(fingerprint));
    return {
      attachments: files.map(({ attachment }) => attachment),
      warnings: files.flatMap(({ attachment: { attribute }, warning }) =>
        warning ? [`${attribute}: ${warning}`] : [],
      ),
    };
  };

  async function fingerprint(attachment: Attachment): Promise<{ attachment: StagedAttachment; warning?: string }> {
    try {
      const { fingerprint, warning } = await stateOf(attachment.source);
      return { attachment: { ...attachment, fingerprint }, warning };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { attachment, warning: error.message };
    }
  }

  function stateOf(source: AttachmentSource): Promise<FileState> {
    if (source.is === 'inline') return reader.fingerprint(source, signal);
    const state = asked.get(source.location) ?? limit(() => reader.fingerprint(source, signal));
    asked.set(source.location, state);
    return state;
  }
}

/**
 * What the files of a record should be, for comparison with what was delivered.
 * @param mapped attributes that take a file, where one that the source does not have counts as none
 */
export function fingerprintsOf(
  attachments: readonly StagedAttachment[],
  { attachments: mapped }: Pick<SyncConfig, 'attachments'>,
): Fingerprints {
  const given = new Set(attachments.map(({ attribute }) => attribute));
  const none = Object.keys(mapped).filter((attribute) => !given.has(attribute));
  const readable = attachments.flatMap(({ attribute, fingerprint }) => (fingerprint ? [[attribute, fingerprint]] : []));
  return Object.fromEntries([...none.map((attribute) => [attribute, null]), ...readable]);
}

/** The contents that files have, as far as they are known. */
export function contentsOf(attachments: readonly StagedAttachment[]): Array<{ attribute: string; sha256: string }> {
  return attachments.flatMap(({ attribute, fingerprint }) => {
    const known = fingerprint && parseFingerprint(fingerprint);
    return known && 'sha256' in known ? [{ attribute, sha256: known.sha256 }] : [];
  });
}
