import type { Column } from '../columns/columns.ts';
import { datesOf } from '../dates/read-column.ts';
import type { Answers, Guess, Question } from '../proposal.ts';

const QUESTION = 'times in UTC';
/** A time of day, with minutes or a word for a time. */
const clock =
  /(?<![\d.:/-])(\d{1,2})(?:[:.h](\d\d))?(?:\s?([ap])\.?m\b|\s?(?:Uhr|h)\b|(?<=[:.h]\d\d))(?![\d/-]|\.\d)/giu;
/** A time with its zone. */
const zoned = /(?:Z|[+-]\d\d:?\d\d|\])$/;
/** Number of records whose texts name hours, and their share, from which on they say something. */
const LEAST = 3;
const SHARE = 0.8;
/** 5:00, in minutes, and so many events that begin before it. */
const NIGHT = 300;
const LEAST_NIGHTS = 4;

/**
 * Asks whether times without a zone are in UTC: if nearly all texts name hours that differ from the times of their records alike, as
 * the zone of a site differs from UTC, or if no text names one and most events would be at night.
 * @param times the fields with the times of the start
 */
export function zoneByTexts(
  columns: readonly Column[],
  times: ReadonlySet<Column>,
  answers: Answers,
): { timezone?: Guess<string>; question?: Question } {
  const texts = columns.filter((column) => !times.has(column) && datesOf(column) === undefined);
  const records = Math.max(0, ...columns.map(({ values }) => values.length));
  const rows = Array.from({ length: records }, (_, index) => index);
  const named = rows.map((index) => shiftsOf(index, [...times], texts)).filter((shifts) => shifts.length > 0);
  const reason =
    named.length > 0 ? shiftIn(named) : nightsIn(rows.flatMap((index) => startOf(index, [...times]) ?? []));
  if (reason === undefined) return {};
  if (answers[QUESTION] === 'UTC') return { timezone: { value: 'UTC', evidence: reason } };
  if (answers[QUESTION] !== undefined) return {};
  return {
    question: {
      id: QUESTION,
      line: 'start',
      text: `Are the times in UTC? ${reason}.`,
      choices: [
        { value: 'UTC', label: 'yes, they are in UTC' },
        { value: 'site', label: 'no, they are as the clock shows them at the event' },
      ],
      safe: 'site',
      comment: `${reason}. If the times of the feed are in UTC, write \`timezone: UTC\` below \`source\`.`,
    },
  };
}

function shiftIn(named: ReadonlyArray<readonly number[]>): string | undefined {
  // Daylight saving time adds an hour.
  const among = (hour: number) => named.filter((shifts) => shifts.includes(hour) || shifts.includes(hour + 1));
  const [hour] = HOURS.toSorted((one, other) => among(other).length - among(one).length);
  const agreeing = named.filter((shifts) => shifts.includes(0)).length;
  if (hour === undefined || agreeing > 0 || among(hour).length < Math.max(LEAST, SHARE * named.length))
    return undefined;
  const hours = `${Math.abs(hour)} or ${Math.abs(hour + 1)} hours ${hour > 0 ? 'later' : 'earlier'}`;
  return `The texts of ${among(hour).length} of ${named.length} records name a time ${hours} than the start`;
}

/** @param starts in minutes after midnight */
function nightsIn(starts: readonly number[]): string | undefined {
  const atNight = starts.filter((start) => start < NIGHT).length;
  if (atNight < LEAST_NIGHTS || atNight <= starts.length / 2) return undefined;
  return `${atNight} of ${starts.length} events start between midnight and 5:00`;
}

/** The smaller of two differences from UTC in hours. An hour or two earlier is rather the time at which doors open. */
const HOURS = [-10, -9, -8, -7, -6, -5, -4, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12];

/** Returns by how many whole hours the clocks in the texts of a record differ from its start. */
function shiftsOf(index: number, times: readonly Column[], texts: readonly Column[]): number[] {
  const start = startOf(index, times);
  if (start === undefined) return [];
  const named = texts.flatMap(({ values }) => (typeof values[index] === 'string' ? clocksIn(values[index]) : []));
  return named
    .map((minutes) => (minutes - start) / 60)
    .flatMap((hours) => (Number.isInteger(hours) ? nearest(hours) : []));
}

/** Returns the time of a start without a zone, in minutes. Midnight may be that of a whole day. */
function startOf(index: number, times: readonly Column[]): number | undefined {
  const written = times.map(({ values }) => String(values[index] ?? ''));
  const [start] = written.some((text) => zoned.test(text)) ? [] : written.flatMap(clocksIn);
  return start || undefined;
}

/** A time after midnight is of another day than the start in UTC. */
function nearest(hours: number): number {
  return hours > 13 ? hours - 24 : hours < -11 ? hours + 24 : hours;
}

/** Returns the times of day in a text, in minutes. */
function clocksIn(text: string): number[] {
  const wall = text.replace(/(\d{4}-\d\d-\d\d)T(?=\d\d:)/g, '$1 ');
  return [...wall.matchAll(clock)].flatMap(([, hour, minute = '00', half]) => {
    const hours = Number(hour) % (half ? 12 : 24);
    return Number(hour) > 24 || Number(minute) > 59
      ? []
      : [60 * (hours + (/p/i.test(half ?? '') ? 12 : 0)) + Number(minute)];
  });
}
