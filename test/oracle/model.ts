import type { RunReport } from '../../src/core/run.ts';
import type { History } from './history.ts';
import { isAnother, isRecognised, resembles } from './rules.ts';
import { type Entry, type Kind, naming, resourceOf, type Traits, thingOf } from './things.ts';

// What may be on the site after a reading, by the docs alone: not one state, but what must be true of any.

/** An item of the site as visitors see it. */
export interface SeenItem {
  id: number;
  traits: Traits;
}

/** A reading, and what came of it. */
export interface Reading {
  entries: readonly Entry[];
  report: Pick<RunReport, 'status' | 'counts' | 'complete' | 'problems' | 'rejections' | 'error'>;
  items: readonly SeenItem[];
}

export interface Question {
  entry: Entry;
  key: string;
  code: string;
  /** The item that the question is about. */
  item: SeenItem;
  truth: 'same' | 'distinct';
}

export interface Model {
  kind: Kind;
  policy: History['policy'];
  /** Thing → what any reading has said of it. */
  versions: Map<number, Traits[]>;
  /** Thing → how often one reading listed it, at most. */
  listed: Map<number, number>;
  /** Things that may be twice, because the docs do not promise that they are recognised. */
  confused: Set<number>;
  /** Things that were in a question. */
  asked: Set<number>;
  /** Things whose item an editor has deleted. */
  deleted: Set<number>;
  /** Key → what its item showed when an editor deleted it: it stays deleted. */
  deletedKeys: Map<string, Traits>;
  /** Item → trait → values of editors. */
  edits: Map<number, Array<[trait: string, value: string]>>;
  /** Items that editors have created. */
  editors: Map<number, SeenItem>;
  /** Item → keys of the records that it has shown. */
  keys: Map<number, Set<string>>;
  /** The questions that the last reading left open. */
  open: Question[];
  /** Answers that hold: the pair, and what named both. */
  answers: Map<string, string>;
  before: readonly SeenItem[];
  previous: readonly Entry[];
  /** How often a record was right, asked about, or the documented rules were satisfied with less. */
  tally: Record<'right' | 'asked' | 'documented', number>;
}

export function newModel({ kind, policy }: Pick<History, 'kind' | 'policy'>): Model {
  const tally = { right: 0, asked: 0, documented: 0 };
  return {
    ...{ kind, policy, versions: new Map(), listed: new Map(), confused: new Set(), asked: new Set() },
    ...{
      deleted: new Set(),
      deletedKeys: new Map(),
      open: [],
      edits: new Map(),
      editors: new Map(),
      keys: new Map(),
      answers: new Map(),
    },
    ...{ before: [], previous: [], tally },
  };
}

/** Judges a reading. Returns what is silently wrong: `rule: what`. */
export function judge(model: Model, reading: Reading): string[] {
  hear(model, reading);
  const { status, error } = reading.report;
  // docs/delivery.md: a CMS that lacks what was confirmed last proves nothing.
  if (status === 'held' && error?.code === 'FF_CMS_UNPROVEN' && model.deleted.size > 0) return [];
  const wrong =
    status === 'success' || status === 'partial'
      ? [balance, rewritten, invented, twice, missing, foreign, removed, leftBehind, askedAgain].flatMap((check) =>
          check(model, reading),
        )
      : [`failed: the run is ${status}, ${JSON.stringify(reading.report.error)}`];
  remember(model, reading);
  return wrong;
}

/** Takes what the reading says, before it is judged. */
function hear(model: Model, { entries }: Reading): void {
  for (const { thing, traits } of entries) {
    const known = model.versions.get(thing) ?? [];
    if (!known.some((version) => isEqual(version, traits))) model.versions.set(thing, [...known, traits]);
    const times = entries.filter((entry) => entry.thing === thing).length;
    model.listed.set(thing, Math.max(times, model.listed.get(thing) ?? 0));
  }
}

function remember(model: Model, reading: Reading): void {
  const { entries, items } = reading;
  for (const { thing } of questionsOf(reading).map(({ entry }) => entry)) model.asked.add(thing);
  for (const { item } of questionsOf(reading)) model.asked.add(thingOf(item.traits));
  const named = namedIn(reading);
  const shown = entries.filter((entry) => !named.has(entry));
  model.open = questionsOf(reading);
  for (const { id, traits } of items) {
    const keys = shown.filter(({ thing }) => thing === thingOf(traits)).map(({ key }) => key);
    model.keys.set(id, new Set([...(model.keys.get(id) ?? []), ...keys]));
  }
  model.before = items;
  model.previous = entries.map((entry) => ({ ...entry }));
}

/** The open questions of a reading that name an item and one record. */
export function questionsOf({ entries, report, items }: Reading): Question[] {
  return report.problems.flatMap((problem) => {
    if (!['FF_KEY_CHANGED', 'FF_KEY_REUSED', 'FF_RECORD_ALIKE'].includes(problem.code)) return [];
    const [entry, ...others] = entriesOf(problem, entries);
    const id = Number(/\bitem (\d+)/.exec(problem.reason)?.[1]);
    const item = items.find((each) => each.id === id);
    if (!entry || !item || others.length > 0) return [];
    const truth = thingOf(item.traits) === entry.thing ? 'same' : 'distinct';
    return [{ entry, item, truth, key: problem.key, code: problem.code }];
  });
}

/** The records that a problem may be about. Events that share a UID have keys that begin with it. */
function entriesOf({ key = '', title = '' }: { key?: string; title?: string }, entries: readonly Entry[]): Entry[] {
  return entries.filter((entry) => {
    const { title: name = '', date, start } = entry.traits;
    return entry.key === key || (key.startsWith(`${entry.key}/`) && title.startsWith(`${name}, ${date} ${start}`));
  });
}

function namedIn({ entries, report: { problems, rejections } }: Reading): Set<Entry> {
  return new Set([...problems, ...rejections].flatMap((problem) => entriesOf(problem, entries)));
}

export function pairOf({ entry, item, code }: Question): string {
  // An item of other owners is compared with a record under its key.
  const record = code === 'FF_RECORD_ALIKE' ? entry.key : entry.thing;
  return `${record} and ${item.traits.mark}`;
}

/** What names both sides of a question. */
export function namesOf({ entry, item }: Question, kind: Kind): string {
  return JSON.stringify(naming[resourceOf(kind)].map((trait) => [entry.traits[trait], item.traits[trait]]));
}

function isEqual(one: Traits, other: Traits): boolean {
  return Object.entries(one).every(([trait, value]) => other[trait] === value);
}

/** Whether an item shows these traits, but for what editors have written. */
function shows(model: Model, { id, traits }: SeenItem, version: Traits): boolean {
  const edits = model.edits.get(id) ?? [];
  return Object.entries(version).every(
    ([trait, value]) =>
      traits[trait] === value || edits.some(([name, edited]) => name === trait && edited === traits[trait]),
  );
}

const describe = ({ id, traits }: SeenItem) => `item ${id} (${Object.values(traits).join(', ')})`;
const describeEntry = ({ key, traits }: Entry) => `record ${key} (${Object.values(traits).join(', ')})`;

/** docs/commands.md#sync: the counts balance. */
function balance(_: Model, { entries, report: { counts } }: Reading): string[] {
  const { read, created, updated, unchanged, rejected, failed, held, skipped } = counts;
  const sum = created + updated + unchanged + rejected + failed + held + skipped;
  return [
    ...(read === sum ? [] : [`balance: ${JSON.stringify(counts)}`]),
    ...(read === entries.length ? [] : [`counted: ${read} read, but the feed has ${entries.length}`]),
  ];
}

/** docs/delivery.md: identity is exact. An item stays that of its thing, unless docs/missing.md says that the other one counts as the same. */
function rewritten(model: Model, reading: Reading): string[] {
  return reading.items.flatMap((item) => {
    const was = model.before.find(({ id }) => id === item.id);
    if (!was || thingOf(was.traits) === thingOf(item.traits) || model.editors.has(item.id)) return [];
    const takers = reading.entries.filter(({ thing }) => thing === thingOf(item.traits));
    const isExcluded = model.confused.has(thingOf(was.traits));
    if (!isExcluded && !takers.some((entry) => isDocumented(model, was, entry, reading))) {
      return [`rewritten: ${describe(was)} has become ${describe(item)}`];
    }
    for (const { traits } of [was, item]) model.confused.add(thingOf(traits));
    model.tally.documented += 1;
    return [];
  });
}

/** Whether the docs say that a record is updated, or recognised, although it is about another thing than the item. */
function isDocumented(model: Model, was: SeenItem, entry: Entry, { entries }: Reading): boolean {
  const { kind, previous } = model;
  const last = model.versions.get(thingOf(was.traits))?.at(-1) ?? was.traits;
  const earlier = [was.traits, last];
  const keys = model.keys.get(was.id) ?? new Set();
  const others = entries.filter(({ thing, key }) => keys.has(key) && thing === thingOf(was.traits));
  // Of a thing that was listed twice, one record has left.
  const isLeft = others.length < model.before.filter(({ traits }) => thingOf(traits) === thingOf(was.traits)).length;
  if (!keys.has(entry.key)) {
    return isLeft && earlier.some((traits) => isRecognised(traits, entry.traits, kind));
  }
  const sharing = [...previous, ...entries].filter(({ key }) => key === entry.key);
  if (kind === 'ical' && new Set(sharing.map(({ thing }) => thing)).size > 2) {
    // Of the series, what is before the moved ones may stay.
    const rest = previous.filter(
      ({ key, traits }) => key === entry.key && String(traits.date) >= String(was.traits.date),
    );
    const isMoved = !rest.some((one) => entries.some(({ thing, key }) => thing === one.thing && key === one.key));
    return isLeft && (isMoved || earlier.some(({ date }) => date === entry.traits.date));
  }
  if (earlier.some((traits) => !isAnother(traits, entry.traits, kind))) return true;
  const passed = previous.filter((one) =>
    entries.some(({ key, traits }) => key === one.key && isAnother(one.traits, traits, kind)),
  );
  const { start, place } = entry.traits;
  const isElsewhere = earlier.every((traits) => traits.start !== start && traits.place !== place);
  return kind !== 'accounts' && !isElsewhere && passed.length === 1 && passed[0]?.key === entry.key;
}

/** Nothing is on the site that no reading has said. */
function invented(model: Model, { items }: Reading): string[] {
  return items.flatMap((item) => {
    if (model.editors.has(item.id)) return [];
    const versions = model.versions.get(thingOf(item.traits)) ?? [];
    return versions.some((version) => shows(model, item, version))
      ? []
      : [`invented: no reading had ${describe(item)}, but ${JSON.stringify(versions)}`];
  });
}

/** docs/delivery.md: no duplicates. docs/missing.md: a new record that is a missing one keeps its item; one that resembles it is asked about. */
function twice(model: Model, reading: Reading): string[] {
  for (const entry of reading.entries) {
    const olds = model.before.filter(({ traits }) => thingOf(traits) === entry.thing);
    for (const { id, traits } of olds) {
      const last = model.previous.find(({ thing }) => thing === entry.thing)?.traits ?? traits;
      const isKnown = model.keys.get(id)?.has(entry.key);
      const mayBe = [traits, last].every((version) => resembles(version, entry.traits, model.kind));
      if (!isKnown && !mayBe) model.confused.add(entry.thing);
    }
  }
  return doublesIn(model, reading).map(
    ([thing, items]) => `twice: thing ${thing} is on ${items.map(describe).join(' and ')}`,
  );
}

function doublesIn(model: Model, { items }: Pick<Reading, 'items'>): Array<[thing: number, items: SeenItem[]]> {
  const things = [...model.versions.keys()].filter((thing) => !model.confused.has(thing));
  return things.flatMap((thing) => {
    const showing = items.filter((item) => thingOf(item.traits) === thing);
    return showing.length > (model.listed.get(thing) ?? 1) ? [[thing, showing] as [number, SeenItem[]]] : [];
  });
}

/** docs/delivery.md: no hidden failures. */
function missing(model: Model, reading: Reading): string[] {
  const named = namedIn(reading);
  return reading.entries.flatMap((entry) => {
    if (named.has(entry)) {
      model.tally.asked += 1;
      return [];
    }
    const all = reading.entries.filter(({ thing }) => thing === entry.thing);
    const showing = reading.items.filter(
      (item) => thingOf(item.traits) === entry.thing && shows(model, item, entry.traits),
    );
    const left = all.filter((each) => !named.has(each) && staysDeleted(model, each));
    // It follows its record, also to another key.
    for (const { thing } of left) model.deleted.add(thing);
    const least = all.filter((each) => !named.has(each) && !left.includes(each)).length;
    if (showing.length < least) return [`missing: ${describeEntry(entry)} is neither on the site nor named`];
    model.tally.right += 1;
    return [];
  });
}

/** docs/configuration.md, onDeletedInCms. An account under the key of another one that was deleted is another account. */
function staysDeleted({ deleted, deletedKeys, versions, kind }: Model, { thing, key, traits }: Entry): boolean {
  const earlier = deletedKeys.get(key);
  const isRecognisedAs = (other: number) => versions.get(other)?.some((each) => isRecognised(each, traits, kind));
  return (
    deleted.has(thing) ||
    [...deleted].some(isRecognisedAs) ||
    (earlier !== undefined && (kind !== 'accounts' || !isAnother(earlier, traits, kind)))
  );
}

/** Items of editors are theirs. */
function foreign(model: Model, { items }: Reading): string[] {
  return [...model.editors.values()].flatMap((own) => {
    const now = items.find(({ id }) => id === own.id);
    return now && isEqual(now.traits, own.traits)
      ? []
      : [`foreign: ${describe(own)} of an editor is now ${now ? describe(now) : 'deleted'}`];
  });
}

/** docs/missing.md: only what has left the feed is deleted, and only if the policy says so. */
function removed(model: Model, reading: Reading): string[] {
  const named = namedIn(reading);
  const gone = model.before.filter(({ id }) => reading.items.every((item) => item.id !== id));
  return gone.flatMap((item) => {
    if (model.policy === 'keep') return [`removed: ${describe(item)}, which is to be kept`];
    const entry = reading.entries.find(({ thing }) => thing === thingOf(item.traits));
    if (!entry || model.confused.has(entry.thing)) return [];
    // A thing that was listed twice may lose one of its items.
    if ((model.listed.get(entry.thing) ?? 1) > 1) return [];
    return named.has(entry)
      ? [`removed: ${describe(item)}, although it is in a question`]
      : [`removed: ${describe(item)}, although the feed has it`];
  });
}

/** docs/missing.md: what is missing is deleted. */
function leftBehind(model: Model, reading: Reading): string[] {
  const { entries, items, report } = reading;
  if (model.policy !== 'delete at once' || !report.complete || report.counts.unremoved > 0) return [];
  const left = items.filter(({ id, traits }) => {
    const thing = thingOf(traits);
    const isOpen =
      model.editors.has(id) ||
      model.confused.has(thing) ||
      model.asked.has(thing) ||
      entries.some(({ key }) => model.keys.get(id)?.has(key));
    return !isOpen && entries.every((entry) => entry.thing !== thing);
  });
  const asked = new Set(questionsOf(reading).map(({ item }) => item.id));
  return left.filter(({ id }) => !asked.has(id)).map((item) => `left behind: ${describe(item)} is not in the feed`);
}

/** docs/missing.md: an answer is about the two records, whatever keys they get. */
function askedAgain(model: Model, reading: Reading): string[] {
  return questionsOf(reading).flatMap((question) =>
    model.listed.get(question.entry.thing) === 1 &&
    !model.confused.has(question.entry.thing) &&
    !model.confused.has(thingOf(question.item.traits)) &&
    model.answers.get(pairOf(question)) === namesOf(question, model.kind)
      ? [`asked again: ${question.code} about ${describeEntry(question.entry)} and ${describe(question.item)}`]
      : [],
  );
}

/** docs/verify.md: doubles are named. Returns what a verification does not name. */
export function unnamedDoubles(
  model: Model,
  items: readonly SeenItem[],
  entries: readonly Entry[],
  named: ReadonlySet<number>,
): string[] {
  return [...model.versions.keys()].flatMap((thing) => {
    const showing = items.filter(({ traits }) => thingOf(traits) === thing);
    const times = entries.filter((entry) => entry.thing === thing).length;
    const [first, second] = showing;
    const isAlike = first && second && resembles(first.traits, second.traits, model.kind);
    const isNamed = ({ id }: SeenItem) => named.has(id) || model.open.some(({ item }) => item.id === id);
    if (times === 0 || showing.length <= times || !isAlike || showing.some(isNamed)) return [];
    return [`unnamed: ${showing.map(describe).join(' and ')} are one thing, and verify does not say so`];
  });
}
