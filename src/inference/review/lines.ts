import type { DesiredRecord } from '../../core/record.ts';
import { isEventTime, readableText } from '../../core/text/readable-value.ts';
import type { Column } from '../columns/columns.ts';
import { lineOf } from '../correct/corrections.ts';
import { liquidPath } from '../dates/date-ranges.ts';
import type { Guess, Proposal, ProposedRule, Question } from '../proposal.ts';
import { flowText } from '../sync-file.ts';

/** A line of a proposal as people see and correct it: an attribute with all its fields, or another key of the sync file. */
export interface ProposalLine {
  /** `title`, `start`, `key`, `source.delimiter`. */
  name: string;
  /** Keys of the sync file → values: `start` and `time.start` are one line. */
  values: Readonly<Record<string, unknown>>;
  /** Whether the line is an attribute of the site, which may be mapped from other fields. */
  isAttribute: boolean;
  /** Paths of the fields that it reads. */
  fields: readonly string[];
  /** Values of these fields in two records that have them. */
  samples: readonly string[];
  /** Values of these fields in a record that can be published, and what they become; absent: no such record is known. */
  example?: { given: string; result: string };
  evidence: string;
  questions: readonly Question[];
}

const SAMPLES = 2;
const LONGEST = 60;
/** Order of the attributes; others follow. */
const attributeOrder = ['title', 'start', 'end', 'allDay', 'description', 'location', 'category', 'image'];

/** A record of the sample, by its index, as the site would show it. */
export interface PublishedExample {
  index: number;
  record: DesiredRecord;
}

/**
 * Lists the lines of a proposal.
 * @param defaultMap attribute → field, as the format defines; lines of the proposal replace these
 */
export function listLines(
  proposal: Proposal,
  columns: readonly Column[],
  defaultMap: Readonly<Record<string, string>> = {},
  published: readonly PublishedExample[] = [],
): ProposalLine[] {
  const { resource, source, key, when, map, attachments, authority, schedule, missing, recurrence, open } = proposal;
  const defined = Object.entries(defaultMap).map(([name, field]): [string, Guess<ProposedRule>] => [
    name,
    { value: field, evidence: 'the format defines it' },
  ]);
  const attributes = { ...Object.fromEntries(defined), ...map, ...attachments };
  const names = new Set(Object.keys(attributes).map(lineOf));
  // A question may be about a line that has no value yet.
  for (const { line } of open) if (['start', 'end'].includes(line)) names.add(line);
  const others: Array<[string, Guess<unknown> | undefined]> = [
    ['resource', resource],
    ...Object.entries(source).map(([name, guess]): [string, Guess<unknown>] => [`source.${name}`, guess]),
    ['key', key],
    ['when', when],
    ['recurrence', recurrence],
    ['schedule', schedule],
    ['missing', missing],
    ['authority', authority],
  ];
  return [
    ...others.flatMap(([name, guess]) => (guess ? [toLine(name, { [name]: guess }, false)] : [])),
    ...[...names].toSorted(byOrder).map((name) => toLine(name, attributesOf(name), true)),
  ];

  function attributesOf(line: string): Record<string, Guess<unknown>> {
    return Object.fromEntries(Object.entries(attributes).filter(([attribute]) => lineOf(attribute) === line));
  }

  function toLine(name: string, guesses: Record<string, Guess<unknown>>, isAttribute: boolean): ProposalLine {
    const all = Object.values(guesses);
    const fields = isAttribute || name === 'key' || name === 'when' ? fieldsOf(all, columns) : [];
    return {
      name,
      values: Object.fromEntries(Object.entries(guesses).map(([attribute, { value }]) => [attribute, value])),
      isAttribute,
      fields: fields.map(({ path }) => path),
      samples: isAttribute ? samplesOf(fields) : [],
      ...(isAttribute && exampleOf(name, fields, published)),
      evidence: [...new Set(all.map(({ evidence }) => evidence))].filter((text) => text !== '').join('; '),
      questions: open.filter(({ line }) => line === name),
    };
  }
}

/** Writes the values of a line as in a sync file; the only value of a line that has its name without the name. */
export function lineText({ name, values }: ProposalLine): string {
  const entries = Object.entries(values);
  const [[only, value] = []] = entries;
  if (entries.length === 1 && only === name) return flowText(value);
  return entries.map(([attribute, one]) => `${attribute}: ${flowText(one)}`).join('\n');
}

/** Returns the values of fields in the first record in which they become something, and what that is. */
function exampleOf(
  line: string,
  fields: readonly Column[],
  published: readonly PublishedExample[],
): Pick<ProposalLine, 'example'> {
  for (const { index, record } of published) {
    const result = shown(resultOf(line, record));
    if (result !== '') return { example: { given: valuesAt(fields, index), result } };
  }
  return {};
}

/** Returns what a line becomes on the site: a start is a day and a time. */
function resultOf(line: string, { payload, attachments }: DesiredRecord): string {
  const { date, endDate, time, ...attributes } = payload;
  const { start, end } = isEventTime(time) ? time : {};
  const isAllDay = readableText(time).startsWith('all day');
  if (line === 'start' || line === 'end') {
    const parts =
      line === 'start' ? [date, start] : [endDate === date ? undefined : endDate, end === start ? undefined : end];
    return parts
      .slice(0, isAllDay ? 1 : 2)
      .map(readableText)
      .filter(Boolean)
      .join(' ');
  }
  if (line === 'allDay') return isAllDay ? 'all day' : '';
  const file = attachments.find(({ attribute }) => attribute === line)?.source;
  if (file) return file.is === 'location' ? file.location : 'a file';
  return readableText(attributes[line]);
}

function byOrder(a: string, b: string): number {
  const [first, second] = [a, b].map((name) => attributeOrder.indexOf(name) + 1 || attributeOrder.length + 1);
  return (first ?? 0) - (second ?? 0);
}

/** Returns the columns that rules, keys or conditions read. */
function fieldsOf(guesses: ReadonlyArray<Guess<unknown>>, columns: readonly Column[]): Column[] {
  const read = guesses.flatMap(({ value }) => [value].flat());
  return columns.filter((column) => read.some((value) => reads(value, column)));
}

function reads(value: unknown, column: Column): boolean {
  if (typeof value === 'string') return value === column.path;
  if (typeof value !== 'object' || value === null) return false;
  const { field, template } = value as Record<string, unknown>;
  if (field !== undefined) return field === column.path;
  return typeof template === 'string' && names(template, column);
}

/** Returns whether a template has the path of a column as a whole word. */
function names(text: string, column: Column): boolean {
  return [column.path, liquidPath(column)].some((path) => {
    const index = text.indexOf(path);
    if (index === -1) return false;
    const around = `${text[index - 1] ?? ' '}${text[index + path.length] ?? ' '}`;
    return !/[\p{L}\p{N}_]/u.test(around);
  });
}

/** Returns the values of the columns in the first records that have any of them: "3 May 2027 · 19:30". */
export function samplesOf(columns: readonly Column[]): string[] {
  const samples = new Set<string>();
  for (let index = 0; index < (columns[0]?.values.length ?? 0) && samples.size < SAMPLES; index += 1) {
    const values = valuesAt(columns, index);
    if (values !== '') samples.add(values);
  }
  return [...samples];
}

function valuesAt(columns: readonly Column[], index: number): string {
  const values = columns.map(({ values }) => shown(values[index]));
  return values.filter((text) => text !== '').join(' · ');
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
}
