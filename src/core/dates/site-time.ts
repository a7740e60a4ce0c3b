/** English writes the abbreviations of different zones in different places; elsewhere it falls back to an offset. */
const LOCALES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'en-ZA'];

/**
 * A time for people: "2027-03-01 14:05 EST".
 * @param instant ISO instant, or ms since 1970
 * @param timezone IANA zone of the site
 */
export function siteTime(instant: string | number, timezone: string): string {
  const date = new Date(instant);
  // Swedish dates are ISO dates.
  const wall = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  return `${wall.format(date)} ${abbreviation(date, timezone)}`;
}

function abbreviation(date: Date, timeZone: string): string {
  const names = LOCALES.flatMap((locale) => {
    const parts = new Intl.DateTimeFormat(locale, { timeZone, timeZoneName: 'short' }).formatToParts(date);
    return parts.filter(({ type }) => type === 'timeZoneName').map(({ value }) => value);
  });
  return names.find((name) => !/^GMT[+-]/.test(name)) ?? names[0] ?? timeZone;
}
