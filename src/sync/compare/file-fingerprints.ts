import { isDeepStrictEqual } from 'node:util';
import pLimit from 'p-limit';
import type { SyncConfig, SyncRules, TargetConfig } from '../../config/types.ts';
import {
  type AttachmentReader,
  type FileState,
  parseFingerprint,
  withAltText,
  withoutAltText,
} from '../../core/attachment.ts';
import { CodedError } from '../../core/errors.ts';
import { hashJson } from '../../core/hash.ts';
import { type Attachment, type AttachmentSource, UNKNOWN } from '../../core/record.ts';
import type { StagedAttachment } from '../../ledger/records/claimed-record.ts';
import type { KnownRecord } from '../../ledger/records/known-record.ts';
import { type BrokenRule, judgePicture } from '../../mapping/judge-rules.ts';

const FILES_AT_ONCE = 8;

/** Attribute → fingerprint of its file; null: the record has no file there; absent: unknown. */
export type Fingerprints = Record<string, string | null>;

interface Fingerprinted {
  attachment: StagedAttachment;
  warning?: string | undefined;
  broken: BrokenRule[];
}

/**
 * Creates a function that adds fingerprints to attachments, and returns which rules about pictures they break, as far as it is known. Each location is read once, however many records share it, and the
 * result is remembered: use the function for one run only. A file that cannot be read gets a warning instead of a fingerprint.
 */
export function createFingerprinting(
  reader: AttachmentReader,
  signal: AbortSignal,
  { rules = {}, altText }: { rules?: SyncRules | undefined; altText?: TargetConfig['altText'] } = {},
) {
  const limit = pLimit(FILES_AT_ONCE);
  const states = new Map<string, Promise<FileState>>();

  return async (attachments: readonly Attachment[]) => {
    const files = await Promise.all(attachments.map(fingerprint));
    return {
      attachments: files.map(({ attachment }) => attachment),
      warnings: files.flatMap(({ attachment, warning }) => (warning ? [`${attachment.attribute}: ${warning}`] : [])),
      broken: files.flatMap(({ broken }) => broken),
    };
  };

  async function fingerprint({ alt, ...file }: Attachment): Promise<Fingerprinted> {
    const attachment = alt === undefined || altText === 'none' ? file : { ...file, alt };
    try {
      const { fingerprint, warning } = await stateOf(attachment.source);
      const broken = rules[attachment.attribute]?.some(({ image }) => image) ? await judge(attachment) : [];
      return { attachment: { ...attachment, fingerprint }, warning, broken };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { attachment, warning: error.message, broken: [] };
    }
  }

  /** Judges a picture. One that cannot be read is reported by its delivery. */
  async function judge(attachment: Attachment): Promise<BrokenRule[]> {
    try {
      const facts = await limit(() => reader.facts(attachment.source, signal));
      return judgePicture(attachment, facts, rules);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return [];
    }
  }

  function stateOf(source: AttachmentSource): Promise<FileState> {
    if (source.is === 'inline') return reader.fingerprint(source, signal);
    const state = states.get(source.location) ?? limit(() => reader.fingerprint(source, signal));
    states.set(source.location, state);
    return state;
  }
}

/**
 * Which file a record wants, with which alternative text: its fingerprint, or the hash of its source if it could not be read, which was
 * never delivered.
 */
export function fileIdOf({ fingerprint, source, alt }: StagedAttachment): string {
  return withAltText(fingerprint ?? `unread:${hashJson(source)}`, alt);
}

/**
 * Gives a file that cannot be read now the fingerprint of the delivered file if that one came from the same source: whether the
 * file has changed is unknown, so the CMS keeps the one that it has.
 */
export function withDelivered(
  attachments: readonly StagedAttachment[],
  known: Pick<KnownRecord, 'fingerprints' | 'undeliveredFiles' | 'attachments'> | undefined,
): StagedAttachment[] {
  return attachments.map((file) => {
    const delivered = known?.fingerprints[file.attribute];
    if (file.fingerprint || !delivered || delivered === UNKNOWN || known.undeliveredFiles?.[file.attribute])
      return file;
    const before = JSON.parse(known.attachments ?? '[]') as StagedAttachment[];
    const isSame = before.some(({ source }) => isDeepStrictEqual(source, file.source));
    return isSame ? { ...file, fingerprint: withoutAltText(delivered) } : file;
  });
}

/**
 * The fingerprints that the files of a record should have.
 * @param mapped the sync's file attributes: an attribute without a file in the source should have none in the CMS either
 * @param known what the CMS is known to have; absent, or no item: files that cannot be read get no fingerprints
 */
export function fingerprintsOf(
  attachments: readonly StagedAttachment[],
  { attachments: mapped }: Pick<SyncConfig, 'attachments'>,
  known?: Pick<KnownRecord, 'cmsId'>,
): Fingerprints {
  const given = new Set(attachments.map(({ attribute }) => attribute));
  const none = Object.keys(mapped).filter((attribute) => !given.has(attribute));
  const files = attachments.filter(({ fingerprint }) => fingerprint || known?.cmsId);
  return Object.fromEntries([
    ...none.map((attribute) => [attribute, null]),
    ...files.map((file) => [file.attribute, fileIdOf(file)]),
  ]);
}

/** The contents of files, as far as they are known. */
export function contentsOf(attachments: readonly StagedAttachment[]): Array<{ attribute: string; sha256: string }> {
  return attachments.flatMap(({ attribute, fingerprint }) => {
    const known = fingerprint && parseFingerprint(fingerprint);
    return known && 'sha256' in known ? [{ attribute, sha256: known.sha256 }] : [];
  });
}
