import { createHash } from 'node:crypto';
import { incompleteReason } from '../../core/completeness.ts';
import type { FeedReceipt } from '../../core/feed.ts';
import type { Warning } from '../../core/record.ts';
import type { PartFacts } from '../../core/source-reading.ts';

/** The facts of one page or file of a feed, as far as it was read. */
export interface FeedPart extends PartFacts {
  etag?: string;
  lastModified?: string;
  age?: number;
  charset?: string;
  charsetConfidence?: number;
  /** Bytes as received. */
  bytes: number;
}

/** Text that is not valid in its charset, on all pages and files. */
export interface TextDamage {
  warnings: Array<Warning & { location: string }>;
  /** Whether the text may have marks for bytes that cannot be decoded. */
  hasMarks: boolean;
}

export type ReceiptRecorder = ReturnType<typeof createReceiptRecorder>;

/**
 * Records the reading of one feed, over all its pages and files.
 * @param location for people, without credentials
 */
export function createReceiptRecorder(location: string) {
  const startedAt = performance.now();
  const hash = createHash('sha256');
  const parts: FeedPart[] = [];
  /** Bytes of all parts. */
  const totals = { received: 0, unpacked: 0 };
  const damage: TextDamage = { warnings: [], hasMarks: false };
  let failure: string | undefined;
  let durationMs: number | undefined;

  return {
    totals,
    damage,
    begin(source: Omit<FeedPart, 'bytes' | 'ended'>): FeedPart {
      const { location, status, etag, lastModified, age, contentRange, isFramed } = source;
      const part = { location, status, etag, lastModified, age, contentRange, isFramed, bytes: 0, ended: false };
      parts.push(part);
      return part;
    },
    receive(part: FeedPart, chunk: Uint8Array): void {
      part.bytes += chunk.length;
      totals.received += chunk.length;
      hash.update(chunk);
    },
    /** Ends the duration, unless more is read later. */
    end(): void {
      durationMs = performance.now() - startedAt;
    },
    /** Records that a page or file could not be opened. Only the first reason is kept. */
    fail(reason: string): void {
      failure ??= reason;
    },
    /** How everything was transferred so far. */
    facts: () => ({ failure, parts }),
    receipt(): FeedReceipt {
      const [first] = parts;
      const reason = incompleteReason({ failure, parts });
      return {
        location,
        bytes: totals.received,
        sha256: hash.copy().digest('hex'),
        durationMs: Math.round(durationMs ?? performance.now() - startedAt),
        complete: reason === undefined,
        status: first?.status,
        // The validators of one page do not cover the others.
        etag: parts.length > 1 ? undefined : first?.etag,
        lastModified: parts.length > 1 ? undefined : first?.lastModified,
        age: first?.age,
        charset: first?.charset,
        charsetConfidence: first?.charsetConfidence,
        reason,
      };
    },
  };
}
