import { hashJson, sha256 } from '../../core/hash.ts';
import { plainText } from '../../core/html/html-text.ts';
import type { Json, Occurrence, Payload } from '../../core/record.ts';
import { namesPlace, textsIn } from '../../core/text/place-names.ts';
import { startOf } from '../../core/text/record-title.ts';
import { valueAt } from '../items/values.ts';

/** An event as a source has it. */
export interface SourceEvent {
  key: string;
  payload: Payload;
  occurrence?: Occurrence;
}

/** How events of different sources are compared. */
export interface MatchRule {
  /** The attributes that the config names; absent: title, day, start and place. */
  match?: readonly string[];
  /** Attributes that hold a place, as the maps of the sources name them. */
  places: readonly string[];
}

/** Whether two events are the same. If that is unsure, a person is asked. */
export type Sameness = { is: 'same' } | { is: 'different' } | { is: 'unsure'; why: EventDoubt; about: string };

/** Why it is unsure whether two events with the same title and day are the same. */
export type EventDoubt =
  /** They name different places. One answer holds for all events at this pair of places. */
  | 'places'
  /** One of them names no place. */
  | 'noPlace'
  /** One of them lasts all day. */
  | 'allDay'
  /** One of them belongs to a series. One answer holds for the whole series. */
  | 'series';

const SAME: Sameness = { is: 'same' };
const DIFFERENT: Sameness = { is: 'different' };

/** Hash of what two events must have in common to be compared at all. */
export function eventHash(payload: Payload, { match }: MatchRule): string {
  const paths = match ?? ['title', 'date'];
  return hashJson(paths.map((path) => foldedAt(payload, path)));
}

/**
 * Compares two events of different sources that have the same hash. What the config names to match is the user's word. Without it,
 * events with the same title, day and start are the same only if they also name the same place.
 */
export function compareEvents(one: SourceEvent, other: SourceEvent, { match, places }: MatchRule): Sameness {
  if (match)
    return match.every((path) => foldedAt(one.payload, path) === foldedAt(other.payload, path)) ? SAME : DIFFERENT;
  const [start, otherStart] = [foldedAt(one.payload, 'time.start'), foldedAt(other.payload, 'time.start')];
  if (start !== otherStart) return start === '' || otherStart === '' ? unsure('allDay', pairOf(one, other)) : DIFFERENT;
  const [place, otherPlace] = [placeOf(one.payload, places), placeOf(other.payload, places)];
  const mayLack = place !== undefined || otherPlace !== undefined || places.length > 0;
  if (mayLack && place === otherPlace && place === undefined) return unsure('noPlace', pairOf(one, other));
  if (place !== otherPlace) {
    if (place === undefined || otherPlace === undefined) return unsure('noPlace', pairOf(one, other));
    return unsure('places', [place, otherPlace].sort().join(' ~ '));
  }
  const [repeated, single] = one.occurrence?.repeats ? [one, other] : [other, one];
  if (repeated.occurrence?.repeats === single.occurrence?.repeats) return SAME;
  return unsure('series', `${seriesName(repeated)} ~ ${sourceOf(single)}`);
}

/** Names the series of an event in what an answer is about. */
export function seriesName({ occurrence }: Pick<SourceEvent, 'occurrence'>): string {
  return sha256(occurrence?.series ?? '').slice(0, 16);
}

/** Names a pair of records, whichever is named first. */
export function pairOf(one: Pick<SourceEvent, 'key'>, other: Pick<SourceEvent, 'key'>): string {
  return [one.key, other.key].sort().join(' ~ ');
}

/** The place of an event, as it is compared; undefined: it names none. */
function placeOf(payload: Payload, places: readonly string[]): string | undefined {
  const names = [...new Set([...places, ...Object.keys(payload).filter(namesPlace)])];
  const folded = names.map((name) => fold(textsIn(valueAt(payload, name)).join(' '))).filter((text) => text !== '');
  return folded[0];
}

function sourceOf({ key }: SourceEvent): string {
  return key.slice(0, key.indexOf('/'));
}

function unsure(why: EventDoubt, about: string): Sameness {
  return { is: 'unsure', why, about: `${why}: ${about}` };
}

function foldedAt(payload: Payload, path: string): string {
  if (path === 'time.start') return startOf(payload.time);
  const value = valueAt(payload, path);
  return fold(typeof value === 'string' ? value : value === null ? '' : textOf(value));
}

function textOf(value: Json): string {
  return typeof value === 'object' ? textsIn(value).join(' ') : String(value);
}

/** Compares without case, blanks, elements and entities. Signs become blanks, so that "1.5" is not "15"; "C++" is not "C". */
function fold(text: string): string {
  return plainText(text)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}+#]+/gu, ' ')
    .trim();
}
