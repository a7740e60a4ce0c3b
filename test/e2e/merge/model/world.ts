/** What visitors see of an event. A start of '' means that no time is given; a place of '' that none is named. */
export interface Happening {
  title: string;
  date: string;
  start: string;
  place: string;
}

/** A record as its source has it now. */
export interface Entry extends Happening {
  key: string;
  text: string;
  /** Counts the changes of the record, so that an item shows which version of which record it has. */
  version: number;
  cancelled: boolean;
}

export type Trouble = 'missing' | 'truncated' | 'empty';

export interface Source {
  name: string;
  kind: 'csv' | 'ical';
  entries: Entry[];
  /** Records that the source no longer has. */
  dropped: Entry[];
  nextKey: number;
  /** What is wrong with the next reading. */
  trouble?: Trouble;
  /** The key of a record that the next reading rejects. */
  bad?: string;
}

/** The last good values of a record, as the readings have shown them. */
export interface Known {
  id: string;
  source: string;
  entry: Entry;
  /** Complete readings in a row that did not have the record. */
  absent: number;
  /** The source had it once and withdrew it. */
  withdrawn: boolean;
  /** When it was new, its source no longer had one like it: it may be that one, with another key (docs/missing.md). */
  mayBeAnother: boolean;
  /** The last reading has rejected it. */
  rejected?: boolean;
  /** The source was removed from the sync file. */
  orphan: boolean;
}

export interface Answered {
  why: string;
  answer: 'same' | 'distinct';
  ids: string[];
  places: string[];
}

export interface World {
  /** The best first. */
  sources: Source[];
  removed: Source[];
  fill: string[];
  policy: 'delete' | 'keep';
  after: number;
  known: Map<string, Known>;
  /** Names of the sources of which a record was published or covered since the ledger began. */
  delivered: Set<string>;
  answers: Answered[];
  /** The texts that each record has had. */
  texts: Map<string, Set<string>>;
  nextText: number;
  hasLostLedger: boolean;
  /** Names of the sources whose items have other keys since the ledger was lost: which record has which, only their contents show. */
  unsure: Set<string>;
  /** How many complete readings there were since a record moved: so long, records are not asked about that no longer are the same. */
  calm: number;
  /** What the sync file has. */
  syncFile?: string;
}

export function newWorld(kinds: ReadonlyArray<Source['kind']>, policy: World['policy'], after: number): World {
  const names = ['central', 'music', 'library'];
  const sources = kinds.map((kind, index): Source => {
    return { name: names[index] ?? '', kind, entries: [], dropped: [], nextKey: 1 };
  });
  return {
    ...{ sources, removed: [], fill: [], policy, after, known: new Map(), delivered: new Set() },
    ...{ answers: [], texts: new Map(), nextText: 1, calm: 0, hasLostLedger: false, unsure: new Set() },
  };
}

const HAPPENINGS: readonly Happening[] = (
  [
    ['Requiem', '2031-03-01', '19:00', 'Main Hall'],
    ['Old Maps', '2031-03-02', '18:00', 'Library'],
    ['REQUIEM', '2031-03-01', '19:00', 'main  hall'],
    ['Requiem', '2031-03-08', '19:00', 'Main Hall'],
    ['Requiem', '2031-03-01', '19:00', 'Great Hall'],
    ['Old Maps', '2031-03-01', '19:00', 'Main Hall'],
    ['Requiem', '2031-03-01', '20:00', 'Main Hall'],
    ['Requiem', '2031-03-01', '19:00', ''],
    ['Requiem', '2031-03-01', '', 'Main Hall'],
  ] as const
).map(([title, date, start, place]) => ({ title, date, start, place }));

/** One of a few events; small numbers and multiples of three are the most usual ones. */
export function happening(value: number): Happening {
  const index = value % 2 === 0 ? value % 4 : value % HAPPENINGS.length;
  return HAPPENINGS[index] as Happening;
}

export const tagOf = (source: string, { key, version }: Entry) => `${source}/${key}@${version}`;

export function placeInOrder(world: World, source: string): number {
  const index = world.sources.findIndex(({ name }) => name === source);
  return index === -1 ? Number.POSITIVE_INFINITY : index;
}

/** Gives a record a new version, and a new text unless it is to have none. */
export function change(world: World, source: Source, entry: Entry, values: Partial<Entry>): void {
  Object.assign(entry, values);
  entry.version += 1;
  remember(world, source, entry);
}

export function newText(world: World): string {
  world.nextText += 1;
  return `text ${world.nextText}`;
}

export function remember(world: World, source: Source, { key, text }: Entry): void {
  const id = `${source.name}/${key}`;
  world.texts.set(id, (world.texts.get(id) ?? new Set()).add(text));
}
