import { mayBeAnother } from './rules.ts';
import type { Entry, Source, World } from './world.ts';

/** Whether a reading of this source proves what it lacks (docs/missing.md). */
export function isComplete(world: World, source: Source): boolean {
  const { entries, trouble, bad } = source;
  if (trouble === 'missing' || trouble === 'truncated') return false;
  const shown = trouble === 'empty' ? [] : entries;
  if (shown.length === 0 && world.delivered.has(source.name)) return false;
  return source.kind === 'ical' || shown.length === 0 || shown.at(-1)?.key !== bad;
}

/** The records that a source shows to be published. */
export function shownBy({ entries, trouble }: Source): Entry[] {
  return trouble === 'empty' || trouble === 'missing' ? [] : entries.filter(({ cancelled }) => !cancelled);
}

/** What a run learns from all sources. */
export function readSources(world: World): void {
  if (world.sources.every((source) => isComplete(world, source))) world.calm += 1;
  for (const source of world.sources) readSource(world, source);
}

function readSource(world: World, source: Source): void {
  if (source.trouble === 'missing') return;
  const complete = isComplete(world, source);
  const shown = source.trouble === 'empty' ? [] : source.entries;
  const ids = new Set(shown.map(({ key }) => `${source.name}/${key}`));
  for (const known of world.known.values()) {
    if (known.source === source.name && !ids.has(known.id) && complete) known.absent += 1;
  }
  for (const entry of shown) learn(world, source, entry);
}

function learn(world: World, source: Source, entry: Entry): void {
  const id = `${source.name}/${entry.key}`;
  const before = world.known.get(id);
  if (entry.key === source.bad) {
    if (before) Object.assign(before, { absent: before.withdrawn ? before.absent + 1 : 0, rejected: true });
    return;
  }
  const isNew = { mayBeAnother: before?.mayBeAnother ?? mayBeAnother(world, source.name, entry) };
  const fresh = { id, source: source.name, entry: { ...entry }, absent: 0, withdrawn: false, orphan: false, ...isNew };
  if (!entry.cancelled) world.known.set(id, fresh);
  else {
    const seen = before ?? fresh;
    world.known.set(id, { ...seen, absent: seen.absent + 1, withdrawn: true });
  }
}
