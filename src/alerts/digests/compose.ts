import { siteTime } from '../../core/dates/site-time.ts';
import type { DigestFacts, FileEntry, RejectedEntry } from './facts.ts';
import { wrongIn } from './facts.ts';
import type { FeedOwner } from './owners.ts';
import { digestTexts } from './texts/languages.ts';
import type { Texts } from './texts/texts.ts';

interface ListItem {
  lead: string;
  lines: readonly string[];
}

/** A part of a digest; the items of a list have a first line. */
export type DigestBlock =
  | { is: 'head' | 'text' | 'muted'; text: string }
  | { is: 'list'; items: readonly ListItem[] }
  | { is: 'link'; to: string };

/** What an owner reads: a mail, or a page. */
export interface Digest {
  language: string;
  title: string;
  blocks: readonly DigestBlock[];
}

/** So many entries are listed; a table has all of them. */
const LISTED = 20;

/** Whom a digest is for. */
type Reader = Pick<FeedOwner, 'language'> & { name?: string | undefined };

/** A link to the page that shows the same; `until` in ms since 1970. */
interface PageLink {
  to: string;
  until: number;
}

interface DigestOptions {
  timezone: string;
  /** Ids of what the last message was about. */
  reported: ReadonlySet<string>;
  link?: PageLink | undefined;
}

/** Writes what is wrong with a feed. */
export function digestOf(facts: DigestFacts, owner: Reader, { timezone, reported, link }: DigestOptions): Digest {
  const texts = digestTexts(owner.language);
  return mailOf(texts, subjectOf(facts, texts), owner, [
    ...whenRead(facts, texts, timezone),
    ...wrongBlocks(facts, texts, { timezone, reported, hasTable: true }),
    ...(link ? [text(texts.link(dayIn(texts, link.until, timezone))), { is: 'link', to: link.to } as const] : []),
  ]);
}

/** Writes the same for a person to send; undefined if nothing is wrong. */
export function letterTo(facts: DigestFacts, to: Reader, timezone: string): Digest | undefined {
  if (wrongIn(facts).length === 0) return undefined;
  const texts = digestTexts(to.language);
  const wrong = wrongBlocks(facts, texts, { timezone, reported: new Set() });
  const blocks = [text(texts.hello(to.name)), ...whenRead(facts, texts, timezone), ...wrong];
  return { language: texts.language, title: subjectOf(facts, texts), blocks };
}

/** Writes that all is well again. */
export function wellDigest(facts: DigestFacts, owner: Reader, timezone: string): Digest {
  const texts = digestTexts(owner.language);
  const said = [text(texts.well), ...whenRead(facts, texts, timezone)];
  return mailOf(texts, texts.subjects.well(texts.quoted(facts.feed)), owner, said);
}

/** Writes a message that shows that messages arrive. */
export function testDigest(feed: string, owner: Reader): Digest {
  const texts = digestTexts(owner.language);
  return mailOf(texts, texts.subjects.test(texts.quoted(feed)), owner, [text(texts.test)]);
}

/** The page of a feed for its owner. */
export function feedPage(facts: DigestFacts, owner: Reader, timezone: string): Digest {
  const texts = digestTexts(owner.language);
  const blocks = [
    ...whenRead(facts, texts, timezone),
    ...(wrongIn(facts).length > 0 ? [] : [text(facts.isUnsettled ? texts.unsettled : texts.nothing)]),
    ...wrongBlocks(facts, texts, { timezone, reported: new Set(), most: Number.POSITIVE_INFINITY }),
  ];
  return { language: texts.language, title: texts.page(texts.quoted(facts.feed)), blocks };
}

function mailOf(texts: Texts, title: string, { name }: Reader, said: readonly DigestBlock[]): Digest {
  const blocks = [text(texts.hello(name)), ...said, { is: 'muted', text: texts.signed } as const];
  return { language: texts.language, title, blocks };
}

/** The subject is the gravest of what is wrong. */
function subjectOf({ feed, unread, empty, rejected, cancelled, files }: DigestFacts, texts: Texts): string {
  const { subjects } = texts;
  const name = texts.quoted(feed);
  if (unread) return subjects.unread(name);
  if (empty) return subjects.empty(name);
  if (rejected.length > 0) return subjects.rejected(name, figureIn(texts, rejected.length), rejected.length === 1);
  if (cancelled.length > 0) return subjects.cancelled(name);
  return files.length > 0 ? subjects.files(name) : subjects.over(name);
}

function whenRead({ feed, readAt }: DigestFacts, texts: Texts, timezone: string): DigestBlock[] {
  return readAt === undefined ? [] : [text(texts.read(texts.quoted(feed), timeIn(texts, readAt, timezone)))];
}

function wrongBlocks(
  facts: DigestFacts,
  texts: Texts,
  {
    timezone,
    reported,
    hasTable = false,
    most = LISTED,
  }: Pick<DigestOptions, 'timezone' | 'reported'> & { hasTable?: boolean; most?: number },
): DigestBlock[] {
  const { unread, empty, rejected, cancelled, files, over, waiting } = facts;
  const news = wrongIn(facts).filter((id) => !reported.has(id)).length;
  const isNew = ({ id }: { id: string }) => !reported.has(id);
  /** What is new comes first. */
  const sorted = <Each extends { id: string }>(all: readonly Each[]) => [
    ...all.filter(isNew),
    ...all.filter((each) => !isNew(each)),
  ];
  /** A section with a list; without entries, there is none. */
  const listed = (heading: string, said: string, items: readonly ListItem[]) =>
    items.length === 0 ? [] : [head(heading), text(said), ...listOf(items, texts, most)];
  const toCorrect = rejected.length + files.length > 0;
  return [
    ...(reported.size > 0 && news > 0 ? [text(texts.news(figureIn(texts, news)))] : []),
    ...(unread
      ? [
          head(texts.heads.unread),
          text(texts.unread(timeIn(texts, unread.since, timezone), unread.isPartly)),
          text(texts.feeds[unread.mistake]),
        ]
      : []),
    ...(empty ? [head(texts.heads.empty), text(texts.empty)] : []),
    ...listed(
      texts.heads.rejected,
      texts.rejected(figureIn(texts, rejected.length), figureIn(texts, facts.read), rejected.length === 1),
      alikeTogether(sorted(rejected), (each) => adviceLines(each, facts, texts), texts, most),
    ),
    ...listed(
      texts.heads.cancelled,
      texts.cancelled,
      sorted(cancelled).map((each) => ({ lead: nameOf(each, texts), lines: [] })),
    ),
    ...listed(
      texts.heads.files,
      texts.filesMissing,
      alikeTogether(sorted(files), (each) => [fileAdvice(each, facts, texts)], texts, most),
    ),
    ...(hasTable && toCorrect ? [text(texts.attached)] : []),
    ...(over ? [head(texts.heads.over), text(texts.over(dayIn(texts, Date.parse(over.day), 'UTC')))] : []),
    ...(waiting > 0 ? [text(texts.waiting(figureIn(texts, waiting)))] : []),
    ...(toCorrect ? [text(texts.closing)] : []),
  ];
}

/** What is wrong with an entry, and what to do. */
export function adviceLines(
  { mistake, value, columns, toFill = columns, limit = 0, example, advice }: RejectedEntry,
  { isTable }: DigestFacts,
  texts: Texts,
): [string, string] {
  const shown = value === undefined ? texts.someValue : texts.quoted(value);
  const what = texts.mistakes[mistake](shown, texts.where(columns, isTable), figureIn(texts, limit));
  const fix = texts.fixes[mistake];
  return [what, advice ?? (typeof fix === 'string' ? fix : fix(texts.where(toFill, isTable), example))];
}

/** What is wrong with a file, and what to do. */
export function fileAdvice({ columns, mistake }: FileEntry, { isTable }: DigestFacts, texts: Texts): string {
  return texts.files[mistake](texts.where(columns, isTable));
}

/** Entries of which the same is to be said are one item. */
function alikeTogether<Each extends { at: string; title?: string }>(
  entries: readonly Each[],
  linesOf: (entry: Each) => readonly string[],
  texts: Texts,
  most: number,
) {
  return [...Map.groupBy(entries, (each) => linesOf(each).join('\n'))].map(([lines, some]) => {
    const names = some.slice(0, most).map((each) => nameOf(each, texts));
    const more = some.length > names.length ? [texts.more(figureIn(texts, some.length - names.length))] : [];
    return { lead: [...names, ...more].join('; '), lines: lines.split('\n') };
  });
}

function nameOf({ at, title }: { at: string; title?: string }, texts: Texts): string {
  return [placeInWords(at, texts), title && datesIn(texts, title)].filter(Boolean).join(': ') || texts.places.entry;
}

/** Writes the days and times in a title in words. */
function datesIn(texts: Texts, title: string): string {
  return title.replace(/\b(\d{4}-\d\d-\d\d)(?: (\d\d:\d\d))?\b/g, (written, day: string, time: string | undefined) => {
    const at = Date.parse(`${day}T${time ?? '00:00'}Z`);
    if (Number.isNaN(at)) return written;
    const clock = time === undefined ? {} : ({ hour: 'numeric', minute: '2-digit' } as const);
    return datedIn(texts, new Intl.DateTimeFormat(texts.language, { ...DAY, ...clock, timeZone: 'UTC' }).format(at));
  });
}

/** A place in a feed in the words of a language: `$.items[4]` is the fifth entry. */
export function placeInWords(at: string, { places }: Texts): string {
  return at
    .replaceAll(/\$[^\s,]+/g, (path) => {
      const index = path.split('[').at(-1)?.split(']')[0];
      return /^\d+$/.test(index ?? '') ? `${places.entry} ${Number(index) + 1}` : path;
    })
    .replaceAll(/\bVEVENT\b/g, places.event)
    .replaceAll(/\bitem(?= \d)/g, places.entry)
    .replaceAll(/\b(line|row|page)(?= \d)/g, (_, word: 'line' | 'row' | 'page') => places[word]);
}

function listOf(items: readonly ListItem[], texts: Texts, most: number): DigestBlock[] {
  const rest = items.length - most;
  const list: DigestBlock = { is: 'list', items: items.slice(0, most) };
  return rest > 0 ? [list, text(texts.more(figureIn(texts, rest)))] : [list];
}

function text(content: string): DigestBlock {
  return { is: 'text', text: content };
}

function head(content: string): DigestBlock {
  return { is: 'head', text: content };
}

const DAY = { year: 'numeric', month: 'long', day: 'numeric' } as const;

function timeIn(texts: Texts, at: number, timeZone: string): string {
  const parts = { hour: 'numeric', minute: '2-digit', timeZoneName: 'short' } as const;
  const format = new Intl.DateTimeFormat(texts.language, { ...DAY, ...parts, timeZone });
  const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  // A language that has no name for the zone shows an offset.
  const [zone = ''] = siteTime(at, timeZone).split(' ').slice(2);
  return datedIn(texts, format.format(at).replace(name, /^(?:GMT|UTC)./.test(name) ? zone : name));
}

function dayIn(texts: Texts, at: number, timeZone: string): string {
  return datedIn(texts, new Intl.DateTimeFormat(texts.language, { ...DAY, timeZone }).format(at));
}

function datedIn({ dated = (date) => date }: Texts, date: string): string {
  return dated(date);
}

function figureIn({ language }: Texts, count: number): string {
  return new Intl.NumberFormat(language).format(count);
}
