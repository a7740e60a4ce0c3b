import { parse } from 'yaml';
import type { SourceConfig } from '../../config/types.ts';
import { isTimeZone } from '../../core/dates/time-zone.ts';
import { CodedError } from '../../core/errors.ts';
import type { FeedSheet } from '../../core/feed.ts';
import type { SourceRecord } from '../../core/record.ts';
import { sourceHash } from '../../core/source-hash.ts';
import { looksSecretParameter } from '../../core/text/secret-names.ts';
import { type ConfirmPrivate, type FeedBeginning, readBeginning } from '../../feed/read-beginning.ts';
import { type Corrections, NO_CORRECTIONS, sourceKeysOf } from '../../inference/correct/corrections.ts';
import type { Question } from '../../inference/proposal.ts';
import type { FeedSample } from '../../inference/sample.ts';
import { correctFormat } from './correct-format.ts';
import { detectFormat, SAMPLE_PAGES } from './detect-format.ts';
import { hideInError, hideSecrets } from './hide-secrets.ts';
import { readSample, type SampleReading } from './read-sample.ts';
import type { SampleFormat } from './sample-format.ts';
import { pageError, readWebPage } from './web-page.ts';

const MOST_BYTES = 20_000_000;
/** Number of characters in which the program that wrote a feed names itself. */
export const HEAD = 4000;
/** What secrets look like. */
const longValue = /^[\w.~%+-]{8}/;

/** A sample of a feed, and other findings from the beginning of the feed. */
export interface TakenSample {
  sample: FeedSample;
  /** Evidence for the connector and its options, by key of `source`. */
  evidence: Readonly<Record<string, string>>;
  /** Questions that the beginning leaves open. */
  open: readonly Question[];
  warnings: readonly string[];
}

/** How a feed is opened. */
export interface SampleAccess {
  options: Partial<SourceConfig['feed']>;
  /** The same keys as the sync file has them: with variables in place of secrets. */
  written: object;
  /** Hidden in samples and errors. */
  secrets: readonly string[];
  /** Default: a private address is opened, with a warning. */
  confirmPrivate?: ConfirmPrivate | undefined;
}

/** The beginning of a feed, and how it was opened. */
export interface OpenSample {
  beginning: FeedBeginning;
  access: SampleAccess;
}

/**
 * Opens a feed as a run would, and holds its beginning, so that several samples can be taken from it.
 * @param location an absolute path, an address, or `-`
 * @throws CodedError FF_FEED_… if the feed cannot be read; its texts may have secrets that the server repeats
 */
export async function openSample(
  location: string,
  signal: AbortSignal,
  access: SampleAccess = { options: {}, written: {}, secrets: [] },
  { mostBytes, ...limits } = { timeoutMs: 30_000, retries: 1, mostBytes: MOST_BYTES },
): Promise<OpenSample> {
  const options = { ...access.options, signal, ...limits };
  return { beginning: await readBeginning(location, options, mostBytes, access.confirmPrivate), access };
}

/**
 * Detects the format of a feed, unless a person has corrected it, and reads its first records.
 * @param url location of the feed, as in a sync file
 * @throws CodedError FF_FEED_… if no connector reads the feed; FF_USAGE if an option of the connector is not valid
 */
export async function takeSample(
  { beginning, access }: OpenSample,
  url: string,
  signal: AbortSignal,
  corrections: Corrections = NO_CORRECTIONS,
): Promise<TakenSample> {
  try {
    return hideSecrets(await takeAny(beginning, access, url, signal, corrections), access.secrets);
  } catch (error) {
    throw hideInError(error, access.secrets);
  }
}

async function takeAny(
  opened: FeedBeginning,
  { written, confirmPrivate }: SampleAccess,
  url: string,
  signal: AbortSignal,
  corrections: Corrections,
): Promise<TakenSample> {
  const { encoding } = sourceKeysOf(corrections);
  const { isPrivate } = opened;
  const beginning = typeof encoding === 'string' ? await opened.decodedAs(encoding) : opened;
  const { text, location, detectedCharset } = beginning;
  const detected = await detectFormat(text, location, corrections.answers);
  const format = correctFormat(detected, sourceKeysOf(corrections));
  const { reading, options, evidence } = await readPages(beginning, format, signal);
  const { isEnded, gaps } = reading;
  const { records, repetitions } = withoutRepetitions(reading.records);
  const timezone = [format.timezone, zoneOfRecords(records)].find((zone) => zone !== undefined && isTimeZone(zone));
  const isDecoded = detectedCharset !== undefined && format.connector !== 'ical';
  const opening = {
    ...(isDecoded && { encoding: detectedCharset }),
    ...(isPrivate && { allowPrivateNetwork: true }),
  };
  return {
    sample: {
      url,
      connector: format.connector,
      options: { ...written, ...options, ...opening },
      records,
      isWhole: beginning.isWhole && isEnded && gaps.length === 0,
      timezone,
      head: text.slice(0, HEAD),
    },
    evidence: {
      ...Object.fromEntries(Object.keys(written).map((name) => [name, 'as given'])),
      ...evidence,
      ...(isDecoded && { encoding: 'detected from the bytes' }),
      ...(isPrivate && { allowPrivateNetwork: 'the address is in a private network' }),
    },
    open: format.open ?? [],
    warnings: [
      ...(format.connector === 'ical' ? [] : beginning.warnings),
      ...warningsOf(reading, options, location),
      ...describeSheet(beginning.asFeed().sheet?.()),
      ...describeRepetitions(repetitions),
      ...warningsOfAddress(url),
      ...(isPrivate && !confirmPrivate
        ? [`${location} is in a private network. It was opened because it was given.`]
        : []),
    ],
  };
}

/** A key that is written out is in the sync file, which is often shared. */
function warningsOfAddress(url: string): string[] {
  const parameters = [...(URL.parse(url)?.searchParams ?? [])];
  const isSecret = (value: string) => longValue.test(value) && /\d/.test(value);
  const name = parameters.find(([one, value]) => looksSecretParameter(one) && isSecret(value))?.[0];
  if (name === undefined) return [];
  const remedy = `Set it in .env beside the config folder, such as FEED_KEY=…, and write ?${name}=\${FEED_KEY}`;
  return [`The address has a secret, ${name}, which the sync file shows. ${remedy}.`];
}

interface PagedReading {
  reading: SampleReading;
  options: SampleFormat['options'];
  evidence: SampleFormat['evidence'];
}

/** Reads the records. If a JSON document seems to be one of several pages, reads the next pages, too, to confirm this. */
async function readPages(beginning: FeedBeginning, format: SampleFormat, signal: AbortSignal): Promise<PagedReading> {
  const { connector, options, evidence } = format;
  const read = (more: object) => readFormat(beginning, format, more, signal);
  const reading = await read({});
  const { facts, records } = reading;
  const isPage = facts.more !== undefined || facts.fullPage || Math.max(...(facts.totals ?? [])) > records.length;
  if (connector !== 'json' || !isPage || facts.pagesLine === undefined) return { reading, options, evidence };
  const { pages } = parse(facts.pagesLine) as { pages: object };
  const paged = await read({ pages: { ...pages, max: SAMPLE_PAGES } }).catch((error: unknown) => {
    if (error instanceof CodedError) return undefined;
    throw error;
  });
  if (paged === undefined || paged.records.length <= records.length) return { reading, options, evidence };
  return {
    reading: paged,
    options: { ...options, pages },
    evidence: { ...evidence, pages: 'the second page has other records' },
  };
}

async function readFormat(
  { asFeed, text, location }: FeedBeginning,
  { connector, options, reading = options }: SampleFormat,
  more: object,
  signal: AbortSignal,
): Promise<SampleReading> {
  try {
    return await readSample(asFeed(), connector, { ...reading, ...more }, signal);
  } catch (error) {
    const isPage = connector === 'jsonld' && text.trimStart().startsWith('<');
    const isEmpty = isPage && error instanceof CodedError && error.code === 'FF_FEED_FORMAT';
    throw isEmpty ? pageError(location, readWebPage(text, location).feeds) : error;
  }
}

/** Leaves out records that have the same fields and values as an earlier one: a run counts them as one. */
function withoutRepetitions(all: readonly SourceRecord[]) {
  const records = new Map<string | SourceRecord, SourceRecord>();
  const repetitions: SourceRecord[] = [];
  for (const record of all) {
    const id = sourceHash(record.fields, '') ?? record;
    if (records.has(id)) repetitions.push(record);
    else records.set(id, record);
  }
  return { records: [...records.values()], repetitions };
}

function describeRepetitions([first, ...others]: readonly SourceRecord[]): string[] {
  if (first === undefined) return [];
  const subject = others.length === 0 ? `The record at ${first.at} repeats` : `${others.length + 1} records repeat`;
  const place = others.length === 0 ? '' : ` First: ${first.at}.`;
  return [`${subject} an earlier one in all fields; identical records count as one.${place}`];
}

function describeSheet(sheet: FeedSheet | undefined): string[] {
  if (sheet === undefined || sheet.isChosen || sheet.others === 0) return [];
  return [`Read the sheet "${sheet.name}", one of ${sheet.others + 1}. To read another, add under source: sheet: NAME`];
}

/** The zone that most records of a calendar name themselves. */
function zoneOfRecords(records: readonly SourceRecord[]): string | undefined {
  const zones = new Map<string, number>();
  for (const { fields } of records) {
    const params = fields.params as { dtstart?: { tzid?: string } } | undefined;
    const [, zone] = (params?.dtstart?.tzid && /\[([^[\]]+)\]$/.exec(String(fields.start))) || [];
    if (zone !== undefined) zones.set(zone, (zones.get(zone) ?? 0) + 1);
  }
  return [...zones].toSorted(([, a], [, b]) => b - a)[0]?.[0];
}

function warningsOf({ rejections, gaps, facts }: SampleReading, options: object, location: string): string[] {
  const [first] = rejections;
  const [gap] = gaps.filter((reason) => !reason.includes('source.pages.max'));
  const count = rejections.length === 1 ? '1 record' : `${rejections.length} records`;
  return [
    ...(first ? [`${count} cannot be read. First: ${first.at}: ${first.reason}`] : []),
    ...(gap ? [`The feed is incomplete: ${gap}`] : []),
    ...(facts.more && !('pages' in options) ? [`${location} announces more items (${facts.more})`] : []),
  ];
}
