import type { Config, SyncConfig } from '../../config/types.ts';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { AttachmentSource, DesiredRecord } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { createAttachmentReader } from '../../feed/attachments.ts';
import { readSource } from '../../source/read-source.ts';
import { type Finding, ok, problemOf } from '../findings/finding.ts';

/** How long a feed is read, in ms; what was read until then is reported. */
export const READING_MS = 60_000;

/** The result of reading a feed, without any values of its records. */
interface Tally {
  read: number;
  desired: number;
  skipped: number;
  /** Rejections: how many of each kind, and the place of the first one. */
  rejected: Map<ErrorCode, { count: number; at: string }>;
  /** The first file that a record refers to. */
  attachment?: { attribute: string; source: AttachmentSource };
  /** Whether there was time to read the whole feed. */
  ended: boolean;
}

/** Reads and maps the feed of a sync, then fetches the first file that belongs to a record. */
export async function* checkFeed(config: Config, sync: SyncConfig, signal: AbortSignal): AsyncGenerator<Finding> {
  const check = `feed.${sync.name}`;
  if (sync.source.url === '-') {
    yield ok(check, `${sync.name} reads standard input, which is not checked.`);
    return;
  }
  let tally: Tally;
  let reading: SourceReading;
  try {
    reading = readSource(sync, config.target, { signal });
    tally = await count(reading);
  } catch (error) {
    yield problemOf(check, error, `${sync.name} cannot run. Its delivered items stay as they are.`);
    return;
  }
  yield recordsOf(sync, tally);
  yield* rejectionsOf(sync, tally);
  yield* completenessOf(sync, tally, reading);
  if (tally.attachment) yield await attachmentOf(sync, tally.attachment, signal);
}

async function count({ records }: SourceReading): Promise<Tally> {
  const tally: Tally = { read: 0, desired: 0, skipped: 0, rejected: new Map(), ended: false };
  const places = new Map<string, string | undefined>();
  const deadline = performance.now() + READING_MS;
  for await (const mapped of records) {
    tally.read += 1;
    if (mapped.is === 'skipped') tally.skipped += 1;
    else if (mapped.is === 'rejected') reject(tally, mapped.rejection);
    else {
      tally.desired += 1;
      rejectDoubled(tally, places, mapped.record);
      tally.attachment ??= mapped.record.attachments.find(({ source }) => source.is === 'location');
    }
    if (performance.now() > deadline) return tally;
  }
  return { ...tally, ended: true };
}

function reject({ rejected }: Tally, { code, at }: { code: ErrorCode; at: string }): void {
  const known = rejected.get(code) ?? { count: 0, at };
  rejected.set(code, { ...known, count: known.count + 1 });
}

/**
 * Rejects all records that share a key.
 * @param places of the keys found once; undefined if the first record of a key is rejected already
 */
function rejectDoubled(
  tally: Tally,
  places: Map<string, string | undefined>,
  { key, at }: Pick<DesiredRecord, 'key' | 'at'>,
): void {
  if (!places.has(key)) {
    places.set(key, at);
    return;
  }
  const first = places.get(key);
  for (const place of first === undefined ? [at] : [first, at]) {
    reject(tally, { code: 'FF_RECORD_DUPLICATE', at: place });
    tally.desired -= 1;
  }
  places.set(key, undefined);
}

function recordsOf({ name }: SyncConfig, { read, desired, skipped }: Tally): Finding {
  const check = `feed.${name}`;
  const message = `${name}: ${read} records read, ${desired} can be delivered, ${skipped} skipped.`;
  if (desired > 0) return ok(check, message);
  const follows = 'A run delivers nothing. If earlier runs delivered records, it is held.';
  const remedy = `Check the feed, \`when\` and \`window\`, and run \`feedferry preview ${name}\`.`;
  return { check, is: read > skipped ? 'problem' : 'warning', message, follows, remedy };
}

function* rejectionsOf({ name }: SyncConfig, { read, rejected }: Tally): Generator<Finding> {
  for (const [code, { count: times, at }] of rejected) {
    const { cause, remedy } = errorTable[code];
    yield {
      check: `feed.${name}.rejected`,
      is: 'warning',
      message: `${name}: ${times} of ${read} records rejected, the first at ${at}. ${cause}`,
      follows: 'The run is partial (exit code 3). The other records are delivered.',
      remedy: `${remedy} \`feedferry preview ${name}\` lists each with its reason.`,
      code,
    };
  }
}

function* completenessOf(
  { name }: SyncConfig,
  { ended }: Tally,
  { receipt, warnings }: SourceReading,
): Generator<Finding> {
  const { complete, reason } = receipt();
  if (!ended) {
    const message = `${name}: only part of the feed could be read within ${READING_MS / 1000} s.`;
    yield ok(`feed.${name}.part`, message, 'The rest was not checked.');
  } else if (!complete) {
    yield {
      check: `feed.${name}.incomplete`,
      is: 'warning',
      message: `${name}: the feed is incomplete: ${reason ?? 'the reason is unknown'}.`,
      follows: 'Its records are delivered, but none counts as missing.',
      remedy: 'Check the feed, and the network between it and this machine.',
    };
  }
  if (warnings.length > 0) {
    const message = `${name}: the feed has ${warnings.length} warnings. \`feedferry preview ${name}\` lists them.`;
    yield ok(`feed.${name}.remarks`, message);
  }
}

async function attachmentOf(
  { name, source, onAttachmentError }: SyncConfig,
  attachment: NonNullable<Tally['attachment']>,
  signal: AbortSignal,
): Promise<Finding> {
  const check = `feed.${name}.attachment`;
  const { allowPrivateNetwork = false } = source.feed;
  // A check remembers nothing.
  const forgetful = { find: async () => undefined, remember: async () => {} };
  try {
    const file = await createAttachmentReader(forgetful, { allowPrivateNetwork }).read(attachment.source, signal);
    const { mediaType, content } = file;
    await file[Symbol.asyncDispose]();
    const what = `${mediaType}, ${Math.ceil(content.size / 1000)} kB`;
    return ok(check, `${name}: the first ${attachment.attribute} can be read (${what}).`);
  } catch (error) {
    const follows = onAttachmentError === 'hold' ? 'Its record is held.' : 'Its record is published without the file.';
    return { ...problemOf(check, error, follows), is: 'warning' };
  }
}
