import type { Inferred, Previewed } from '../inference/run-init.ts';
import type { EventLabel, UnseenFeed } from './unseen-feed.ts';

type Payload = NonNullable<Previewed['payload']>;

export interface RecordScore {
  /** What is wrong, one phrase each; empty if the feed would be published as its editor wants it. */
  wrong: string[];
  /** Whether days are wrong without a question or a warning about them. */
  isSilent: boolean;
}

export type FeedScore = RecordScore & { name: string };

/** Scores of all feeds, without and with corrections. */
export interface Scores {
  alone: FeedScore[];
  corrected: FeedScore[];
}

/** Compares what a sync would publish with what an editor would publish. */
export function scoreRecords({ label }: UnseenFeed, inferred: Inferred, previewed: readonly Previewed[]): RecordScore {
  if (inferred.resource !== label.resource) return { wrong: [`resource ${inferred.resource}`], isSilent: false };
  const published = new Set(label.publish ?? label.records.map((_, index) => index));
  const findings = label.records.map((record, index) => {
    const payload = payloadOf(record, index, label.records.length, previewed);
    if (!published.has(index)) return payload === undefined ? [] : ['is published'];
    if (payload === undefined) return ['is not published'];
    return label.resource === 'accounts' ? wrongTexts(record, payload) : wrongOfEvent(record as EventLabel, payload);
  });
  const wrong = findings.flatMap((texts, index) => texts.map((text) => `${index} ${text}`));
  const hasWrongDay = findings.some((texts) => texts.some((text) => /^(date|endDate) /.test(text)));
  return { wrong, isSilent: hasWrongDay && !tellsOfDays(inferred) };
}

/** What becomes of a record: the preview has a line for each record, unless the connector leaves some out or adds others. */
function payloadOf(
  record: Readonly<Record<string, unknown>>,
  index: number,
  records: number,
  previewed: readonly Previewed[],
): Payload | undefined {
  if (previewed.length >= records) return previewed[index]?.payload;
  return previewed.find(({ payload }) => payload?.title === record.title && payload?.date === record.date)?.payload;
}

function wrongOfEvent(event: EventLabel, payload: Payload): string[] {
  const time = Object(payload.time) as { start?: string; end?: string };
  const [start, end] = [time.start?.slice(0, 5), time.end?.slice(0, 5)];
  const isAllDay = start === '00:00' && (end === undefined || end === '23:59');
  const isTimeRight = event.start ? start === event.start && (!event.end || end === event.end) : isAllDay;
  const endDate = event.endDate ?? event.date;
  const accepted: Array<[string, unknown, unknown[]]> = [
    ['date', payload.date, [event.date]],
    ['endDate', payload.endDate ?? payload.date, [endDate, event.endDateAlso ?? endDate]],
    ['title', String(payload.title).trim(), [event.title.trim()]],
    ...(event.location
      ? [['location', payload.location, [event.location, event.locationAlso]] as [string, unknown, unknown[]]]
      : []),
  ];
  return [
    ...accepted.flatMap(([name, is, wanted]) => (wanted.includes(is) ? [] : [`${name} ${is}, not ${wanted[0]}`])),
    ...(isTimeRight ? [] : [`time ${start}–${end}, not ${event.start}–${event.end}`]),
  ];
}

function wrongTexts(record: Readonly<Record<string, unknown>>, payload: Payload): string[] {
  return Object.entries(record).flatMap(([name, wanted]) =>
    wanted === null || wanted === undefined || payload[name] === wanted
      ? []
      : [`${name} ${payload[name]}, not ${wanted}`],
  );
}

function tellsOfDays({ open, warnings }: Inferred): boolean {
  return (
    open.some(({ id, text }) => /date|day|start|year/i.test(`${id} ${text}`)) ||
    warnings.some((text) => /date|day|start|year/i.test(text))
  );
}
