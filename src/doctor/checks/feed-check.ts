import type { Config, SyncConfig } from '../../config/types.ts';
import { type ErrorCode, errorTable } from '../../core/errors.ts';
import type { AttachmentSource } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { attachmentFolder, createAttachmentReader } from '../../feed/attachments.ts';
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
  const tally: Tally = { read: 0, desired: 0, skipped: 0, rejected: new Map(), ended: true };
  const byKey = new Map<string, { count: number; at: string }>();
  const deadline = performance.now() + READING_MS;
  for await (const mapped of records) {
    tally.read += 1;
    if (mapped.is === 'skipped') tally.skipped += 1;
    else if (mapped.is === 'rejected') countOne(tally.rejected, mapped.rejection.code, mapped.rejection.at);
    else {
      countOne(byKey, mapped.record.key, mapped.record.at);
      tally.attachment ??= mapped.record.attachments.find(({ source }) => source.is === 'location');
    }
    tally.ended = performance.now() <= deadline;
    if (!tally.ended) break;
  }
  return withoutDuplicates(tally, [...byKey.values()]);
}

/** Counts records that share their key as rejected. */
function withoutDuplicates(tally: Tally, keys: ReadonlyArray<{ count: number; at: string }>): Tally {
  const duplicates = keys.filter(({ count: times }) => times > 1);
  const desired = keys.length - duplicates.length;
  const [first] = duplicates;
  if (!first) return { ...tally, desired };
  const rejections = { count: duplicates.reduce((sum, { count: times }) => sum + times, 0), at: first.at };
  return { ...tally, desired, rejected: new Map([['FF_RECORD_DUPLICATE', rejections], ...tally.rejected]) };
}

/** Counts an occurrence, and remembers the place of the first one. */
function countOne<Name>(counts: Map<Name, { count: number; at: string }>, name: Name, at: string): void {
  const known = counts.get(name) ?? { count: 0, at };
  counts.set(name, { ...known, count: known.count + 1 });
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

function* completenessOf({ name }: SyncConfig, { ended }: Tally, reading: SourceReading): Generator<Finding> {
  const { complete, reason } = reading.receipt();
  const warnings = reading.warnings.length;
  if (!ended) {
    const message = `${name}: only part of the feed could be read within ${READING_MS / 1000} s.`;
    yield ok(`feed.${name}.part`, message, 'The rest was not checked.');
  } else if (!complete) {
    yield {
      check: `feed.${name}.incomplete`,
      is: 'warning',
      message: `${name}: the feed is incomplete: ${reason ?? 'the reason is unknown'}`,
      follows: 'Its records are delivered, but none counts as missing.',
      remedy: 'Check the feed, and the network between it and this machine.',
    };
  }
  if (warnings > 0) {
    const message = `${name}: the feed has ${warnings} warnings. \`feedferry preview ${name}\` lists them.`;
    yield ok(`feed.${name}.remarks`, message);
  }
}

async function attachmentOf(
  sync: SyncConfig,
  attachment: NonNullable<Tally['attachment']>,
  signal: AbortSignal,
): Promise<Finding> {
  const { name, source, onAttachmentError } = sync;
  const check = `feed.${name}.attachment`;
  const { allowPrivateNetwork } = source.feed;
  const readerOptions = { allowPrivateNetwork, folder: attachmentFolder(sync) };
  // A check remembers nothing.
  const forgetful = { find: async () => undefined, remember: async () => {} };
  try {
    const file = await createAttachmentReader(forgetful, readerOptions).read(attachment.source, signal);
    const { mediaType, content } = file;
    await file[Symbol.asyncDispose]();
    const what = `${mediaType}, ${Math.ceil(content.size / 1000)} kB`;
    return ok(check, `${name}: the first ${attachment.attribute} can be read (${what}).`);
  } catch (error) {
    const follows = onAttachmentError === 'hold' ? 'Its record is held.' : 'Its record is published without the file.';
    return { ...problemOf(check, error, follows), is: 'warning' };
  }
}
