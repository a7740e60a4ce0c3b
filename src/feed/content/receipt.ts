import { createHash } from 'node:crypto';
import type { FeedReceipt } from '../../core/feed.ts';

/** One page or file of a feed, as far as it was read. */
export interface FeedPart {
  /** For messages. */
  location: string;
  status?: number;
  etag?: string;
  lastModified?: string;
  charset?: string;
  charsetConfidence?: number;
  /** Bytes as received. */
  bytes: number;
  /** Whether it was read to the end. */
  ended: boolean;
  incompleteReason?: string;
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
  let incompleteReason: string | undefined;
  let durationMs: number | undefined;

  return {
    totals,
    begin({ location, status, etag, lastModified }: Omit<FeedPart, 'bytes' | 'ended'>): FeedPart {
      const part: FeedPart = { location, status, etag, lastModified, bytes: 0, ended: false };
      // 206 and the like: a response that declares itself a part.
      if (status !== undefined && status !== 200) part.incompleteReason = `status ${status} instead of 200`;
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
    /** Marks the whole feed as incomplete. The first reason is kept. */
    markIncomplete(reason: string): void {
      incompleteReason ??= reason;
    },
    receipt(): FeedReceipt {
      const [first] = parts;
      const reason = incompleteReason ?? reasonOf(parts);
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
        charset: first?.charset,
        charsetConfidence: first?.charsetConfidence,
        reason,
      };
    },
  };
}

function reasonOf(parts: readonly FeedPart[]): string | undefined {
  if (parts.length === 0) return 'it was not read';
  const incomplete = parts.find((part) => part.incompleteReason !== undefined) ?? parts.find((part) => !part.ended);
  if (incomplete === undefined) return undefined;
  const reason = incomplete.incompleteReason ?? 'it was not read to the end';
  return parts.length === 1 ? reason : `${incomplete.location}: ${reason}`;
}
