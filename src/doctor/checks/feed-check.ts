import type { Config, SyncConfig } from '../../config/types.ts';
import { errorTable } from '../../core/errors.ts';
import type { Attachment } from '../../core/record.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { attachmentLimits, createAttachmentReader } from '../../feed/attachments.ts';
import { readSource } from '../../source/read-source.ts';
import { judgeReading } from '../../sync/plan/judge-reading.ts';
import { type Finding, ok, problemOf } from '../findings/finding.ts';

/** How long a feed is read, in ms. The records that were read by then are reported. */
export const READING_MS = 60_000;

type Examined = Awaited<ReturnType<typeof examine>>;

/** A feed of a sync: the only one, or one of several, which has a name. */
interface CheckedFeed {
  sync: SyncConfig;
  /** Id of the finding. */
  check: string;
  /** Name of the sync, for messages, with that of the source. */
  label: string;
}

/** Reads and maps each feed of a sync, then fetches the first file that belongs to a record. */
export async function* checkFeed(config: Config, sync: SyncConfig, signal: AbortSignal): AsyncGenerator<Finding> {
  const check = `feed.${sync.name}`;
  if (!sync.sources) return yield* checkOne({ sync, check, label: sync.name }, config, signal);
  for (const { name, sync: one } of sync.sources) {
    yield* checkOne({ sync: one, check: `${check}.${name}`, label: `${sync.name}, ${name}` }, config, signal);
  }
}

async function* checkOne(feed: CheckedFeed, config: Config, signal: AbortSignal): AsyncGenerator<Finding> {
  const { sync, check, label } = feed;
  if (sync.source.url === '-') {
    yield ok(check, `${label} reads standard input, which is not checked.`);
    return;
  }
  let examined: Examined;
  try {
    examined = await examine(readSource(sync, config.target, { signal }));
  } catch (error) {
    yield problemOf(check, error, `${sync.name} cannot run. Its delivered items stay as they are.`);
    return;
  }
  yield recordsOf(feed, examined);
  yield* rejectionsOf(feed, examined);
  yield* completenessOf(feed, examined);
  if (examined.attachment) yield await attachmentOf(feed, examined.attachment, signal);
}

/** Returns the tally of a feed and the first file of its records. `ended`: whether the whole feed was read within the time. */
async function examine(reading: SourceReading) {
  const deadline = performance.now() + READING_MS;
  let ended = true;
  let attachment: Attachment | undefined;
  const { rejected, tally } = await judgeReading(reading, (mapped) => {
    if (mapped.is === 'desired')
      attachment ??= mapped.record.attachments.find(({ source }) => source.is === 'location');
    ended = performance.now() <= deadline;
    return ended;
  });
  return { reading, tally, rejected: Map.groupBy(rejected, ({ code }) => code), attachment, ended };
}

function recordsOf({ sync, check, label }: CheckedFeed, { tally: { read, valid, skipped } }: Examined): Finding {
  const message = `${label}: ${read} records read, ${valid} can be delivered, ${skipped} skipped.`;
  if (valid > 0) return ok(check, message);
  const follows = 'A run delivers nothing. If earlier runs delivered records, it is held.';
  const remedy = `Check the feed, \`when\` and \`window\`, and run \`feedferry preview ${sync.name}\`.`;
  return { check, is: read > skipped ? 'problem' : 'warning', message, follows, remedy };
}

function* rejectionsOf({ sync, check, label }: CheckedFeed, { tally, rejected }: Examined): Generator<Finding> {
  for (const [code, rejections] of rejected) {
    const { cause, remedy } = errorTable[code];
    yield {
      check: `${check}.rejected`,
      is: 'warning',
      message: `${label}: ${rejections.length} of ${tally.read} records rejected, the first at ${rejections[0]?.at}. ${cause}`,
      follows: 'The run is partial (exit code 3). The other records are delivered.',
      remedy: `${remedy} \`feedferry preview ${sync.name}\` lists each with its reason.`,
      code,
    };
  }
}

function* completenessOf({ sync, check, label }: CheckedFeed, { reading, ended }: Examined): Generator<Finding> {
  const { complete, reason } = reading.receipt();
  const warnings = reading.warnings.length;
  if (!ended) {
    const message = `${label}: only part of the feed could be read within ${READING_MS / 1000} s.`;
    yield ok(`${check}.part`, message, 'The rest was not checked.');
  } else if (!complete) {
    yield {
      check: `${check}.incomplete`,
      is: 'warning',
      message: `${label}: the feed is incomplete: ${reason ?? 'the reason is unknown'}`,
      follows: 'Its records are delivered, but none counts as missing.',
      remedy: 'Check the feed, and the network between it and this machine.',
    };
  }
  if (warnings > 0) {
    const message = `${label}: the feed has ${quantity(warnings, 'warning')}: see \`feedferry preview ${sync.name}\`.`;
    yield ok(`${check}.remarks`, message);
  }
}

async function attachmentOf(
  { sync, check: feed, label }: CheckedFeed,
  attachment: Attachment,
  signal: AbortSignal,
): Promise<Finding> {
  const check = `${feed}.attachment`;
  // The check does not store the hashes of files.
  const forgetful = { find: async () => undefined, remember: async () => {} };
  try {
    const file = await createAttachmentReader(forgetful, attachmentLimits(sync)).read(attachment.source, signal);
    const { mediaType, content } = file;
    await file[Symbol.asyncDispose]();
    const what = `${mediaType}, ${Math.ceil(content.size / 1000)} kB`;
    return ok(check, `${label}: the first ${attachment.attribute} can be read (${what}).`);
  } catch (error) {
    const follows =
      sync.onAttachmentError === 'hold' ? 'Its record is held.' : 'Its record is published without the file.';
    return { ...problemOf(check, error, follows), is: 'warning' };
  }
}
