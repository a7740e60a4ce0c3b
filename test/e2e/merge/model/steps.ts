import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { isLong } from '../../../support/long.ts';
import type { Site } from '../../site.ts';
import { change, type Entry, happening, newText, remember, type Source, type World } from './world.ts';

export interface Move {
  kind: (typeof KINDS)[number];
  source: number;
  record: number;
  value: number;
}

/** Every kind as often as it is listed. */
const KINDS = [
  ...([
    'nothing',
    'edit',
    'edit',
    'blank',
    'move',
    'move',
    'follow',
    'drop',
    'drop',
    'back',
    'back',
    'add',
    'add',
  ] as const),
  ...(['double', 'rekey', 'missing', 'truncated', 'empty', 'bad', 'cancel', 'cancel', 'reorder', 'fill'] as const),
  ...(['answer', 'answer', 'answer', 'takeBack', 'loseLedger', 'remove', 'restore'] as const),
] as const;

const move: fc.Arbitrary<Move> = fc.record({
  kind: fc.constantFrom(...KINDS),
  source: fc.nat(2),
  record: fc.nat(4),
  value: fc.nat(60),
});

/** What happens before each run. */
export const steps = fc.array(fc.array(move, { minLength: 1, maxLength: 3, size: 'max' }), {
  ...{ minLength: 2, maxLength: isLong ? 9 : 5, size: 'max' },
});

export type Steps = Move[][];

/** Describes a move for a failure message. */
export const describeMove = ({ kind, source, record, value }: Move) => `${kind} ${source} ${record} ${value}`;

interface Target {
  world: World;
  site: Site;
  source: Source;
  value: number;
}

/** Moves that need no record. */
const MOVES: Partial<Record<Move['kind'], (target: Target) => void>> = {
  add: ({ world, source, value }) => add(world, source, happening(value)),
  reorder: ({ world }) => world.sources.push(...world.sources.splice(0, 1)),
  fill({ world, value }) {
    world.fill = world.sources.map(({ name }) => name).filter((_, index) => ((value >> index) & 1) === 1);
  },
  loseLedger: ({ world, site }) => loseLedger(world, site),
  remove: ({ world, source }) => remove(world, source),
  restore: ({ world }) => restore(world),
  back: ({ world, source }) => bring(world, source),
  rekey: ({ world, source }) => rekey(world, source),
};

/** Moves of one record. */
const CHANGES: Partial<Record<Move['kind'], (entry: Entry, target: Target) => void>> = {
  edit: (entry, { world, source }) => change(world, source, entry, { text: newText(world) }),
  blank: (entry, { world, source }) => change(world, source, entry, { text: '' }),
  move: (entry, { world, source, value }) => change(world, source, entry, moved(value)),
  follow: (entry, { world, source, value }) => follow(world, source, entry, value),
  double: (entry, { world, source }) => add(world, source, entry),
  bad(entry, { source }) {
    source.bad = entry.key;
  },
  cancel(entry, { world, source }) {
    if (source.kind === 'ical') change(world, source, entry, { cancelled: !entry.cancelled });
  },
  drop: (entry, { source }) => source.dropped.push(...source.entries.splice(source.entries.indexOf(entry), 1)),
};

/** Makes a move. The player makes those that are commands, such as answers. */
export function makeMove(world: World, site: Site, { kind, source: which, record, value }: Move): void {
  const source = world.sources[which % world.sources.length] as Source;
  const entry = source.entries[record % Math.max(source.entries.length, 1)];
  const target = { world, site, source, value };
  if (kind === 'missing' || kind === 'truncated' || kind === 'empty') source.trouble = kind;
  MOVES[kind]?.(target);
  if (entry) CHANGES[kind]?.(entry, target);
}

export function add(
  world: World,
  source: Source,
  { title, date, start, place }: Entry | ReturnType<typeof happening>,
): void {
  const [key, text] = [String(source.nextKey), source.nextKey % 3 === 0 ? '' : newText(world)];
  source.nextKey += 1;
  const entry = { key, title, date, start, place, text, version: 1, cancelled: false };
  source.entries.push(entry);
  remember(world, source, entry);
}

/** The source gives all its records new keys. */
function rekey(world: World, source: Source): void {
  for (const entry of source.entries) {
    const [old, id] = [entry.key, source.nextKey].map((key) => `${source.name}/${key}`) as [string, string];
    for (const { ids } of world.answers) if (ids.includes(old)) ids.push(id);
    entry.key = String(source.nextKey);
    source.nextKey += 1;
    remember(world, source, entry);
  }
}

/** One value of another event. */
function moved(value: number): Partial<Entry> {
  const { title, date, start, place } = happening(Math.floor(value / 4));
  return [{ date }, { title }, { start }, { place }][value % 4] as Partial<Entry>;
}

/** The record becomes like one of another source. */
function follow(world: World, source: Source, entry: Entry, value: number): void {
  const others = world.sources.filter((each) => each !== source).flatMap(({ entries }) => entries);
  const other = others[value % Math.max(others.length, 1)];
  if (!other) return;
  const { title, date, start, place } = other;
  change(world, source, entry, { title, date, start, place });
}

function bring(world: World, source: Source): void {
  const entry = source.dropped.pop();
  if (!entry) return;
  source.entries.push(entry);
  change(world, source, entry, {});
}

function remove(world: World, source: Source): void {
  if (world.sources.length < 3) return;
  world.sources = world.sources.filter((each) => each !== source);
  world.removed.push(source);
  for (const known of world.known.values()) if (known.source === source.name) known.orphan = true;
}

function restore(world: World): void {
  const source = world.removed.pop();
  if (!source) return;
  world.sources.push(source);
  for (const known of world.known.values()) if (known.source === source.name) known.orphan = false;
}

function loseLedger(world: World, site: Site): void {
  rmSync(site.variables.FEEDFERRY_DATA ?? '', { recursive: true, force: true });
  world.known.clear();
  world.delivered.clear();
  world.answers = [];
  world.hasLostLedger = true;
}
