import { isTimeZone } from '../../../src/core/dates/time-zone.ts';
import { windowsCity } from './windows-zones.ts';

/** Areas of IANA names, for labels that are only a city or country. */
const areas = 'Europe America Asia Africa Australia Pacific Atlantic Indian US Canada America/Argentina'.split(' ');

/** Places of Rails that IANA calls otherwise. */
const places: ReadonlyMap<string, string> = new Map([
  ['american samoa', 'Pacific/Pago_Pago'],
  ['cape verde is.', 'Atlantic/Cape_Verde'],
  ['chatham is.', 'Pacific/Chatham'],
  ['edinburgh', 'Europe/London'],
  ['marshall is.', 'Pacific/Majuro'],
  ['mid-atlantic', 'Atlantic/South_Georgia'],
  ['midway island', 'Pacific/Midway'],
  ['samoa', 'Pacific/Apia'],
  ['solomon is.', 'Pacific/Guadalcanal'],
  ['tokelau is.', 'Pacific/Fakaofo'],
]);

/** Names in these areas that are no places: states and abbreviations of times. */
const noPlace = /^(?:act|lhi|nsw|north|south|west)$/i;

/** Returns the IANA zone of a city or country, as IANA, Rails or Windows call it. */
export function cityZone(label: string): string | undefined {
  const place = label.trim().replace(/\s+/g, ' ');
  if (noPlace.test(place)) return undefined;
  const names = areas.map((area) => `${area}/${place.replaceAll(' ', '_')}`);
  return places.get(place.toLowerCase()) ?? names.find(isTimeZone) ?? windowsCity(place);
}
