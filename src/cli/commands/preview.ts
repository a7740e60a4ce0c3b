import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import type { Attachment, Json, Mapped } from '../../core/record.ts';
import { describeCounts } from '../../core/run.ts';
import type { SourceReading } from '../../core/source-reading.ts';
import { didYouMean } from '../../core/suggest.ts';
import { quantity } from '../../core/text/describe-changes.ts';
import { readSources } from '../../source/read-sources.ts';
import { keyOf } from '../../sync/plan/duplicate-keys.ts';
import { type Preview, previewRecords } from '../../sync/plan/preview-records.ts';
import { redactionOf } from '../../sync/plan/redact.ts';
import { foldReading } from '../../sync/spans/fold-reading.ts';
import { type CommandContext, defineCommand, execute, readLimit } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { showInLine } from '../output/difference-lines.ts';
import { colour, outputWidth, plain, print, wrap, write } from '../output/print.ts';
import { selectSync } from '../select-sync.ts';

/** Number of records that are written at once. */
const PIECE = 500;

export const previewCommand = defineCommand('preview')
  .argument('<sync>', 'name of a sync file')
  .option('--limit <n>', 'how many records to print; the summary counts all (default: all)')
  .option('--key <key>', 'print only the record with this key')
  .action(execute(preview));

async function preview(
  { environment, json, signal }: CommandContext,
  name: string,
  { limit, key }: { limit?: string; key?: string },
): Promise<number> {
  const most = limit === undefined ? Number.POSITIVE_INFINITY : readLimit(limit, 'records');
  const { config, sync } = selectSync(name, environment);
  const records = readSources(sync, config.target, { signal, countsHtml: true });
  // The key is that of a record of the feed.
  const isFolded = sync.recurrence && key === undefined;
  const reading = isFolded
    ? foldReading(records, { sync, target: config.target, runtime: { now: Date.now } })
    : records;
  const width = outputWidth();
  const previewed = await previewRecords(reading, sync, {
    selects: (mapped, index) => (key === undefined ? index < most : keyOf(mapped) === key),
    format: json ? (mapped) => JSON.stringify(toResult(mapped)) : (mapped) => wrap(describe(mapped), width),
  });
  const { shown, receipt, counts } = previewed;
  if (key !== undefined && shown.length === 0) throw unknownKey(key, sync.name, previewed);
  for (let first = 0; first < shown.length; first += PIECE) {
    const lines = shown.slice(first, first + PIECE).map(({ text }) => `${text}\n`);
    await write(lines.join(''));
  }
  if (key === undefined) printSummary(sync, reading, previewed, json ? process.stderr : process.stdout);
  if (!receipt.complete) print(`The feed is incomplete${receipt.reason ? `: ${receipt.reason}` : '.'}`, process.stderr);
  const rejected = key === undefined ? counts.rejected : shown.filter(({ is }) => is === 'rejected').length;
  return rejected > 0 || !receipt.complete ? EXIT.partial : EXIT.success;
}

function unknownKey(key: string, sync: string, { keys }: Preview): CodedError {
  return new CodedError('FF_RECORD_UNKNOWN', `The feed of "${sync}" has no record "${key}"${didYouMean(key, keys())}`);
}

/** Prints a summary of the feed: counts, the warnings that a run would report, and the unused fields. */
function printSummary(sync: SyncConfig, reading: SourceReading, preview: Preview, stream: NodeJS.WriteStream): void {
  const { counts, doubt, dateRules } = preview;
  for (const { at, message } of reading.warnings) print(`${at}: ${message}`, process.stderr);
  const { fields: redact } = redactionOf(sync);
  const examples = [...reading.unmapped].map(([field, value]) => {
    return `  ${plain(field)}: ${showInLine(redact({ [field]: value })[field])}`;
  });
  if (examples.length > 0) print(['Unused fields of the feed, with an example:', ...examples].join('\n'), stream);
  for (const line of reading.describeHtml()) print(plain(line), process.stderr);
  for (const line of reading.describeMissing()) print(plain(line), process.stderr);
  for (const rule of dateRules) print(`Dates in another format: ${plain(rule)}`, process.stderr);
  print(`${colour('bold', sync.name, stream)}: ${describeFeed(counts)}`, stream);
  if (doubt) print(`No record would count as missing: ${doubt}`, stream);
}

function describeFeed({ read, valid, rejected, duplicates, skipped, warnings }: Preview['counts']): string {
  if (read === 0) return '0 records. If earlier runs delivered some, a run is held (FF_GUARD_EMPTY).';
  const refused = duplicates === 0 ? 'rejected' : `rejected (${duplicates} duplicates)`;
  return `${quantity(read, 'record')}: ${describeCounts({ valid, [refused]: rejected, skipped, warnings })}`;
}

function toResult(mapped: Mapped): object {
  if (mapped.is === 'rejected') {
    const { at, code, reason, key } = mapped.rejection;
    return { at, code, reason, key };
  }
  if (mapped.is === 'skipped') return { at: mapped.at, key: mapped.key, skipped: mapped.reason };
  const { at, key, resource, payload, attachments } = mapped.record;
  const warnings = mapped.warnings.map(({ message }) => message);
  const warned = { ...(mapped.hold !== undefined && { hold: mapped.hold }), ...(warnings.length > 0 && { warnings }) };
  return { at, key, resource, payload, attachments: attachments.map(summary), ...warned };
}

function summary({ attribute, source, alt }: Attachment): { [name: string]: Json } {
  const text = alt !== undefined && { alt };
  if (source.is === 'location') return { attribute, location: source.location, ...text };
  const bytes = Buffer.byteLength(source.base64, 'base64');
  return { attribute, inline: { bytes, ...(source.mediaType ? { mediaType: source.mediaType } : {}) }, ...text };
}

function describe(mapped: Mapped): string {
  if (mapped.is === 'rejected') {
    const { at, code, reason } = mapped.rejection;
    return `${plain(at)}: ${colour('red', 'rejected')} ${code} ${plain(reason)}`;
  }
  if (mapped.is === 'skipped') {
    return `${plain(mapped.at)}: ${colour('yellow', 'skipped')} ${plain(mapped.key)}: ${plain(mapped.reason)}`;
  }
  const { at, key, payload, attachments } = mapped.record;
  const files = attachments.map((file): [string, Json] => [file.attribute, summary(file)]);
  const attributes = [...Object.entries(payload), ...files].map(([name, value]) => `  ${name}: ${showInLine(value)}`);
  const warnings = mapped.warnings.map(({ message }) => `  ${colour('yellow', 'warning')}: ${plain(message)}`);
  const held = mapped.hold === undefined ? [] : [`  ${colour('yellow', 'held')}: ${plain(mapped.hold)}`];
  return [`${plain(at)}: ${colour('bold', plain(key))}`, ...attributes, ...held, ...warnings].join('\n');
}
