import fc from 'fast-check';
import { changeSlightly, type Entry, edition, invent, type Kind } from './things.ts';

// Histories: what happens to things and their records between the readings of a feed.

const inFeed = [
  ...['appear', 'edit', 'change', 'leave', 'return', 'returnRenamed', 'returnChanged', 'rekey', 'rekeyChanged'],
  ...['handOver', 'swap', 'repeat', 'reorder', 'shareUid'],
] as const;
/** An editor changes the item of a thing, deletes it, or creates an item like the record of a thing that appears then. */
const onSite = ['editorChanges', 'editorDeletes', 'editorCreates'] as const;

export interface Move {
  kind: (typeof inFeed)[number] | (typeof onSite)[number];
  /** Which record or thing. */
  pick: number;
  value: number;
}

export interface Step {
  moves: Move[];
  /** What a person does about the questions after the reading. */
  answers: 'all' | 'none' | 'taken back';
}

export interface History {
  kind: Kind;
  policy: 'keep' | 'delete at once' | 'delete later';
  uniqueAccounts: boolean;
  /** The things of the first reading. */
  begin: number[];
  steps: Step[];
}

const value = fc.nat({ max: 63 });
const move = fc.record<Move>({
  kind: fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom(...inFeed) },
    { weight: 1, arbitrary: fc.constantFrom(...onSite) },
  ),
  pick: fc.nat({ max: 9 }),
  value,
});

export const histories = fc.record<History>({
  kind: fc.constantFrom<Kind>('csv', 'ical', 'accounts'),
  policy: fc.constantFrom('keep', 'delete at once', 'delete later'),
  uniqueAccounts: fc.boolean(),
  begin: fc.array(value, { minLength: 2, maxLength: 4 }),
  steps: fc.array(
    fc.record<Step>({
      moves: fc.array(move, { minLength: 1, maxLength: 3 }),
      answers: fc.constantFrom('none', 'all', 'all', 'taken back'),
    }),
    { minLength: 2, maxLength: 7 },
  ),
});

/** The feed, and the things that have left it. */
export interface Feed {
  kind: Kind;
  entries: Entry[];
  left: Entry[];
  things: number;
  keys: number;
}

export function newFeed({ kind, begin }: Pick<History, 'kind' | 'begin'>): Feed {
  const feed: Feed = { kind, entries: [], left: [], things: 0, keys: 0 };
  for (const each of begin) appear(feed, each);
  return feed;
}

export const isOnSite = ({ kind }: Move): boolean => onSite.some((name) => name === kind);

/** Makes a move in the feed. A move that is impossible does nothing. */
export function moveFeed(feed: Feed, { kind, pick, value }: Move): void {
  const { entries } = feed;
  const entry = entries[pick % entries.length];
  const other = entries[(pick + 1 + value) % entries.length];
  if (kind === 'appear') appear(feed, value);
  else if (kind.startsWith('return')) comeBack(feed, kind, pick, value);
  else if (kind === 'reorder') entries.push(...entries.splice(0, 1 + (value % 3)).reverse());
  else if (entry) changeEntry(feed, entry, other, { kind, value });
}

function appear(feed: Feed, value: number): void {
  const thing = feed.things++;
  feed.entries.push({ key: newKey(feed), thing, traits: invent(thing, value, feed.kind) });
}

function newKey(feed: Feed): string {
  return `k${feed.keys++}`;
}

/** What has left returns, under its key if this is free. */
function comeBack(feed: Feed, kind: Move['kind'], pick: number, value: number): void {
  const [entry] = feed.left.splice(pick % Math.max(1, feed.left.length), 1);
  if (!entry) return;
  const isFree = feed.entries.every(({ key }) => key !== entry.key);
  const key = kind === 'return' && isFree ? entry.key : newKey(feed);
  const traits = kind === 'returnChanged' ? changeSlightly(entry.traits, value, feed.kind) : entry.traits;
  // Versions of a thing that is listed twice do not part.
  const listed = feed.entries.find(({ thing }) => thing === entry.thing);
  feed.entries.push({ ...entry, key, traits: listed?.traits ?? traits });
}

function changeEntry(feed: Feed, entry: Entry, other: Entry | undefined, { kind, value }: Omit<Move, 'pick'>): void {
  const setTraits = (change: (traits: Entry['traits']) => Entry['traits']) => {
    const { thing } = entry;
    const traits = change(entry.traits);
    for (const each of feed.entries) if (each.thing === thing) each.traits = traits;
  };
  const remove = () => feed.left.push(...feed.entries.splice(feed.entries.indexOf(entry), 1));
  if (kind === 'edit') setTraits(edition);
  if (kind === 'change' || kind === 'rekeyChanged') setTraits((old) => changeSlightly(old, value, feed.kind));
  if (kind === 'rekey' || kind === 'rekeyChanged') entry.key = newKey(feed);
  if (kind === 'leave' && feed.entries.length > 1) remove();
  if (kind === 'repeat') feed.entries.push({ ...entry, key: newKey(feed) });
  if (kind === 'handOver') {
    remove();
    appear(feed, value);
    const taker = feed.entries.at(-1);
    if (taker) taker.key = entry.key;
  }
  if (!other || other === entry) return;
  if (kind === 'swap') [entry.key, other.key] = [other.key, entry.key];
  const isShared = feed.entries.some(({ key, thing }) => key === entry.key && thing === other.thing);
  if (kind === 'shareUid' && feed.kind === 'ical' && !isShared) other.key = entry.key;
}
