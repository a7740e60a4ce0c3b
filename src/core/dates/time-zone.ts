import { Temporal } from 'temporal-polyfill';

/** Returns whether the text names an IANA time zone. Temporal also accepts offsets and whole ISO texts. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z][\w+/-]*$/.test(name)) return false;
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
}
