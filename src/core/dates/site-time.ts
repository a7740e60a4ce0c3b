/** Each English locale has abbreviations for some zones; for the others it falls back to an offset. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA'];

const HALF_A_YEAR_MS = 182 * 86_400_000;

interface Formats {
  wall: Intl.DateTimeFormat;
  day: Intl.DateTimeFormat;
  names: Intl.DateTimeFormat[];
}

/** Creating formats takes half a millisecond, much longer than using them. */
const formatsByZone = new Map<string, Formats>();

/**
 * A time for people: "2027-03-01 14:05 EST".
 * @param instant ISO instant, or ms since 1970
 * @param timezone IANA zone of the site
 */
export function siteTime(instant: string | number, timezone: string): string {
  const date = new Date(instant);
  const { wall, names } = formatsOf(timezone);
  return `${wall.format(date)} ${abbreviation(date, names) ?? timezone}`;
}

/** A time for narrow tables that name the zone elsewhere: "Mar 01 14:05", or "2026-03-01" if it is half a year away. */
export function shortSiteTime(instant: string | number, timezone: string, now = Date.now()): string {
  const date = new Date(instant);
  const { wall, day } = formatsOf(timezone);
  const text = wall.format(date);
  return Math.abs(date.getTime() - now) < HALF_A_YEAR_MS ? `${day.format(date)} ${text.slice(-5)}` : text.slice(0, 10);
}

function abbreviation(date: Date, formats: readonly Intl.DateTimeFormat[]): string | undefined {
  const names = formats.flatMap((format) => {
    return format.formatToParts(date).flatMap(({ type, value }) => (type === 'timeZoneName' ? [value] : []));
  });
  return names.find((name) => !/^GMT[+-]/.test(name)) ?? names[0];
}

function formatsOf(timeZone: string): Formats {
  const known = formatsByZone.get(timeZone);
  if (known) return known;
  const formats = {
    // Swedish dates are ISO dates.
    wall: new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' }),
    day: new Intl.DateTimeFormat('en-US', { timeZone, month: 'short', day: '2-digit' }),
    names: LOCALES.map((locale) => new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' })),
  };
  formatsByZone.set(timeZone, formats);
  return formats;
}
