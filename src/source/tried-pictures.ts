import type { SyncConfig } from '../config/types.ts';
import { toCodedError } from '../core/errors.ts';
import type { DesiredRecord } from '../core/record.ts';
import { quantity } from '../core/text/describe-changes.ts';
import { attachmentLimits, createAttachmentReader } from '../feed/attachments.ts';

/** A sync, and records of its feed. */
interface Drafted {
  sync: SyncConfig;
  desired: readonly DesiredRecord[];
}

/** So many pictures are tried at most, each for so long, and up to this size. */
const MOST = 3;
const LONGEST_MS = 4000;
const MOST_BYTES = 10_000_000;

/** Tries a few pictures of a draft, each once: whether their servers answer, and with a picture. */
export function createPictureTrial() {
  const known = new Map<string, Promise<string | undefined>>();
  return { describe };

  /** Returns a warning if some of the first pictures cannot be published. */
  async function describe({ sync, desired }: Drafted, signal: AbortSignal): Promise<string[]> {
    const limits = { ...attachmentLimits(sync), maxBytes: MOST_BYTES, totalMs: LONGEST_MS };
    const reader = createAttachmentReader({ find: async () => undefined, remember: async () => undefined }, limits);
    const locations = desired.flatMap(({ attachments }) =>
      attachments.flatMap(({ source }) => (source.is === 'location' ? source.location : [])),
    );
    const tried = [...new Set(locations)].slice(0, MOST);
    const reasons = await Promise.all(tried.map((location) => once(location, () => whyNot(location))));
    signal.throwIfAborted();
    const failed = reasons.filter((reason) => reason !== undefined);
    if (failed.length === 0) return [];
    return [
      `${failed.length} of ${quantity(tried.length, 'picture')} that were tried cannot be published: ${failed[0]}`,
    ];

    async function whyNot(location: string): Promise<string | undefined> {
      try {
        const file = await reader.read({ is: 'location', location }, signal);
        await file[Symbol.asyncDispose]();
        return undefined;
      } catch (error) {
        const { message, remedy } = toCodedError(error);
        return `${message} ${remedy}`;
      }
    }
  }

  function once(location: string, attempt: () => Promise<string | undefined>): Promise<string | undefined> {
    const found = known.get(location) ?? attempt();
    known.set(location, found);
    return found;
  }
}
