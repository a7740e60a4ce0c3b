import { isDeepStrictEqual } from 'node:util';
import { countUndone } from '../../../../src/core/run.ts';
import { checkText } from './check-text.ts';
import { type Comparison, isAsked, isFree, isPublished } from './comparison.ts';
import { shownBy } from './read.ts';
import { areAsked, isAnswered, isLive, isPresent, isWithdrawnElsewhere, likeness, plainText, sameIn } from './rules.ts';
import { isCurrent, publisherOf, type SeenItem } from './seen.ts';
import { type Known, placeInOrder, type World } from './world.ts';

/** What is wrong after a run, in words; none if all is as the docs say. */
export function check(comparison: Comparison): string[] {
  const { now, before } = comparison;
  const status = now.report?.status;
  const problems = now.editors === before.editors ? [] : ['an item of an editor has changed'];
  if (now.report && countUndone(now.report.counts) !== 0) problems.push('the counts do not balance');
  if (status !== 'success' && status !== 'partial') {
    if (!mayStop(comparison)) problems.push(`the run is ${status}: ${now.report?.error?.message}`);
    if (!isDeepStrictEqual(now.items, before.items)) problems.push(`the run is ${status}, and items have changed`);
    return problems;
  }
  return [
    ...problems,
    ...now.items.flatMap((item) => checkItem(item, comparison)),
    ...[...comparison.world.known.values()].flatMap((known) => checkRecord(known, comparison)),
    ...before.items.flatMap((item) => checkDeleted(item, comparison)),
  ];
}

/** Whether no source can be read (docs/troubleshooting.md), or the feed has no records, so that the run is held (docs/missing.md). */
function mayStop({ world, now }: Comparison): boolean {
  const { sources } = world;
  if (sources.every(({ trouble }) => trouble === 'missing')) return now.report?.status === 'failed';
  return now.report?.error?.code === 'FF_GUARD_EMPTY' && sources.every((source) => shownBy(source).length === 0);
}

function checkItem(item: SeenItem, comparison: Comparison): string[] {
  const { world, now } = comparison;
  const publisher = publisherOf(world, item);
  if (!publisher) return [];
  const problems: string[] = [];
  const isUnsure = world.unsure.has(publisher.source);
  const say = (text: string) => problems.push(`item ${item.id} (${item.tag}) ${text}`);
  if (
    !isCurrent(item, publisher) &&
    !publisher.orphan &&
    !isUnsure &&
    isLive(world, publisher) &&
    !isWithdrawnElsewhere(world, publisher)
  )
    say(`is not as its source has it: version ${publisher.entry.version}`);
  if (isCurrent(item, publisher) && !hasValuesOf(item, publisher, world)) say('mixes the values of two records');
  if (!isUnsure && now.items.some((other) => other.id < item.id && publisherOf(world, other) === publisher))
    say('is there twice');
  const earlier = comparison.before.items.find(({ id }) => id === item.id);
  if (earlier && earlier.tag !== item.tag && !publisher.orphan && !isUnsure && !isLive(world, publisher))
    say('has changed to a record that its source no longer has');
  for (const other of now.items)
    if (isNewDouble(item, other, comparison)) say(`is the same event as item ${other.id} (${other.tag})`);
  for (const better of world.sources) {
    if (placeInOrder(world, better.name) >= placeInOrder(world, publisher.source)) continue;
    const [one, ...more] = sameIn(world, better.name, publisher);
    if (
      one &&
      more.length === 0 &&
      sameIn(world, publisher.source, one).length === 1 &&
      isFree(one, comparison) &&
      !isAnswered(world, publisher) &&
      isPresent(one) &&
      areAsked(world) &&
      !now.items.some((other) => other !== item && isCoveredBy(other, one, world))
    )
      say(`is better known by ${one.id}`);
  }
  problems.push(...checkText(item, publisher, comparison));
  return problems;
}

function hasValuesOf({ title, date, start, place }: SeenItem, { entry }: Known, { hasLostLedger }: World): boolean {
  // After the ledger was lost, nothing shows who has given a value that the source does not have.
  const isSamePlace = plainText(place) === plainText(entry.place) || (hasLostLedger && entry.place === '');
  return title === entry.title && date === entry.date && start === entry.start && isSamePlace;
}

/** Whether this run has created an item for an event that another item shows. */
function isNewDouble(item: SeenItem, other: SeenItem, { world, before }: Comparison): boolean {
  if (item.id === other.id || before.items.some(({ id }) => id === item.id)) return false;
  const [one, two] = [publisherOf(world, item), publisherOf(world, other)];
  if (!one || !two || one.source === two.source || likeness(one.entry, two.entry) !== 'same') return false;
  if (isAnswered(world, one) || isAnswered(world, two)) return false;
  // A source may have the event twice, and have withdrawn the record that is joined with the other one.
  if (!isLive(world, two) || isWithdrawnElsewhere(world, one) || isWithdrawnElsewhere(world, two)) return false;
  return sameIn(world, one.source, two).length === 1 && sameIn(world, two.source, one).length === 1;
}

/** A record that a source has must be published, be covered by one that is the same, or be asked about. */
function checkRecord(known: Known, comparison: Comparison): string[] {
  const { world, now } = comparison;
  if (known.orphan || !isPresent(known) || !isFree(known, comparison)) return [];
  // Of several sources that still have what another one has withdrawn, the best one is asked about.
  if (isWithdrawnElsewhere(world, known) || known.mayBeAnother || !areAsked(world)) return [];
  if (now.report?.problems.some(({ key }) => key === known.id)) return [];
  const covering = now.items.filter((item) => {
    const publisher = publisherOf(world, item);
    return publisher?.source !== known.source && likeness(publisher?.entry ?? item, known.entry) === 'same';
  });
  const mates = sameIn(world, known.source, known).filter((mate) => isPresent(mate) && isFree(mate, comparison));
  return mates.length < covering.length ? [] : [`record ${known.id} is neither published nor covered nor asked about`];
}

/** An item may only go if nothing has its event. */
function checkDeleted(item: SeenItem, comparison: Comparison): string[] {
  const { world, now } = comparison;
  if (now.items.some(({ id }) => id === item.id)) return [];
  if (world.policy === 'keep') return [`item ${item.id} (${item.tag}) was deleted, and all are to be kept`];
  const publisher = publisherOf(world, item);
  if (
    publisher &&
    !isWithdrawnElsewhere(world, publisher) &&
    isLive(world, publisher) &&
    !isPublished(publisher, comparison) &&
    // A lost ledger has lost the answers.
    !isAsked(publisher, comparison)
  )
    return [`item ${item.id} (${item.tag}) was deleted, and its source has it`];
  const about = publisher?.entry ?? item;
  const heirs = [...world.known.values()].filter(
    (known) =>
      known !== publisher &&
      isPresent(known) &&
      likeness(known.entry, about) === 'same' &&
      known.source !== publisher?.source,
  );
  const lost = publisher?.withdrawn
    ? []
    : heirs.filter((heir) => !isAsked(heir, comparison) && !isAnswered(world, heir));
  if (lost.some((heir) => !isShown(heir, comparison)))
    return [`item ${item.id} (${item.tag}) was deleted instead of passing to ${lost.map(({ id }) => id).join(', ')}`];
  return [];
}

/** Whether an event was published before the run, or is now an item that was there before. */
function isShown(known: Known, { world, before, now }: Comparison): boolean {
  if (before.items.some((item) => publisherOf(world, item) === known)) return true;
  return now.items.some((item) => {
    const isIt = publisherOf(world, item) === known || isCoveredBy(item, known, world);
    return isIt && before.items.some(({ id }) => id === item.id);
  });
}

/** Whether an item shows the event of a record, as another source has it. */
function isCoveredBy(item: SeenItem, known: Known, world: World): boolean {
  return publisherOf(world, item)?.source !== known.source && likeness(item, known.entry) === 'same';
}
