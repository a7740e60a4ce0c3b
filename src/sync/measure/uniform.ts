import { type Payload, toText } from '../../core/record.ts';
import { startOf } from '../../core/text/record-title.ts';
import { isOver } from '../../mapping/window.ts';
import { valueAt } from '../items/values.ts';
import { exchanged, shiftOf } from './shifts.ts';

/** A change that looks like a mistake of the source if nearly all records have it. */
export type Manner =
  /** Events that are not over move by one amount. */
  | 'moved'
  /** Day and month are exchanged. */
  | 'exchanged'
  /** Different values become the same one. */
  | 'same'
  /** One text is put before or after what names the records. */
  | 'added'
  /** The value is lost. */
  | 'emptied';

/** The events that may change in some manner. */
export type Group = 'upcoming events' | 'upcoming events with a time' | 'events whose day could be a month';

/** How a record has changed. */
interface Way {
  manner: Manner;
  attribute: string;
  /** What all records that have changed in this way have in common, such as the new value. */
  what: string;
  /** Of `moved`, if by less than a day. */
  minutes?: number;
  /** Absent: the records that have a value in the attribute. */
  group?: Group;
}

/** A record that has changed. */
interface Change<Example> {
  before: Payload;
  after: Payload;
  /** The attributes that have changed. */
  differing: readonly string[];
  /** The series of an event, or the key: one decision may change all occurrences of a series. */
  unit: string;
  exampleOf(attribute: string): Example;
}

interface Tests {
  isTime(attribute: string): boolean;
  isBlank(value: Payload[string]): boolean;
  /** Whether an attribute names the records. */
  isName(attribute: string): boolean;
}

/** So many ways are counted for each attribute. If there are more, the rare ones are dropped: feeds may be larger than the memory. */
const MOST_WAYS = 20;

const HOUR = 60;
const DAY = 24 * HOUR;

/** The days and times of events that follow from their starts. */
const ENDS = /^(?:endDate|time\.end)$/;

/** Returns the groups that an event belongs to. Events that are over may change: a source may list the next date of each. */
export function groupsOf(event: Payload, now: string): Group[] {
  const groups: Group[] = exchanged(event) === undefined ? [] : ['events whose day could be a month'];
  if (isOver(event, now)) return groups;
  return [...groups, 'upcoming events', ...(startOf(event.time) ? ['upcoming events with a time' as const] : [])];
}

/** Counts in which ways records have changed. */
export function createUniformity<Example>(now: string, { isTime, isBlank, isName }: Tests) {
  const counts = new Map<string, Map<string, Count>>();
  type Count = ReturnType<typeof countFrom>;
  return { add, frequent };

  function add(change: Change<Example>): void {
    for (const way of waysOf(change)) {
      const subject = `${way.manner} ${way.group ?? way.attribute}`;
      const ways = counts.get(subject) ?? new Map<string, Count>();
      counts.set(subject, ways);
      const count = ways.get(way.what);
      if (count) {
        count.records += 1;
        count.isSeveral ||= count.unit !== change.unit;
        count.isVaried ||= count.from !== toText(change.before[way.attribute]);
      } else if (ways.size < MOST_WAYS) ways.set(way.what, countFrom(way, change));
      else for (const [what, each] of ways) if (--each.records === 0) ways.delete(what);
    }
  }

  function countFrom(way: Way, { before, unit, exampleOf }: Change<Example>) {
    const from = toText(before[way.attribute]);
    return { ...way, records: 1, unit, from, isSeveral: false, isVaried: false, example: exampleOf(way.attribute) };
  }

  function waysOf({ before, after, differing }: Change<Example>): Way[] {
    const isPast = isOver(before, now);
    const ways: Way[] = [];
    const time = differing.find(isTime);
    const shift = isPast || time === undefined ? undefined : shiftOf(before, after);
    if (time !== undefined && shift) {
      const { text, minutes } = shift;
      const group = minutes === undefined ? 'upcoming events' : 'upcoming events with a time';
      ways.push({ manner: 'moved', attribute: time, what: text, minutes, group });
    }
    if (time !== undefined && exchanged(before) === valueAt(after, 'date'))
      ways.push({ manner: 'exchanged', attribute: time, what: '', group: 'events whose day could be a month' });
    for (const attribute of differing) {
      const isFilled = [before, after].every((content) => !isBlank(content[attribute] ?? null));
      if (!isFilled || ENDS.test(attribute) || (isPast && isTime(attribute))) continue;
      const [from, to] = [toText(before[attribute]), toText(after[attribute])];
      ways.push({ manner: 'same', attribute, what: to });
      const added = isName(attribute) ? to.split(from) : [];
      if (added.length === 2 && added.includes('')) ways.push({ manner: 'added', attribute, what: added.join('…') });
    }
    return ways;
  }

  /** Returns the most frequent way of each manner and attribute, if several events or accounts have changed in it. */
  function frequent(): Count[] {
    return [...counts.values()].flatMap((ways) => {
      const all = [...ways.values()].map((count) => withSummer(count, ways));
      const [most] = all.toSorted((one, other) => other.records - one.records);
      return most?.isSeveral && (most.manner !== 'same' || most.isVaried) ? [most] : [];
    });
  }

  /** A mistake with a time zone moves events by an hour more in one half of the year. */
  function withSummer(count: Count, ways: ReadonlyMap<string, Count>): Count {
    const { minutes = DAY } = count;
    const more = [...ways.values()].find((other) => other.minutes === minutes + HOUR);
    if (!more) return count;
    const isSeveral = count.isSeveral || more.isSeveral || count.unit !== more.unit;
    return { ...count, records: count.records + more.records, isSeveral, what: `${count.what} or ${more.what}` };
  }
}
