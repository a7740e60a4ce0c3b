import { addDays, isIsoDate } from '../../core/dates/iso-date.ts';
import { namedZone, toInstant } from '../../core/dates/zone.ts';
import { CodedError } from '../../core/errors.ts';

/**
 * Returns the time of a day in a zone, in ms since 1970; the end is exclusive.
 * @throws CodedError FF_USAGE for a text that is not a day
 */
export function timeOfDay(day: string, timezone: string): { from: number; to: number } {
  if (!isIsoDate(day)) throw new CodedError('FF_USAGE', `"${day}" is not a day, such as 2027-03-01.`);
  const midnight = (date: string) => toInstant(Date.parse(`${date}T00:00:00Z`), namedZone(timezone));
  return { from: midnight(day), to: midnight(addDays(day, 1)) };
}
