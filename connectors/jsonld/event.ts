import { sha256 } from '../../src/core/hash.ts';
import { isObject } from '../../src/core/record.ts';
import { textOf } from './values.ts';
import { isBlankNode, type Node } from './vocabulary.ts';

/** An object that describes an event. */
export interface Description {
  at: string;
  node: Node;
  /** What identifies the event in all documents, if the object has an `@id`. */
  id: string | undefined;
  types: readonly string[];
  /** Whether the object is the `superEvent` of another one. */
  isSuperEvent: boolean;
}

/** An event with everything that its descriptions say of it. */
export interface EventDescription {
  at: string;
  node: Node;
  /** The description that says most about the time comes first. */
  descriptions: readonly Description[];
  /** The properties in which later descriptions differ from the values that are used. */
  differences: ReadonlyArray<{ name: string; at: string }>;
}

/** Subtypes of schema.org's Event without the ending "Event". */
const otherEventTypes = new Set(['Festival', 'Hackathon', 'CourseInstance', 'EventSeries']);
const dates = ['startDate', 'endDate', 'previousStartDate', 'doorTime', 'eventSchedule'];
/** What an object says of an event to which it only refers. */
const referring = /^(@.*|name|url|identifier|sameAs|image)$/;

export function isEventType(types: readonly string[]): boolean {
  return types.some((type) => /^\w*Event$/.test(type) || otherEventTypes.has(type));
}

/**
 * Returns true if what is known of an event makes a record: not if all descriptions only refer to it, nor for a series whose
 * events have the dates.
 */
export function isRecord({ node: event, descriptions }: EventDescription): boolean {
  if (event.startDate === undefined && event.subEvent !== undefined) return false;
  if (dates.some((name) => event[name] !== undefined)) return true;
  const isReference = (node: Node) => Object.keys(node).every((name) => referring.test(name));
  return !descriptions.every(
    ({ node, types, isSuperEvent }) => isSuperEvent || types.includes('EventSeries') || isReference(node),
  );
}

/** Returns true if the event is cancelled (schema.org: eventStatus). */
export function isCancelled(node: Node): boolean {
  return statusOf(node).some((status) => /Cancell?ed\/?$/i.test(status));
}

/** Returns true if the event is postponed: its date is the former one until a new one is known. */
export function isPostponed(node: Node): boolean {
  return statusOf(node).some((status) => /Postponed\/?$/i.test(status));
}

/** Returns why an event that was postponed or moved cannot be published: its source does not say to when. */
export function lacksNewDate(node: Node): string | undefined {
  if (node.startDate !== undefined) return undefined;
  const [, how] = statusOf(node).flatMap((status) => /(Postponed|Rescheduled)\/?$/i.exec(status) ?? []);
  return how === undefined
    ? undefined
    : `the event is ${how.toLowerCase()} (eventStatus) and has no new date; if it was published, the site still shows the former date`;
}

function statusOf({ eventStatus }: Node): string[] {
  return [eventStatus].flat().flatMap((status) => textOf(isObject(status) ? (status['@id'] ?? status) : status) ?? []);
}

/** Returns the `@id` of an event as it is written, or else what identifies it without one. */
export function idOf({ node, descriptions }: EventDescription): string {
  const ids = descriptions.flatMap(({ node }) => (isBlankNode(node['@id']) ? [] : (textOf(node['@id']) ?? [])));
  return ids[0] ?? contentId(node);
}

/** Returns what identifies an event without `@id`: its identifier or URL, otherwise a hash of its content. */
export function contentId(node: Node): string {
  const { identifier } = node;
  const id = textOf(isObject(identifier) ? identifier.value : identifier) ?? textOf(node.url);
  return id ?? sha256(JSON.stringify([textOf(node.name), textOf(node.startDate), textOf(node.location)])).slice(0, 32);
}
