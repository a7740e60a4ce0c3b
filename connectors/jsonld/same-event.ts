import { decodeHTML } from 'entities';
import { isObject } from '../../src/core/record.ts';
import { contentId, type Description, type EventDescription } from './event.ts';
import { literalsOf, textOf } from './values.ts';
import { absolute, type Node } from './vocabulary.ts';

interface Group {
  descriptions: Description[];
  start: string;
}

/** Groups that share an id or a name and are compared with a description. Real pages have only a few. */
const MOST_COMPARED = 100;

/**
 * Merges the descriptions of the same event. These share their `@id`, or else name and identifier, URL or place; and they do
 * not name different starts, since many pages use one `@id` or URL for all dates of an event.
 */
export function mergeDescriptions(descriptions: readonly Description[], base: string): EventDescription[] {
  const groups: Group[] = [];
  const known = new Map<string, Group[]>();
  const [named, unnamed] = [descriptions.filter(({ id }) => id), descriptions.filter(({ id }) => !id)];
  for (const description of [...named, ...unnamed]) add(description);
  const order = new Map(descriptions.map((description, index) => [description, index]));
  const first = ({ descriptions: [one] }: Group) => (one && order.get(one)) ?? 0;
  return groups.toSorted((a, b) => first(a) - first(b)).map(({ descriptions }) => merge(descriptions));

  function add(description: Description): void {
    const { id, node } = description;
    const start = startOf(node);
    const same = known.get(id ?? nameOf(node, base)) ?? [];
    const group = same.slice(0, MOST_COMPARED).find((one) => isSameTime(one.start, start));
    if (group) {
      group.descriptions.push(description);
      if (precision(start) > precision(group.start)) group.start = start;
      return;
    }
    const created = { descriptions: [description], start };
    groups.push(created);
    for (const label of id === undefined ? [nameOf(node, base)] : [id, nameOf(node, base)]) {
      const others = known.get(label);
      if (others) others.push(created);
      else known.set(label, [created]);
    }
  }
}

/** Returns the name by which events without `@id` are the same. An event without a name is the same only if all else is. */
function nameOf(node: Node, base: string): string {
  const name = textOf(node.name);
  return JSON.stringify(name === undefined ? node : [withoutScheme(contentId(node), base), asSeen(name).toLowerCase()]);
}

/** Programs write the same address with and without its scheme, host and last slash. */
function withoutScheme(id: string, base: string): string {
  const url = URL.parse(absolute(id, base));
  return url ? `${url.host.replace(/^www\./, '')}${url.pathname.replace(/\/$/, '')}${url.search}${url.hash}` : id;
}

/** Returns a text as people see it: some programs escape it for HTML. */
function asSeen(text: string): string {
  return decodeHTML(text).replace(/\s+/g, ' ').trim();
}

function startOf(node: Node): string {
  return literalsOf(node.startDate).join(' ');
}

const moment = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** Returns whether two dates may be the same, as a day and a time of it may. Nothing contradicts an unknown date. */
function isSameTime(one: string, other: string): boolean {
  if (one === other || one === '' || other === '') return true;
  const [, day, time, zone] = moment.exec(one) ?? [];
  const [, otherDay, otherTime, otherZone] = moment.exec(other) ?? [];
  if (zone !== undefined && otherZone !== undefined) return Date.parse(one) === Date.parse(other);
  if (day === undefined || day !== otherDay) return false;
  return time === undefined || otherTime === undefined || time === otherTime;
}

/** Returns how exact a date is: unknown, a day, a time, or a time with its zone. */
function precision(date: string): number {
  return date === '' ? 0 : 1 + (moment.exec(date) ?? []).slice(2).filter(Boolean).length;
}

/** Merges descriptions: each property has the value of the first one that has it; of dates, the most exact value. */
function merge(given: readonly Description[]): EventDescription {
  const descriptions = given.toSorted((a, b) => precision(startOf(b.node)) - precision(startOf(a.node)));
  const [first, ...others] = descriptions;
  if (first === undefined) throw new Error('an event has a description');
  if (others.length === 0) return { at: first.at, node: first.node, descriptions, differences: [] };
  const values = new Map(Object.entries(first.node).map(([name, value]) => [name, comparable(value)]));
  const differences: Array<{ name: string; at: string }> = [];
  for (const { at, node } of others) {
    for (const [name, value] of Object.entries(node)) {
      const used = values.get(name);
      const added = comparable(value);
      if (isBetter(name, used, added, first.node)) values.set(name, added);
      else if (used && isDifferent(name, used, added)) differences.push({ name, at });
      // The same place, of which the other description may say more.
      else if (used && isObject(used.value) && isObject(value)) {
        used.members ??= new Map(Object.entries(used.value));
        for (const [member, one] of Object.entries(value)) if (!used.members.has(member)) used.members.set(member, one);
      }
    }
  }
  const node = Object.fromEntries(
    [...values].map(([name, { value, members }]) => [name, members ? Object.fromEntries(members) : value]),
  );
  return { at: first.at, node, descriptions, differences };
}

/** A value with its texts and its JSON, which are compared with many others. */
interface Comparable {
  value: unknown;
  text: string;
  json: string;
  /** Members of an object, if other descriptions have more of them. */
  members?: Map<string, unknown>;
}

function comparable(value: unknown): Comparable {
  return { value, text: asSeen(literalsOf(value).join(' ')), json: JSON.stringify(value) };
}

function isDifferent(name: string, one: Comparable, other: Comparable): boolean {
  if (name.startsWith('@') || name === 'startDate' || one.json === other.json) return false;
  if (name === 'endDate') return !isSameTime(one.text, other.text);
  return one.text === '' || one.text !== other.text;
}

/** Returns whether a value is used: as the first of its property, or as a more exact end. */
function isBetter(name: string, used: Comparable | undefined, added: Comparable, first: Node): boolean {
  if (name !== 'endDate') return used === undefined;
  if (used !== undefined) return isSameTime(used.text, added.text) && precision(added.text) > precision(used.text);
  // The day of the start says nothing about the end of an event that starts at a time.
  const start = startOf(first);
  return precision(start) === 1 || precision(added.text) > 1 || !start.startsWith(added.text);
}
