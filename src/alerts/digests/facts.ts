import type { SyncConfig } from '../../config/types.ts';
import { hashJson } from '../../core/hash.ts';
import type { Json, Payload } from '../../core/record.ts';
import type { RunReport } from '../../core/run.ts';
import { masked, maskedIn } from '../../core/text/masked.ts';
import { problemIds, rejectionName } from '../../core/text/rejection-name.ts';
import type { Ledger } from '../../ledger/ledger.ts';
import type { ReadingState } from '../../ledger/members/readings.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import type { SyncHealth } from '../../ledger/runs/sync-health.ts';
import { rulesOf } from '../../mapping/field-usage.ts';
import { compilePath } from '../../mapping/path.ts';
import { connectorOf } from '../../source/connector-of.ts';
import { columnsFor, type Found, fileMistake, ownersMistake, shortened, shownValue, unreadCause } from './mistakes.ts';
import type { FeedOwner } from './owners.ts';
import type { FileMistake, UnreadCause } from './texts/texts.ts';

/** Something that is wrong with a feed; the id stays the same as long as it is. */
interface Wrong {
  id: string;
}

/** An entry of a feed: its place, and its title and values unless it is a person. */
interface Entry extends Wrong {
  at: string;
  title?: string;
  fields?: Readonly<Record<string, unknown>>;
}

export interface RejectedEntry extends Entry, Found {}

/** An entry whose picture or other file cannot be used. */
export interface FileEntry extends Entry {
  columns: readonly string[];
  mistake: FileMistake;
}

/** What is wrong with a feed, as far as its owner can see or correct it. Has no personal data, and nothing of the CMS. */
export interface DigestFacts {
  feed: string;
  /** Whether the feed is a table, with columns. */
  isTable: boolean;
  /** ms since 1970: when it was read last; absent: never. */
  readAt?: number;
  /** How many entries it had then. */
  read: number;
  rejected: readonly RejectedEntry[];
  /** Published before, and now cancelled or private. */
  cancelled: readonly Entry[];
  files: readonly FileEntry[];
  /** New entries that an editor has to look at before they are published. */
  waiting: number;
  /** ms since 1970: since when it cannot be read, or not completely. */
  unread?: Wrong & { since: number; mistake: UnreadCause; isPartly: boolean };
  /** It was read, and has no entries. */
  empty?: Wrong & { /** ms since 1970 */ at: number };
  /** ISO date: its last event, if all are over. */
  over?: Wrong & { day: string };
  /** The last run failed or is held, so nobody knows yet whether all is well. */
  isUnsettled: boolean;
}

type FactsLedger = Pick<Ledger, 'acknowledgements' | 'alerts' | 'readings' | 'runs'>;

/** So many rejected entries are looked at. */
export const MOST_ENTRIES = 1_000;

/**
 * Returns what is wrong with a feed now.
 * @param today ISO date on the site
 */
export async function digestFacts(
  sync: SyncConfig,
  owner: Pick<FeedOwner, 'sources' | 'every'>,
  { health, today, ledger }: { health: SyncHealth; today: string; ledger: FactsLedger },
): Promise<DigestFacts> {
  const { sources } = owner;
  const { latest, good } = health;
  const readings = sync.sources ? await ledger.readings.readings(sync.name) : new Map<string, ReadingState>();
  const own = [...readings].flatMap(([source, each]) => (sources?.includes(source) === false ? [] : each));
  const empty = emptyFeed(health, sources && own);
  const reading = empty ? undefined : await ledger.runs.lastReading(sync.name);
  const report = reading && (await ledger.runs.report(reading.run));
  const isOwn = (text: string, sign: string) =>
    sources === undefined || sources.some((source) => text.startsWith(`${source}${sign}`));
  const [rejections, known, day] = await Promise.all([
    reading && reading.counts.rejected > 0 ? ledger.runs.firstRejections(reading.run, MOST_ENTRIES) : [],
    reading ? ledger.acknowledgements.acknowledged(sync.name, { reading: reading.run }) : [],
    sync.resource === 'events' && !sources && !empty ? ledger.alerts.lastDay(sync.name) : undefined,
  ]);
  const unread = await unreadSince(owner, health, own, ledger);
  const places = await ledger.alerts.entries(
    sync.name,
    [...(report?.problems ?? []), ...(report?.undeliveredFiles ?? [])].map(({ key }) => key),
  );
  const isKnown = (kind: string, key: string) => known.some((each) => each.kind === kind && each.key === key);
  const ids = problemIds({ rejections, problems: [] });
  const titles = new Map(report?.rejections.map(({ key, title }) => [key, title]));
  const entries = rejections
    .map((rejection, place) => ({ rejection, id: ids[place] ?? '' }))
    .filter(({ rejection }) => isOwn(rejection.at, ', ') && !isKnown('rejected', rejectionName(rejection)));
  /** Who owns one source of several knows it without its name. */
  const inOwnWords = <Each extends Entry>(each: Each): Each => {
    return sources?.length === 1 ? { ...each, at: each.at.slice(`${sources[0]}, `.length) } : each;
  };
  return {
    feed: sync.name,
    isTable: connectorOf(sync).kind === 'csv',
    ...(empty ? { readAt: empty.at } : reading && { readAt: Date.parse(reading.startedAt) }),
    read: sources ? own.reduce((sum, { records }) => sum + records, 0) : (reading?.counts.read ?? 0),
    rejected: [
      ...entries.flatMap(({ rejection, id }) => rejectedEntry(rejection, id, sync)).map(inOwnWords),
      ...heldEntries(report, sync, places)
        .filter(({ key }) => isOwn(key, '/'))
        .map(inOwnWords),
    ],
    cancelled: entries.flatMap(({ rejection: { code, at, key }, id }) => {
      const title = titleFor(sync, titles.get(key));
      return code === 'FF_RECORD_WITHDRAWN' ? inOwnWords({ id, at, ...(title !== undefined && { title }) }) : [];
    }),
    files: (report ? filesOf(report, sync, places) : [])
      .filter(({ key }) => isOwn(key, '/') && !isKnown('withoutFile', key))
      .map(inOwnWords),
    waiting: report?.problems.filter(({ code, key }) => code === 'FF_RECORD_REVIEW' && isOwn(key, '/')).length ?? 0,
    ...(unread && { unread }),
    ...(empty && { empty }),
    ...(day && day < today && { over: { id: `over ${day}`, day } }),
    isUnsettled: latest !== undefined && latest.run !== good?.run && !latest.isAcknowledged,
  };
}

/** Returns the ids of everything that is wrong. */
export function wrongIn({ rejected, cancelled, files, unread, empty, over }: DigestFacts): string[] {
  return [...rejected, ...cancelled, ...files, unread, empty, over].flatMap((wrong) => wrong?.id ?? []);
}

/** Returns an entry that was rejected; nothing if its owner can do nothing about it. */
function rejectedEntry(rejection: KeptRejection, id: string, whole: SyncConfig): RejectedEntry[] {
  const { at, fields } = rejection;
  const sync = sourceOf(at, ', ', whole);
  const found = ownersMistake(rejection, sync);
  if (!found) return [];
  const title = titleFor(sync, fields && shownValue(columnsFor('title', sync), fields));
  return [
    {
      ...{ id, at: masked(at), ...found },
      ...(title !== undefined && { title }),
      ...(fields && sync.resource === 'events' && { fields: maskedIn(fields) }),
    },
  ];
}

/** The sync of a source of several, by how a place or a key begins. */
function sourceOf(text: string, sign: ', ' | '/', whole: SyncConfig): SyncConfig {
  return whole.sources?.find(({ name }) => text.startsWith(`${name}${sign}`))?.sync ?? whole;
}

type Places = Awaited<ReturnType<FactsLedger['alerts']['entries']>>;

/** Entries that are held because they break a rule, until they are corrected or a person publishes them. */
function heldEntries(report: RunReport | undefined, whole: SyncConfig, places: Places) {
  return (report?.problems ?? []).flatMap(({ key, title, code, reason }) => {
    if (code !== 'FF_RECORD_RULE') return [];
    const sync = sourceOf(key, '/', whole);
    const { fields, ...entry } = entryOf({ key, title }, sync, places);
    const why = reason.replace(/^.*? is held by a rule: /s, '');
    const found = ownersMistake({ code, reason: why, ...(fields && { fields }) }, sync);
    const id = hashJson(['held', key, why]).slice(0, 12);
    return found ? [{ ...entry, id, ...found, ...(fields && { fields }) }] : [];
  });
}

/** A record as its owner knows it: its place, and unless it is a person its title and values. */
function entryOf({ key, title }: { key: string; title?: string | undefined }, sync: SyncConfig, places: Places) {
  const { at = '', payload = {} } = places.get(key) ?? {};
  const shown = titleFor(sync, title);
  return {
    ...{ key, at: masked(at), ...(shown !== undefined && { title: shown }) },
    ...(sync.resource === 'events' && { fields: maskedIn(fieldsFor(payload, sync)) }),
  };
}

/** The content of a record by the columns from which it is made. */
function fieldsFor(payload: Payload, sync: SyncConfig): Record<string, Json> {
  const { date = '', time } = payload;
  const moments = { start: [date, time], end: [payload.endDate, time] };
  const values = Object.entries(rulesOf(sync, connectorOf(sync).defaultMap)).flatMap(([attribute, { field }]) => {
    const [day, clock] = moments[attribute as 'start' | 'end'] ?? [];
    const value = day
      ? [day, compilePath(attribute)({ ...(clock as object) })].filter(Boolean).join(' ')
      : compilePath(attribute)(payload);
    return field === undefined || value === undefined ? [] : [[field, value as Json] as const];
  });
  return Object.fromEntries(values);
}

function filesOf({ undeliveredFiles = [], problems }: RunReport, whole: SyncConfig, places: Places) {
  const held = problems.map((problem) => ({ ...problem, attribute: /^([\w.-]+): /.exec(problem.reason)?.[1] ?? '' }));
  return [...undeliveredFiles, ...held].flatMap(({ key, title, attribute, code }) => {
    const mistake = fileMistake(code);
    const sync = sourceOf(key, '/', whole);
    const id = hashJson(['file', key, attribute, code]).slice(0, 12);
    return mistake
      ? [{ ...entryOf({ key, title }, sync, places), id, mistake, columns: columnsFor(attribute, sync) }]
      : [];
  });
}

/** The title of an event; people are not named. */
function titleFor({ resource }: SyncConfig, title: string | undefined): string | undefined {
  return title === undefined || resource !== 'events' ? undefined : shortened(masked(title));
}

/** A feed that cannot be read for as long as a digest may wait is reported. Before, it may work again by itself. */
async function unreadSince(
  owner: Pick<FeedOwner, 'sources' | 'every'>,
  { latest, good, now }: SyncHealth,
  readings: readonly ReadingState[],
  ledger: FactsLedger,
): Promise<DigestFacts['unread']> {
  if (!latest || !good || latest.run === good.run || now - good.finishedAt < owner.every) return undefined;
  const { error, complete } = await ledger.runs.report(latest.run);
  const codes = [error, ...readings.map((reading) => reading.error)].flatMap((failed) => failed?.code ?? []);
  const [mistake] = codes.flatMap((code) => unreadCause(code) ?? []);
  const found = mistake ?? (complete || error || owner.sources ? undefined : 'part');
  return found && { id: 'unread', since: good.finishedAt, mistake: found, isPartly: !error && !owner.sources };
}

/** A feed without entries. One that could not be read is not empty. */
function emptyFeed({ latest }: SyncHealth, own: readonly ReadingState[] | undefined) {
  if (!latest || latest.status === 'failed') return undefined;
  const isEmpty = own
    ? own.length > 0 && own.every(({ records, error }) => records === 0 && !error)
    : latest.read === 0;
  return isEmpty ? { id: 'empty', at: latest.finishedAt } : undefined;
}
