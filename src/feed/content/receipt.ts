import { createHash } from 'node:crypto';
import type { FeedReceipt } from '../../core/feed.ts';

/** One page or file of a source, as far as it was read. */
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
  /** Whether it was read to its end. */
  ended: boolean;
  /** Why it is not whole. */
  incompleteReason?: string;
}

/** The reading of one source, over all of its pages and files: what it adds up to is the receipt. */
export interface ReceiptRecorder {
  /** Bytes received and bytes unpacked, of all parts. */
  received: number;
  unpacked: number;
  begin(part: FeedPart): void;
  /** Counts bytes as they are received. */
  receive(part: FeedPart, chunk: Uint8Array): void;
  /** Says that nothing more is being read for now: the duration ends here. */
  end(): void;
  /** Says that something of the source could not be read; the first reason counts. */
  markIncomplete(reason: string): void;
  receipt(): FeedReceipt;
}

/**
 * Begins to read a source.
 * @param location as people may see it: without credentials.
 */
export function createReceiptRecorder(location: string): ReceiptRecorder {
  const startedAt = performance.now();
  const hash = createHash('sha256');
  const parts: FeedPart[] = [];
  let lost: string | undefined;
  let durationMs: number | undefined;

  const reading: ReceiptRecorder = {
    received: 0,
    unpacked: 0,
    begin: (part) => parts.push(part),
    receive(part, chunk) {
      part.bytes += chunk.length;
      reading.received += chunk.length;
      hash.update(chunk);
    },
    end() {
      durationMs = performance.now() - startedAt;
    },
    markIncomplete(reason) {
      lost ??= reason;
    },
    receipt,
  };
  return reading;

  function receipt(): FeedReceipt {
    const [first] = parts;
    const reason = lost ?? incompleteness(parts);
    return {
      location,
      bytes: reading.received,
      sha256: hash.copy().digest('hex'),
      durationMs: Math.round(durationMs ?? performance.now() - startedAt),
      complete: reason === undefined,
      ...(first?.status === undefined ? {} : { status: first.status }),
      ...(parts.length === 1 ? validatorsOf(first) : {}),
      ...(first?.charset === undefined ? {} : { charset: first.charset }),
      ...(first?.charsetConfidence === undefined ? {} : { charsetConfidence: first.charsetConfidence }),
      ...(reason === undefined ? {} : { reason }),
    };
  }
}

function incompleteness(parts: readonly FeedPart[]): string | undefined {
  const faulty = parts.find((part) => part.incompleteReason !== undefined) ?? parts.find((part) => !part.ended);
  if (faulty === undefined) return parts.length === 0 ? 'it was not read' : undefined;
  const reason = faulty.incompleteReason ?? 'it was not read to its end';
  return parts.length === 1 ? reason : `${faulty.location}: ${reason}`;
}

/** The validators of one page say nothing about the others. */
function validatorsOf(part: FeedPart | undefined): Pick<FeedReceipt, 'etag' | 'lastModified'> {
  return {
    ...(part?.etag === undefined ? {} : { etag: part.etag }),
    ...(part?.lastModified === undefined ? {} : { lastModified: part.lastModified }),
  };
}
