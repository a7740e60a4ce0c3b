import type { Config, SyncConfig } from '../../config/types.ts';
import { CodedError, toCodedError } from '../../core/errors.ts';
import { toText } from '../../core/record.ts';
import { readSource } from '../../source/read-source.ts';
import { redactionOf } from '../../sync/plan/redact.ts';
import type { UnmappedView } from '../views/sync.ts';

/** Number of records that are read: later records rarely have new fields. */
const MOST_READ = 10_000;
const LONGEST_MS = 20_000;
const LONGEST_EXAMPLE = 160;

/** Reads the feed of a sync and returns the fields that have values but are not used. */
export async function unmappedFields(sync: SyncConfig, { target }: Config, signal: AbortSignal): Promise<UnmappedView> {
  try {
    const unmapped = await readUnmapped(sync, target, AbortSignal.any([signal, AbortSignal.timeout(LONGEST_MS)]));
    const { fields: redact } = redactionOf(sync);
    const fields = [...unmapped].map(([field, value]) => {
      return { field, example: shorten(toText(redact({ [field]: value })[field])) };
    });
    return { fields };
  } catch (error) {
    signal.throwIfAborted();
    const { code, message } = toCodedError(error);
    return { fields: [], error: { code, message } };
  }
}

async function readUnmapped(sync: SyncConfig, target: Config['target'], signal: AbortSignal) {
  const unmapped = new Map<string, unknown>();
  for (const one of sync.sources?.map((source) => source.sync) ?? [sync]) {
    for (const [field, value] of await readUnmappedOf(one, target, signal)) unmapped.set(field, value);
  }
  return unmapped;
}

async function readUnmappedOf(sync: SyncConfig, target: Config['target'], signal: AbortSignal) {
  if (sync.source.url === '-') {
    throw new CodedError('FF_FEED_UNREADABLE', 'The sync reads standard input, which only a command has.');
  }
  const reading = readSource(sync, target, { signal, fieldsOnly: true });
  let left = MOST_READ;
  for await (const _ of reading.unmappedRecords) {
    left -= 1;
    if (left === 0) break;
  }
  return reading.unmapped;
}

function shorten(text: string): string {
  return text.length > LONGEST_EXAMPLE ? `${text.slice(0, LONGEST_EXAMPLE - 1)}…` : text;
}
