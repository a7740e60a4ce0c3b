import { connectors } from '../../connectors/index.ts';
import type { Label, LabelledRecord } from './label.ts';
import type { Inferred, Outcome } from './run-init.ts';

type Reading = Pick<Outcome, 'inferred' | 'previewed'>;

export interface Score {
  /** What was wrong, one phrase each; empty if the feed needs no edit. */
  wrong: string[];
  attributes: { right: number; total: number };
  /** Days that are wrong, or open, without a question about them. */
  silentDays: string[];
}

/** The names of labels for the attributes that say when an event is. */
const shorthands = new Map([
  ['date', 'start'],
  ['endDate', 'end'],
]);

/** Compares what `init` says of a feed, and what its sync makes of the labelled records, with its label. */
export function score(label: Label, { inferred, previewed }: Outcome): Score {
  const attributes = scoreAttributes(label, inferred);
  const days = label.records.map((record) => scoreRecord(record, label, { inferred, previewed }));
  const wrongDays = days.flatMap(({ wrongDay }) => wrongDay ?? []);
  const unasked = label.order === 'open' ? ['the order of day and month is open, and nothing is asked'] : [];
  const silentDays = asksForDates(inferred) ? [] : [...wrongDays, ...unasked];
  const wrong = [
    ...wrongHead(label, inferred),
    ...attributes.wrong,
    ...days.flatMap(({ wrong }) => wrong),
    ...(asksForDates(inferred) ? [] : unasked),
  ];
  return { wrong, attributes, silentDays };
}

function wrongHead(label: Label, { connector, resource, key, open, warnings }: Inferred): string[] {
  const wrong: string[] = [];
  if (![label.connector].flat().includes(connector)) wrong.push(`connector ${connector}`);
  if (resource !== label.resource) wrong.push(`resource ${resource}`);
  const fields = [key].flat().flatMap(fieldsOf);
  const isOneField = fields.length === 1;
  // Without an id, several fields together are the best there is; one field needs a warning.
  const isTold = open.some(({ id }) => id.startsWith('key')) || warnings.some((text) => /\b(key|unique)\b/i.test(text));
  const isRight = label.key.length > 0 ? isOneField && label.key.includes(fields[0] ?? '') : !isOneField || isTold;
  if (!isRight) wrong.push(`key ${fields.join(' + ')}${label.key.length > 0 ? '' : ' without a warning'}`);
  return wrong;
}

function scoreAttributes(label: Label, { connector, map, attachments }: Inferred) {
  const defaults = connectors.find(({ kind }) => kind === connector)?.defaultMap ?? {};
  const proposed = new Map(
    Object.entries({ ...defaults, ...map, ...attachments }).map(([attribute, rule]) => [
      shorthands.get(attribute) ?? attribute,
      fieldsOf(rule),
    ]),
  );
  const labelled = new Map(Object.entries(label.attributes));
  const wrong: string[] = [];
  let right = 0;
  for (const [attribute, accepted] of labelled) {
    const fields = proposed.get(attribute);
    // One rule may build the moment of date and time.
    const isInStart =
      attribute === 'time.start' && (proposed.get('start') ?? []).some((field) => accepted.includes(field));
    const [field = ''] = fields ?? [];
    if (isInStart || [field, field.replace(/\[0\]$/, '')].some((one) => accepted.includes(one))) right += 1;
    else if (fields) wrong.push(`${attribute}: ${fields[0] ?? 'no field'}`);
    else if (!label.optional.includes(attribute)) wrong.push(`no ${attribute}`);
  }
  for (const [attribute, fields] of proposed) {
    const isDefault = fields[0] === defaults[attribute];
    if (!labelled.has(attribute) && fields.length > 0 && !isDefault)
      wrong.push(`${attribute}: ${fields[0]} (needless)`);
  }
  return { wrong, right, total: right + wrong.length };
}

/** Returns the fields that a rule reads, the first one first. */
function fieldsOf(rule: unknown): string[] {
  if (typeof rule === 'string') return [rule];
  if (typeof rule !== 'object' || rule === null) return [];
  const { field, template } = rule as Record<string, unknown>;
  if (typeof field === 'string') return [field];
  const text = typeof template === 'string' ? template : '';
  return [...text.matchAll(/\{\{\s*([^}|]+?)\s*[}|]/g)].map(([, name]) => (name ?? '').replace(/^\["?|"?\]$/g, ''));
}

function scoreRecord(labelled: LabelledRecord, label: Label, outcome: Reading): { wrong: string[]; wrongDay?: string } {
  const place = `record ${labelled.index}`;
  const found = previewedOf(labelled, outcome);
  const payload = found?.payload;
  // Rejection is right for repeats in a feed without a key, and for dates that await an answer.
  const isRepeat = label.key.length === 0 && found?.code === 'FF_RECORD_DUPLICATE';
  const isUndecided = label.order === 'open' && asksForDates(outcome.inferred);
  if (payload === undefined) return { wrong: isRepeat || isUndecided ? [] : [`${place} is rejected`] };
  const wrong: string[] = [];
  if (labelled.title !== undefined && asText(payload.title) !== asText(labelled.title)) wrong.push(`${place}: title`);
  const days = (['date', 'endDate'] as const).filter((key) => labelled[key] && payload[key] !== labelled[key]);
  for (const key of days) wrong.push(`${place}: ${key} ${String(payload[key])}, not ${labelled[key]}`);
  const times = new Map(Object.entries(Object(payload.time) as object));
  const expected = labelled.allDay ? { start: '00:00:00', end: '23:59:59' } : labelled;
  for (const key of ['start', 'end'] as const) {
    const time = expected[key];
    if (time && !String(times.get(key)).startsWith(time)) wrong.push(`${place}: ${key} ${times.get(key)}, not ${time}`);
  }
  return days.length > 0 ? { wrong, wrongDay: wrong.join(', ') } : { wrong };
}

/** Rows and items come in the order of the feed; events of a calendar or page may not, so they are found by their title. */
function previewedOf({ index, title, date }: LabelledRecord, { inferred, previewed }: Reading) {
  if (inferred.connector === 'csv' || inferred.connector === 'json') return previewed[index];
  const same = previewed.filter(({ payload }) => asText(payload?.title) === asText(title));
  return same.find(({ payload }) => payload?.date === date) ?? same[0];
}

function asText(value: unknown): string {
  return String(value).replace(/\s+/g, ' ').trim();
}

function asksForDates({ open }: Inferred): boolean {
  return open.some(({ id, text }) => /\b(format|order|dates?|days?|months?)\b/i.test(`${id} ${text}`));
}
