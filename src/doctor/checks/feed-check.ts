import type { Config, SyncConfig } from '../../config/types.ts';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { AttachmentSource, DesiredRecord } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { createAttachmentReader } from '../../feed/attachments.ts';
import { readSource } from '../../source/read-source.ts';
import { type Finding, problemOf } from '../findings/finding.ts';

/** How long a feed is read, in ms; what was read until then is told. */
export const READING_MS = 60_000;

/** What a reading of a feed came to. Of its records, only what has no value in it. */
interface Tally {
  read: number;
  desired: number;
  skipped: number;
  /** Rejections: how many of each kind, and where the first of them stands. */
  rejected: Map<ErrorCode, { count: number; at: string }>;
  /** The first file that a record has elsewhere. */
  attachment?: { attribute: string; source: AttachmentSource };
  /** Whether there was time to read all of it. */
  ended: boolean;
}

/** Reads the feed of a sync and maps it; then fetches the first file that belongs to a record. */
export async function* checkFeed(config: Config, sync: SyncConfig, signal: AbortSignal): AsyncGenerator<Finding> {
  const check = `feed.${sync.name}`;
  if (sync.source.url === '-') {
    yield { check, is: 'ok', message: `${sync.name} reads standard input; not looked at.` };
    return;
  }
  let tally: Tally;
  let reading: SourceReading;
  try {
    reading = readSource(sync, config.target, { signal });
    tally = await count(reading);
  } catch (error) {
    yield problemOf(check, error, `${sync.name} cannot run; what it has delivered stays as it is.`);
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
 * Records that share a key are rejected, all of them.
 * @param places of the keys that came once; undefined where the first record of a key is rejected already
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
  const message = `${name}: ${read} records read, ${desired} can be delivered, ${skipped} are skipped.`;
  if (desired > 0) return { check, is: 'ok', message };
  const follows = 'A run delivers nothing. Where earlier ones have delivered records, it is held.';
  const remedy = `Look at \`feedferry preview ${name}\`, and at the feed, \`when\` and \`window\`.`;
  return { check, is: read > skipped ? 'problem' : 'warning', message, follows, remedy };
}

function* rejectionsOf({ name }: SyncConfig, { rejected }: Tally): Generator<Finding> {
  for (const [code, { count: times, at }] of rejected) {
    const { cause, remedy } = errorTable[code];
    yield {
      check: `feed.${name}.rejected`,
      is: 'warning',
      message: `${name}: ${times} rejected, the first at ${at}. ${cause}`,
      follows: 'The run is partial (exit code 3): the other records are delivered.',
      remedy: `${remedy} \`feedferry preview ${name}\` tells each with its reason.`,
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
    const message = `${name}: there was time for a part of the feed only (${READING_MS / 1000} s).`;
    yield { check: `feed.${name}.part`, is: 'ok', message, follows: 'Of the rest, nothing is known.' };
  } else if (!complete) {
    yield {
      check: `feed.${name}.incomplete`,
      is: 'warning',
      message: `${name}: the feed is incomplete: ${reason ?? 'nobody knows why'}.`,
      follows: 'It is used as far as it goes, but proves no record missing.',
      remedy: 'Check the feed, and what stands between it and this machine.',
    };
  }
  if (warnings.length > 0) {
    const message = `${name}: there are remarks on the feed (${warnings.length}); \`feedferry preview ${name}\` tells them.`;
    yield { check: `feed.${name}.remarks`, is: 'ok', message };
  }
}

async function attachmentOf(
  { name, source, onAttachmentError }: SyncConfig,
  attachment: NonNullable<Tally['attachment']>,
  signal: AbortSignal,
): Promise<Finding> {
  const check = `feed.${name}.attachment`;
  const { allowPrivateNetwork = false } = source.feed;
  // Nothing is remembered of what is only looked at.
  const forgetful = { find: async () => undefined, remember: async () => {} };
  try {
    const file = await createAttachmentReader(forgetful, { allowPrivateNetwork }).read(attachment.source, signal);
    const { mediaType, content } = file;
    await file[Symbol.asyncDispose]();
    const what = `${mediaType}, ${Math.ceil(content.size / 1000)} kB`;
    return { check, is: 'ok', message: `${name}: the first ${attachment.attribute} can be read (${what}).` };
  } catch (error) {
    const follows = onAttachmentError === 'hold' ? 'Its record is held.' : 'Its record is published without it.';
    return { ...problemOf(check, error, follows), is: 'warning' };
  }
}
