import { isDeepStrictEqual } from 'node:util';
import { type Json, type Payload, type Resource, toText } from '../../core/record.ts';
import type { ChangeMeasure } from '../../core/run.ts';
import type { PlannedUpdate, RecentUpdate } from '../../ledger/plans/planned-updates.ts';
import { hasValue, isEmpty } from '../items/values.ts';
import { hasForeignLetters, isGarbled } from './garbled.ts';
import { shiftOf } from './shifts.ts';
import { createUniformity, type Group, groupsOf, type Manner } from './uniform.ts';

/** A measure, with what a person needs to judge it. */
export interface ShownMeasure extends ChangeMeasure {
  /** One of the records. */
  example?: ChangeExample;
  /** How all of these records have changed in the same way. Of events: which could have changed so. */
  uniform?: { manner: Manner; group?: Group };
  /** By how much all records have moved, if all have moved by the same amount. */
  shift?: string;
  /** How many of the records were changed by runs shortly before. */
  recent?: number;
  /** Of `churn`: how many records are new. */
  fresh?: number;
}

export interface ChangeExample {
  key: string;
  attribute: string;
  from: Json;
  to: Json;
}

interface MeasureOptions {
  resource: Resource;
  /** Attributes whose changes do not count: the external id, and those that the sync ignores. */
  ignored: ReadonlySet<string>;
  /** Whether the time zone rules have changed since the last plan, so that days and times may, too. */
  mayMove: boolean;
  /** What the site's clock shows: YYYY-MM-DDTHH:MM:SS. */
  now: string;
}

const TIMES: ReadonlySet<string> = new Set([
  'date',
  'endDate',
  'time',
  'isMultiDay',
  'spansMultipleDays',
  'showOnAllDates',
]);
const NAMES: Record<Resource, readonly string[]> = { events: ['title'], accounts: ['email', 'username'] };

/** Whether an attribute has the day or time of an event. */
export function isTime(attribute: string): boolean {
  return TIMES.has(attribute.split('.', 1)[0] ?? attribute);
}

/** Counts what the updates of a plan change, and the records that could be affected alike. */
export function createTally({ resource, ignored, mayMove, now }: MeasureOptions) {
  const changed = affected();
  const core = affected();
  const garbled = affected();
  const emptied = new Map<string, ReturnType<typeof affected>>();
  /** How many records have a value, by attribute, or are in a group of events; and how many have letters outside ASCII. */
  const filled = new Map<string, number>();
  let foreign = 0;
  const shifts = new Set<string | undefined>();
  const isEventTime = (name: string) => resource === 'events' && isTime(name);
  const uniformity = createUniformity<ChangeExample>(now, { isTime: isEventTime, isBlank, isName });
  return { add, addRecent, addOther, measures };

  function add(update: PlannedUpdate): void {
    const { before, after, key, series = key } = update;
    if (!before) return;
    const wasForeign = addOther(before);
    const differing = changesOf(update, resource === 'events' && mayMove ? (name) => !isTime(name) : () => true);
    const [first] = differing;
    if (first === undefined) return;
    const exampleOf = (attribute: string) => ({
      key,
      attribute,
      from: before[attribute] ?? null,
      to: after[attribute] ?? null,
    });
    changed.add(() => exampleOf(first), series);
    const telling = differing.find((name) => isTelling(name, before));
    if (telling !== undefined) core.add(() => exampleOf(telling), series);
    if (differing.some(isTime)) shifts.add(shiftOf(before, after)?.text);
    uniformity.add({ before, after, differing, unit: series, exampleOf });
    for (const attribute of differing) {
      if (isEmptied(attribute, before, after)) emptiedOf(attribute).add(() => exampleOf(attribute), series);
    }
    const wrong = differing.find((name) => isGarbled(toText(before[name]), toText(after[name])));
    if (wrong === undefined) return;
    garbled.add(() => exampleOf(wrong), series);
    if (!wasForeign) foreign += 1;
  }

  /**
   * Counts what a run has changed shortly before, so that changes add up: of title, day, time and addresses, and values that were
   * emptied. Other changes are frequent in many feeds.
   */
  function addRecent({ key, series = key, before, after }: RecentUpdate): void {
    const differing = Object.keys(before).filter((name) => {
      return !ignored.has(name) && !hasValue(before, name, after[name] ?? null);
    });
    if (differing.some((name) => isTelling(name, before))) core.addRecent(key, series);
    for (const attribute of differing) {
      if (!isEmptied(attribute, before, after) || !emptiedOf(attribute).addRecent(key, series)) continue;
      filled.set(attribute, (filled.get(attribute) ?? 0) + 1);
    }
  }

  function isTelling(name: string, before: Payload): boolean {
    return (isName(name) || isEventTime(name)) && !isEmpty(before[name] ?? null);
  }

  function isName(attribute: string): boolean {
    return NAMES[resource].includes(attribute);
  }

  function emptiedOf(attribute: string): ReturnType<typeof affected> {
    const records = emptied.get(attribute) ?? affected();
    emptied.set(attribute, records);
    return records;
  }

  /** Counts a published record that stays as it is. Returns whether it has letters outside ASCII. */
  function addOther(content: Payload): boolean {
    const shown = Object.entries(content).filter(([attribute, value]) => !ignored.has(attribute) && !isBlank(value));
    const groups = resource === 'events' ? groupsOf(content, now) : [];
    for (const name of [...shown.map(([attribute]) => attribute), ...groups]) {
      filled.set(name, (filled.get(name) ?? 0) + 1);
    }
    const isForeign = shown.some(([, value]) => hasForeignLetters(toText(value)));
    if (isForeign) foreign += 1;
    return isForeign;
  }

  /** @param published how many records the feed has that are published */
  function measures(published: number): ShownMeasure[] {
    const [shift] = shifts;
    const moved = shifts.size === 1 && shift !== undefined ? { shift } : {};
    const byAttribute = [...emptied].flatMap(([attribute, records]): ShownMeasure[] => {
      const measure: ShownMeasure = { rule: 'emptied', ...records.measure(filled.get(attribute) ?? 0), attribute };
      return records.isSeveral() ? [measure, { ...measure, uniform: { manner: 'emptied' } }] : [measure];
    });
    return [
      { rule: 'threshold', ...changed.measure(published), ...moved },
      { rule: 'core', ...core.measure(published), ...moved },
      ...byAttribute.toSorted((one, other) => other.records / other.of - one.records / one.of),
      { rule: 'garbled', ...garbled.measure(foreign) },
      ...uniformity.frequent().map(({ manner, attribute, what, group, records, example }): ShownMeasure => {
        const among = { records, of: filled.get(group ?? attribute) ?? 0 };
        const rule = isName(attribute) || isEventTime(attribute) ? 'core' : 'threshold';
        const shift = manner === 'moved' ? { shift: what } : {};
        return { rule, ...among, attribute, example, ...shift, uniform: { manner, group } };
      }),
    ];
  }

  /** The attributes that differ from the last plan. A file that the item did not have is no change of the record. */
  function changesOf(
    { changed: names, before = {}, after, files, key, formerKey }: PlannedUpdate,
    counts: (name: string) => boolean,
  ) {
    return names.filter((name) => {
      const [from, to] = [before[name] ?? null, after[name] ?? null];
      if (ignored.has(name) || !counts(name) || isDeepStrictEqual(from, to)) return false;
      if (files.includes(name) && from === null) return false;
      return key === formerKey || from !== formerKey || to !== key;
    });
  }
}

function affected() {
  let records = 0;
  let example: ChangeExample | undefined;
  let first: string | undefined;
  let isSeveral = false;
  const recent = new Set<string>();
  /** @param unit the series of an event, or the key: one decision may change all occurrences of a series */
  const note = (unit: string) => {
    first ??= unit;
    isSeveral ||= unit !== first;
  };
  return {
    add: (make: () => ChangeExample, unit: string) => {
      records += 1;
      example ??= make();
      note(unit);
    },
    isSeveral: () => isSeveral,
    /** Returns false for a record that was counted already. */
    addRecent: (key: string, unit: string) => {
      note(unit);
      return recent.size !== recent.add(key).size;
    },
    /** What runs have changed before counts only together with what the plan changes. */
    measure: (of: number) => {
      if (records === 0 || recent.size === 0) return { records, of, ...(example && { example }) };
      return { records: records + recent.size, of, recent: recent.size, ...(example && { example }) };
    },
  };
}

function isEmptied(attribute: string, before: Payload, after: Payload): boolean {
  return !isBlank(before[attribute] ?? null) && isBlank(after[attribute] ?? null);
}

/** Whether a value shows nothing on a page: empty, or HTML without text and media. Flags are never blank, nor filled. */
function isBlank(value: Json): boolean {
  if (typeof value !== 'string') return typeof value === 'boolean' || isEmpty(value);
  if (/<(?:img|iframe|video|audio|object|embed)\b/i.test(value)) return false;
  return value.replace(/<[^<>]*>|&nbsp;/g, '').trim() === '';
}
