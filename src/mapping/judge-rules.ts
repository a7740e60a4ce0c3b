import { posix } from 'node:path';
import type { SyncRule, SyncRules } from '../config/types.ts';
import type { FileFacts } from '../core/attachment.ts';
import { kindOf } from '../core/attributes.ts';
import { isIsoDate } from '../core/dates/iso-date.ts';
import { isHtml, plainText } from '../core/html/html-text.ts';
import { type Attachment, type DesiredRecord, isObject, type Json, type Mapped, type Payload } from '../core/record.ts';
import { quantity } from '../core/text/describe-changes.ts';
import { matcher } from './condition.ts';
import { showValue } from './text.ts';
import { normalWord } from './words.ts';

type DesiredMapped = Extract<Mapped, { is: 'desired' }>;
type RejectedMapped = Extract<Mapped, { is: 'rejected' }>;

/** A rule that a record breaks. */
export interface BrokenRule {
  then: SyncRule['then'];
  /** With attribute and value, as a sentence. */
  reason: string;
  /** Names attribute and test, the same for all records. */
  kind: string;
}

type JudgedRecord = Pick<DesiredRecord, 'resource' | 'payload' | 'attachments'>;

interface Judged {
  record: JudgedRecord;
  attribute: string;
  file: Attachment | undefined;
  today: () => string;
}

/** Returns why a value breaks a rule, worded to follow the value; undefined if it keeps the rule. */
type Test = (value: Json, judged: Judged) => string | undefined;
type NamedTest = [name: string, test: Test];

/** The day of the site, for `today`. */
type Today = () => string;

/**
 * Compiles the rules of a sync to a function that returns which of them a record breaks. A value that is absent or empty only breaks
 * `required`. The function throws CodedError FF_RECORD_PATTERN if a regular expression takes too long for a value.
 */
export function compileRules(rules: SyncRules = {}): (record: JudgedRecord, today: Today) => BrokenRule[] {
  const compiled = Object.entries(rules).flatMap(([attribute, ofAttribute]) =>
    ofAttribute.map((rule) => ({ attribute, rule, tests: testsOf(rule) })),
  );
  return (record, today) =>
    compiled.flatMap(({ attribute, rule, tests }) => {
      const file = record.attachments.find((each) => each.attribute === attribute);
      const values = file ? [addressOf(file)] : valuesOf(record.payload, attribute);
      if (values.length === 0) {
        return rule.required ? [broken(attribute, 'required', 'has no value, and needs one', rule)] : [];
      }
      return tests.flatMap(([name, test]) => {
        for (const value of values) {
          const why = test(value, { record, attribute, file, today });
          if (why !== undefined)
            return [broken(attribute, name, `${file ? shownFile(file) : showValue(value)} ${why}`, rule)];
        }
        return [];
      });
    });
}

/** Returns what becomes of a record that breaks rules: it is rejected, held, or only warned of. */
export function withBrokenRules(mapped: DesiredMapped, broken: readonly BrokenRule[]): DesiredMapped | RejectedMapped {
  if (broken.length === 0) return mapped;
  const { record, warnings, fields } = mapped;
  const { at, key } = record;
  const { reject = [], hold = [], warn = [] } = Object.groupBy(broken, ({ then }) => then);
  const reasons = (some: readonly BrokenRule[]) =>
    some
      .map(({ reason }) => reason)
      .join('; ')
      .replaceAll('.; ', '. ');
  if (reject.length > 0) {
    return { is: 'rejected', rejection: { at, code: 'FF_RECORD_RULE', reason: reasons(reject), key, fields } };
  }
  const warned = warn.map(({ reason, kind }) => ({ at, message: reason, kind }));
  const held = [...(mapped.hold === undefined ? [] : [mapped.hold]), ...(hold.length > 0 ? [reasons(hold)] : [])].join(
    '; ',
  );
  // A record with something to report is mapped again by the next run.
  const { sourceHash: _, ...rest } = mapped;
  return { ...rest, warnings: [...warnings, ...warned], ...(held !== '' && { hold: held }) };
}

/** Returns which rules about the content of a picture it breaks. */
export function judgePicture(file: Attachment, facts: FileFacts, rules: SyncRules = {}): BrokenRule[] {
  const { mediaType, bytes, width } = facts;
  return (rules[file.attribute] ?? []).flatMap((rule) => {
    const { minWidth, maxBytes, type } = rule.image ?? {};
    const isType = type?.some((name) => mediaType === `image/${name}`) ?? true;
    const wrong = [
      !isType && (['type', `is of the type ${mediaType}, not ${type?.join(' or ')}`] as const),
      maxBytes !== undefined &&
        bytes > maxBytes &&
        (['maxBytes', `has ${number(bytes)} bytes, more than ${number(maxBytes)}`] as const),
      minWidth !== undefined &&
        width !== undefined &&
        width < minWidth &&
        (['minWidth', `is ${quantity(width, 'pixel')} wide, less than ${minWidth}`] as const),
    ];
    return wrong.flatMap((found) =>
      found ? [broken(file.attribute, found[0], `${shownFile(file)} ${found[1]}`, rule)] : [],
    );
  });
}

function broken(attribute: string, test: string, reason: string, { then, message }: SyncRule): BrokenRule {
  return {
    then,
    reason: `${attribute}: ${reason}${message === undefined ? '' : `. ${message}`}`,
    kind: `${attribute}: rule ${test}`,
  };
}

function testsOf(rule: SyncRule): NamedTest[] {
  const { minLength, maxLength, matches, oneOf, noneOf, before, after, https, image } = rule;
  const isLater = (value: string, other: string) => value > other;
  return [
    ...testIf('minLength', minLength, (least) => (value, judged) => {
      const length = lengthOf(value, judged);
      return length < least ? `has ${quantity(length, 'character')}, less than ${least}` : undefined;
    }),
    ...testIf('maxLength', maxLength, (most) => (value, judged) => {
      const length = lengthOf(value, judged);
      return length > most ? `has ${quantity(length, 'character')}, more than ${most}` : undefined;
    }),
    ...testIf('matches', matches, (source) => {
      const isMatch = matcher('rules', source);
      return (value) => (isMatch(String(value)) ? undefined : `does not match ${showValue(source)}`);
    }),
    ...testIf('oneOf', oneOf, (words) => {
      const allowed = new Set(words.map(normalWord));
      return (value) => (allowed.has(normalWord(value)) ? undefined : `is not one of ${words.join(', ')}`);
    }),
    ...testIf('noneOf', noneOf, (words) => {
      const excluded = new Set(words.map(normalWord));
      return (value) => (excluded.has(normalWord(value)) ? 'is not allowed' : undefined);
    }),
    ...testIf('before', before, (name) => limit(name, isLater, 'later')),
    ...testIf('after', after, (name) => limit(name, (value, other) => isLater(other, value), 'earlier')),
    ...testIf(
      'https',
      https,
      () => (value) => (isSecure(String(value)) ? undefined : 'has an address without https://'),
    ),
    ...testIf(
      'alt',
      image?.alt,
      () =>
        (_, { file }) =>
          file?.alt === undefined ? 'has no alternative text' : undefined,
    ),
  ];
}

function testIf<Limit>(name: string, limit: Limit | undefined, create: (limit: Limit) => Test): NamedTest[] {
  return limit === undefined ? [] : [[name, create(limit)]];
}

/** A test of days and times. If one side is a whole day, only days are compared. */
function limit(name: string, isBroken: (value: string, other: string) => boolean, than: string): Test {
  return (value, { record, today }) => {
    const other = name === 'today' ? today() : isIsoDate(name) ? name : valuesOf(record.payload, name).map(String)[0];
    if (other === undefined) return undefined;
    const length = Math.min(String(value).length, other.length);
    if (!isBroken(String(value).slice(0, length), other.slice(0, length))) return undefined;
    return `is ${than} than ${name === 'today' || name === other ? name : `${name}, ${other}`}`;
  };
}

/** The values of an attribute, each item of a list, without empty ones. `start` and `end` of an event are its days with their times. */
function valuesOf(payload: Payload, attribute: string): Json[] {
  const [name = '', part] = attribute.split('.');
  const ends = { start: ['date', 'start'], end: ['endDate', 'end'] } as const;
  const value =
    attribute === 'start' || attribute === 'end'
      ? momentOf(payload, ends[attribute])
      : part === undefined
        ? payload[attribute]
        : memberOf(payload[name], part);
  return [value ?? null].flat().filter((item) => item !== null && (typeof item !== 'string' || plainText(item) !== ''));
}

function momentOf(payload: Payload, [day, time]: readonly [string, string]): Json {
  const [date, clock] = [payload[day], memberOf(payload.time, time)];
  if (typeof date !== 'string') return null;
  return typeof clock === 'string' && clock !== '' ? `${date}T${clock}` : date;
}

function memberOf(value: Json | undefined, part: string): Json | undefined {
  return isObject(value) ? value[part] : undefined;
}

/** The length of what people read. */
function lengthOf(value: Json, { attribute, record: { resource } }: Judged): number {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [...(kindOf(resource, attribute) === 'html' ? plainText(text) : text.trim())].length;
}

/** Whether an address, or each address in HTML, begins with https. */
function isSecure(text: string): boolean {
  return isHtml(text) ? !/=\s?["']?http:/i.test(text) : /^https:\/\//i.test(text.trim());
}

function addressOf({ source }: Attachment): string {
  // Bytes of the feed itself are not fetched from anywhere.
  return source.is === 'location' && /^http:/i.test(source.location) ? source.location : 'https://';
}

function shownFile({ source }: Attachment): string {
  if (source.is === 'inline') return `the picture ${source.fileName ?? 'in the feed'}`;
  return `the picture ${showValue(posix.basename(source.location.replace(/[?#].*$/s, '')))}`;
}

function number(count: number): string {
  return count.toLocaleString('en');
}
