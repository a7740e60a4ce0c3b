import { nearest } from '../../core/suggest.ts';

/** Zones of large places. Of the zones with the same region or abbreviation, the first is meant most often. */
const USUAL = [
  ...['America/New_York', 'America/Chicago', 'America/Denver', 'America/Los_Angeles', 'America/Toronto'],
  ...['America/Mexico_City', 'America/Sao_Paulo', 'Europe/Berlin', 'Europe/London', 'Europe/Paris', 'Europe/Madrid'],
  ...['Europe/Lisbon', 'Europe/Athens', 'Africa/Johannesburg', 'Africa/Lagos', 'Asia/Tokyo', 'Asia/Shanghai'],
  ...['Asia/Kolkata', 'Asia/Singapore', 'Australia/Sydney', 'Pacific/Auckland'],
];
/** Languages that have abbreviations for these zones. */
const LANGUAGES = ['en-US', 'en-GB', 'en-AU', 'en-NZ', 'en-IN', 'de'];
const WINTER_AND_SUMMER = [Date.UTC(2026, 0, 15), Date.UTC(2026, 6, 15)];
const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Returns a hint for a name that is not an IANA zone: a misspelt zone, a city, a country or an abbreviation. */
export function zoneHint(given: string): string {
  const name = given.trim().replace(/\s+/g, '_');
  const meant = similarZone(name) ?? zoneCalled(name);
  if (meant) return `; did you mean "${meant}"?`;
  const ofCountry = usualOf(zonesOfCountry(name));
  if (ofCountry.length === 1) return `; did you mean "${ofCountry[0]}"?`;
  const region = name.slice(0, name.indexOf('/') + 1).toLowerCase();
  const near = USUAL.filter((zone) => region !== '' && zone.toLowerCase().startsWith(region));
  const zones = [ofCountry, near, ['Europe/Berlin', 'America/New_York']].find(({ length }) => length > 0) ?? [];
  return `; write the zone of a large city of the country, such as ${zones.join(', ')}`;
}

/** Finds a zone whose name, or whose city, is spelt like the given name. */
function similarZone(name: string): string | undefined {
  const initial = cityOf(name).charAt(0).toUpperCase();
  const zones = Intl.supportedValuesOf('timeZone').filter((zone) => cityOf(zone).startsWith(initial));
  return nearest(name, zones) ?? zones.find((zone) => nearest(cityOf(name), [cityOf(zone)]));
}

/** Finds the zone of an abbreviation such as CEST, also at the start of a POSIX rule such as EST5EDT,M3.2.0,M11.1.0. */
function zoneCalled(name: string): string | undefined {
  const [abbreviation] = /^(?!GMT|UTC)[A-Z]{3,5}(?![A-Z_/])/i.exec(name) ?? [];
  if (abbreviation === undefined) return undefined;
  return USUAL.find((zone) => abbreviationsOf(zone).includes(abbreviation.toUpperCase()));
}

function abbreviationsOf(timeZone: string): string[] {
  return LANGUAGES.flatMap((language) => {
    const format = new Intl.DateTimeFormat(language, { timeZone, timeZoneName: 'short' });
    return WINTER_AND_SUMMER.flatMap((time) =>
      format.formatToParts(time).filter(({ type }) => type === 'timeZoneName'),
    );
  }).map(({ value }) => value);
}

/** Returns the zones of a country. Takes its English name, also in a form such as Europe/Germany. */
function zonesOfCountry(name: string): string[] {
  const countries = new Intl.DisplayNames('en', { type: 'region' });
  const isMeant = (code: string) =>
    countries.of(code)?.toLowerCase() === cityOf(name).replaceAll('_', ' ').toLowerCase();
  const code = LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).find(isMeant);
  // Newer engines have the method `getTimeZones()`; Node 22 has the property `timeZones`.
  const locale =
    code === undefined ? {} : (new Intl.Locale(`und-${code}`) as { timeZones?: string[]; getTimeZones?(): string[] });
  return locale.timeZones ?? locale.getTimeZones?.() ?? [];
}

/** Leaves out the zones of small places if a country has many zones. */
function usualOf(zones: string[]): string[] {
  const usual = USUAL.filter((zone) => zones.includes(zone));
  return usual.length > 0 ? usual : zones;
}

function cityOf(name: string): string {
  return name.split('/').at(-1) ?? name;
}
