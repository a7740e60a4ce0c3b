/** What can be wrong with an entry of a feed, as its owner sees it. */
export type Mistake =
  | ('date' | 'missing' | 'key' | 'duplicate' | 'lookup' | 'malformed')
  | ('email' | 'web' | 'yesNo' | 'value')
  | ('noDay' | 'alt' | 'short' | 'long' | 'narrow');

/** What can be wrong with a picture or another file. */
export type FileMistake = 'unreadable' | 'type' | 'large' | 'outside';

/** Why a feed cannot be read, as its owner sees it. */
export type UnreadCause = 'missing' | 'refused' | 'silent' | 'format' | 'columns' | 'large' | 'letters' | 'part';

/** The words of digests in one language. Names of feeds and columns, and values, are given with their quotation marks. */
export interface Texts {
  language: string;
  /** Corrects a date as Intl writes it. */
  dated?(date: string): string;
  quoted(text: string): string;
  /** The columns of a table, or the fields of another feed, that a mistake is about: `in the column “date”`; '' for none. */
  where(columns: readonly string[], isTable: boolean): string;
  /** In place of a value that is not shown. */
  someValue: string;
  mistakes: Readonly<Record<Mistake, (value: string, where: string, limit: string) => string>>;
  fixes: Readonly<Record<Mistake, string | ((where: string, example: string | undefined) => string)>>;
  files: Readonly<Record<FileMistake, (where: string) => string>>;
  /** What the owner may see, and do. */
  feeds: Readonly<Record<UnreadCause, string>>;
  /** Words of places: "line 3". */
  places: Readonly<Record<'line' | 'row' | 'entry' | 'page' | 'event', string>>;
  subjects: {
    unread(feed: string): string;
    empty(feed: string): string;
    rejected(feed: string, count: string, isOne: boolean): string;
    cancelled(feed: string): string;
    files(feed: string): string;
    over(feed: string): string;
    well(feed: string): string;
    test(feed: string): string;
  };
  hello(name: string | undefined): string;
  /** When the feed was read last. */
  read(feed: string, time: string): string;
  heads: { unread: string; empty: string; rejected: string; cancelled: string; files: string; over: string };
  /** @param isPartly whether what could be read is published */
  unread(since: string, isPartly: boolean): string;
  empty: string;
  over(day: string): string;
  rejected(count: string, all: string, isOne: boolean): string;
  news(count: string): string;
  /** Of new entries that an editor has to look at first. */
  waiting(count: string): string;
  cancelled: string;
  filesMissing: string;
  more(count: string): string;
  attached: string;
  closing: string;
  link(until: string): string;
  signed: string;
  well: string;
  nothing: string;
  /** In its place while the last run failed or is held. */
  unsettled: string;
  /** Heading of the page. */
  page(feed: string): string;
  test: string;
  /** Heads of the table that is attached, and its name. */
  table: { name: string; place: string; entry: string; mistake: string; fix: string };
}
