import type { Inferred, Previewed } from '../inference/run-init.ts';
import type { EventLabel, UnseenFeed } from './unseen-feed.ts';

type Payload = NonNullable<Previewed['payload']>;

export interface RecordScore {
  /** What is wrong, one phrase each; empty if the feed would be published as its editor wants it. */
  wrong: string[];
  /** Whether days are wrong without a question or a warning about them. */
  isSilent: boolean;
}

/** Compares what a sync would publish with what an editor would publish. */
export function scoreRecords({ label }: UnseenFeed, inferred: Inferred, previewed: readonly Previewed[]): RecordScore {
  const published = previewed.flatMap(({ payload }) => (payload ? [payload] : []));
  const indices = label.publish ?? label.records.map((_, index) => index);
  const count = published.length === indices.length ? [] : [`${published.length} records, not ${indices.length}`];
  if (inferred.resource !== label.resource) return { wrong: [`resource ${inferred.resource}`], isSilent: false };
  let wrongDays = 0;
  const wrong = indices.flatMap((index, place) => {
    const payload = published[place];
    const record = label.records[index];
    if (payload === undefined || record === undefined) return [];
    if (label.resource === 'accounts') return wrongTexts(record, payload).map((text) => `${index}: ${text}`);
    const event = record as EventLabel;
    if (payload.date !== event.date) wrongDays += 1;
    return wrongOfEvent(event, payload).map((text) => `${index}: ${text}`);
  });
  return { wrong: [...count, ...wrong], isSilent: wrongDays > 0 && !tellsOfDays(inferred) };
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
