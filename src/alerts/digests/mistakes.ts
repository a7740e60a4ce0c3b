import type { FieldRule, SyncConfig } from '../../config/types.ts';
import { type AttributeKind, kindOf } from '../../core/attributes.ts';
import { dateExample } from '../../core/dates/date-example.ts';
import type { ErrorCode } from '../../core/errors.ts';
import { masked } from '../../core/text/masked.ts';
import type { KeptRejection } from '../../ledger/runs/rejections.ts';
import { rulesOf } from '../../mapping/field-usage.ts';
import { compilePath } from '../../mapping/path.ts';
import { templateFields } from '../../mapping/template.ts';
import { connectorOf } from '../../source/connector-of.ts';
import type { FileMistake, Mistake, UnreadCause } from './texts/texts.ts';

/** What an owner can do nothing about is absent: mistakes in the config, questions to those who run the site, and what the CMS refuses. */
const RECORDS: Partial<Record<ErrorCode, Mistake>> = {
  FF_RECORD_DATE: 'date',
  FF_RECORD_REQUIRED: 'missing',
  FF_RECORD_KEY: 'key',
  FF_RECORD_DUPLICATE: 'duplicate',
  FF_RECORD_LOOKUP: 'lookup',
  FF_RECORD_MALFORMED: 'malformed',
  FF_RECORD_VALUE: 'value',
  FF_RECORD_RULE: 'value',
};

const FILES: Partial<Record<string, FileMistake>> = {
  FF_ATTACHMENT_UNREADABLE: 'unreadable',
  FF_ATTACHMENT_TYPE: 'type',
  FF_ATTACHMENT_TOO_LARGE: 'large',
  FF_ATTACHMENT_OUTSIDE: 'outside',
};

const FEEDS: Partial<Record<string, UnreadCause>> = {
  FF_FEED_MISSING: 'missing',
  FF_FEED_STATUS: 'refused',
  FF_FEED_LOGIN: 'refused',
  FF_FEED_UNREADABLE: 'silent',
  FF_FEED_TIMEOUT: 'silent',
  FF_FEED_FORMAT: 'format',
  FF_FEED_COLUMNS: 'columns',
  FF_FEED_TOO_LARGE: 'large',
  FF_FEED_CHARSET: 'letters',
};

/** Returns what an owner can see of a file that could not be read; undefined if nothing. */
export function fileMistake(code: string): FileMistake | undefined {
  return FILES[code];
}

/** Returns what an owner can see of a feed that could not be read; undefined if nothing. */
export function unreadCause(code: string): UnreadCause | undefined {
  return FEEDS[code];
}

/** A mistake in an entry, as its owner finds it. */
export interface Found {
  mistake: Mistake;
  /** The columns that it is in; empty: unknown. */
  columns: readonly string[];
  /** What is written there; absent: nothing that can be shown. */
  value?: string;
  /** The columns to correct, if it is not the same ones. */
  toFill?: readonly string[];
  /** A number that a rule names. */
  limit?: number;
  /** How such a value is written. */
  example?: string;
  /** What to do, in the words of those who run the site. */
  advice?: string;
}

/** Longer values are cut off. */
const LONGEST_VALUE = 80;

/** Returns the mistake for which an entry was rejected; undefined if its owner can do nothing about it. */
export function ownersMistake(
  { code, reason, fields = {}, key }: Omit<KeptRejection, 'at'>,
  sync: SyncConfig,
): Found | undefined {
  const mistake = RECORDS[code];
  if (!mistake) return undefined;
  if (mistake === 'malformed') return { mistake, columns: [] };
  const isKey = mistake === 'key' || mistake === 'duplicate';
  const attribute = /^([\w.-]+): /.exec(reason)?.[1] ?? '';
  const [, named] = /\(field "([^"]+)"\)$/.exec(reason) ?? [];
  const columns = isKey ? sync.key.fields : named !== undefined ? [named] : columnsFor(attribute, sync);
  const value = mistake === 'duplicate' ? key : shownValue(columns, fields);
  const advice = code === 'FF_RECORD_RULE' ? adviceFor(attribute, reason, sync) : undefined;
  const kind = mistake === 'value' ? valueMistake(attribute, reason, sync) : mistake;
  const [, limit] = /, (?:less|more) than ([\d,]+)/.exec(reason) ?? [];
  const { alt } = sync.attachments[attribute] ?? {};
  const example = kind === 'date' ? exampleFor(attribute, sync) : undefined;
  return {
    mistake: kind === 'date' && / is no real day: /.test(reason) ? 'noDay' : kind,
    columns,
    ...(kind === 'alt' && { toFill: alt ? fieldsOf(alt) : [] }),
    ...(limit !== undefined && { limit: Number(limit.replaceAll(',', '')) }),
    ...(example !== undefined && { example }),
    ...(advice !== undefined && { advice }),
    ...(value !== undefined && sync.resource === 'events' && { value: shortened(masked(value)) }),
  };
}

/** The messages of the rules that a value breaks. */
function adviceFor(attribute: string, reason: string, { rules = {} }: SyncConfig): string | undefined {
  const messages = (rules[attribute] ?? []).flatMap(({ message }) => message ?? []);
  return messages.filter((message) => reason.includes(message)).join(' ') || undefined;
}

/** Returns the columns from which an attribute is made. */
export function columnsFor(attribute: string, sync: SyncConfig): string[] {
  const { defaultMap } = connectorOf(sync);
  const rules = { ...rulesOf(sync, defaultMap), ...sync.attachments };
  const rule = rules[attribute] ?? rules[MOMENTS[attribute] ?? ''];
  return rule ? fieldsOf(rule) : [];
}

/** The attributes that an event may have in place of its days and times. */
const MOMENTS: Partial<Record<string, string>> = {
  date: 'start',
  'time.start': 'start',
  endDate: 'end',
  'time.end': 'end',
};

function fieldsOf({ field, template }: Pick<FieldRule, 'field' | 'template'>): string[] {
  if (field !== undefined) return [field];
  return template === undefined ? [] : templateFields(template);
}

const EXAMPLES: Partial<Record<AttributeKind, string>> = {
  date: '2027-12-31',
  time: '18:30',
  moment: '2027-12-31T18:30',
};

/** Returns a date as the rule of an attribute reads it; undefined if that is not certain. */
function exampleFor(attribute: string, sync: SyncConfig): string | undefined {
  const { field, format: [format] = [], language, year } = sync.map?.[attribute] ?? {};
  if (field === undefined) return undefined;
  return format === undefined ? EXAMPLES[kindOf(sync.resource, attribute)] : dateExample(format, language, year);
}

/** Returns the text in the only one of these columns; undefined if it is empty, secret or no text. */
export function shownValue([column = '', ...others]: readonly string[], fields: Readonly<Record<string, unknown>>) {
  const value = others.length > 0 ? undefined : compilePath(column)(fields);
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).replace(/\s+/g, ' ').trim() : '';
  return text === '' || text === '[redacted]' ? undefined : text;
}

export function shortened(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).trimEnd()}…` : text;
}

function valueMistake(attribute: string, reason: string, { resource }: SyncConfig): Mistake {
  if (reason.startsWith(`${attribute}: has no value`)) return 'missing';
  if (reason.includes('has no alternative text')) return 'alt';
  const than = /, (less|more) than \d/.exec(reason)?.[1];
  if (than && / pixels?\b/.test(reason)) return 'narrow';
  if (than && / characters?\b/.test(reason)) return than === 'less' ? 'short' : 'long';
  if (kindOf(resource, attribute) === 'boolean') return 'yesNo';
  if (/^e-?mail$/i.test(attribute)) return 'email';
  return /^(website|url|link)$/i.test(attribute) ? 'web' : 'value';
}
