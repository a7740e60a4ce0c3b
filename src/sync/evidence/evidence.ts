import { isBoundOfDay, isUnfilled } from '../../core/attributes.ts';
import { plainText } from '../../core/html/html-text.ts';
import { lacksAlt } from '../../core/ignored-attributes.ts';
import { isObject, type Json, type Payload } from '../../core/record.ts';
import { isAltPath } from '../items/alt-text.ts';
import { hasValue, isEmpty, partsLike, sameValue, valueAt } from '../items/values.ts';

type Attributes = Readonly<Record<string, unknown>>;

/**
 * What an item shows of an attribute that was sent. `taken`: the value that was sent; `rewritten`: another one; `absent`: none, as
 * before, although a value was sent; `notTaken`: the value from before the write, or none although it had one; `ignored`: an alternative
 * text that the CMS does not have, for which no event fails.
 */
export type Evidence = 'taken' | 'rewritten' | 'absent' | 'notTaken' | 'ignored';

/** Attribute, or part of one (`time.end`) → what the item shows of it. */
export type EvidenceByPath = ReadonlyMap<string, Evidence>;

/** What is known of an item before a write. */
export interface Former {
  /** The values before the write. An attribute that is absent had none, or it is unknown. */
  before: Attributes;
  /** What earlier requests in doubt have sent, in place of which this write sends other values. */
  inDoubt?: readonly Payload[];
  /** What feedferry had delivered before, and what the CMS made of it. */
  delivered: Payload;
  madeByCms: Payload;
  /** Whether the CMS is known to rewrite an attribute. */
  rewrites(path: string): boolean;
}

/** Judges attributes that were sent by what the item shows of them after the write. */
export function judge(sent: Payload, item: Attributes, former: Former): EvidenceByPath {
  return new Map(leavesOf(sent, item).map((path) => [attributeOf(path), judgePath(path, sent, item, former)]));
}

/**
 * The attributes that had a value before a write, and have none, or lack a part, although they were not sent. A value that has
 * changed may be an editor's.
 * @param before as `writableOf` gives them
 */
export function lostAttributes(before: Payload, sent: Payload, item: Attributes): string[] {
  return unsentOf(before, sent).filter((attribute) => lacks(valueAt(item, attribute), before[attribute] ?? null));
}

function lacks(shown: Json | undefined, before: Json): boolean {
  if (isUnfilled(before)) return false;
  if (isUnfilled(shown)) return true;
  if (!hasMembers(before) || !hasMembers(shown)) return false;
  return Object.entries(before).some(([part, value]) => lacks(shown[part], value));
}

/** Whether a value is an object or a list. */
function hasMembers(value: Json | undefined): value is { [part: string]: Json } {
  return typeof value === 'object' && value !== null;
}

/** The attributes with a value that a write does not send, and that do not depend on what it sends. */
export function unsentOf(before: Payload, sent: Payload): string[] {
  const movesDays = DAYS.some((attribute) => Object.hasOwn(sent, attribute));
  return Object.keys(before).filter((attribute) => {
    const isDependent = movesDays && OF_DAYS.includes(attribute);
    return !Object.hasOwn(sent, attribute) && !isUnfilled(before[attribute]) && !isDependent;
  });
}

const DAYS = ['date', 'endDate', 'time'];
/** What a CMS may derive from the days of an event. */
const OF_DAYS = ['isMultiDay', 'spansMultipleDays', 'showOnAllDates'];

/** The name of an attribute as people know it: a file is sent as its `src`. */
function attributeOf(path: string): string {
  return path.replace(/\.src$/, '');
}

/** The attributes of a payload, or their parts if the item shows parts, too. */
function leavesOf(sent: Payload, item: Attributes): string[] {
  return Object.entries(sent).flatMap(([attribute, value]) => {
    const shown = valueAt(item, attribute);
    const hasParts = isObject(value) && (isObject(shown) || isEmpty(shown));
    return hasParts ? Object.keys(value).map((part) => `${attribute}.${part}`) : [attribute];
  });
}

function judgePath(path: string, sent: Payload, item: Attributes, former: Former): Evidence {
  const [wanted, shown, before] = [valueAt(sent, path), valueAt(item, path), valueAt(former.before, path)];
  if (hasValue(item, path, wanted)) return 'taken';
  if (isAltPath(path, sent)) return lacksAlt(wanted, shown) ? 'ignored' : 'rewritten';
  if (isUnfilled(shown)) {
    if (isBoundOfDay(path, wanted)) return 'rewritten';
    return isUnfilled(before) ? 'absent' : 'notTaken';
  }
  const isFormer = isSame(before, shown, wanted) || isOfAnother(path, wanted, shown, former);
  if (!isFormer) return 'rewritten';
  return isKnownForm(path, wanted, shown, former) ? 'rewritten' : 'notTaken';
}

/**
 * Whether the value from before is what the CMS makes of the new one, too: only if it has rewritten this attribute before, and the
 * two differ as its earlier forms do.
 */
function isKnownForm(path: string, wanted: Json, shown: Json, former: Former): boolean {
  const earlier = valueAt(former.delivered, path);
  const made = valueAt(former.madeByCms, path);
  const isMadeOfEarlier = !isUnfilled(made) && hasValue({ shown }, 'shown', made);
  if (isMadeOfEarlier && sameValue(earlier, wanted)) return true;
  if (typeof wanted !== 'string' || typeof shown !== 'string') return false;
  if (!isMadeOfEarlier && !former.rewrites(path)) return false;
  const [text, form] = [plainText(wanted), plainText(shown)];
  if (text === form) return true;
  // Cut at the same length as before.
  const isCut =
    typeof earlier === 'string' && plainText(earlier).startsWith(form) && form.length < plainText(earlier).length;
  return isMadeOfEarlier && isCut && text.startsWith(form);
}

function isSame(one: Json, other: Json, wanted: Json): boolean {
  return sameValue(partsLike(one, wanted), partsLike(other, wanted));
}

/** Whether a value is another one that an earlier request has sent, or what the CMS may have made of it. */
function isOfAnother(path: string, wanted: Json, shown: Json, { inDoubt = [] }: Former): boolean {
  const form = typeof shown === 'string' ? plainText(shown) : undefined;
  const isForm = (value: Json) => typeof value === 'string' && plainText(value) === form;
  const sent = inDoubt
    .filter((payload) => Object.hasOwn(payload, path.replace(/\..*/s, '')))
    .map((payload) => valueAt(payload, path));
  return sent.some((value) => isSame(value, shown, wanted) || (isForm(value) && !isForm(wanted)));
}
