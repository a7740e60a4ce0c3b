import cldr from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import { isTimeZone } from '../../../src/core/dates/time-zone.ts';
import { windowsTexts } from './windows-texts.ts';

/** CLDR's code for the whole world. The zone listed under this code is used for a name in every country. */
const WORLD = '001';

/** Areas of IANA names, for labels that are only a city or country. */
const areas = 'Europe America Asia Africa Australia Pacific Atlantic Indian US Canada America/Argentina'.split(' ');

/** Names in these areas that are no places: states and abbreviations of times. */
const noPlace = /^(?:act|lhi|nsw|north|south|west)$/i;

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

let ofWindows: ReadonlyMap<string, string> | undefined;

/** Returns the IANA zone of a city or country as Rails or IANA call it, or of a city, name or display text of Windows. */
export function zoneOfLabel(label: string): string | undefined {
  const place = label.trim().replace(/\s+/g, ' ');
  if (noPlace.test(place)) return undefined;
  ofWindows ??= readWindows();
  const names = areas.map((area) => `${area}/${place.replaceAll(' ', '_')}`);
  const key = place.toLowerCase();
  return [places.get(key), ...names, ofWindows.get(key)].find((zone) => zone !== undefined && isTimeZone(zone));
}

/** Later entries replace earlier ones. */
function readWindows(): ReadonlyMap<string, string> {
  const zones = cldr.supplemental.windowsZones.mapTimezones.flatMap(
    ({ mapZone }): Array<[string, string]> => (mapZone._territory === WORLD ? [[mapZone._other, mapZone._type]] : []),
  );
  const zoneOfName = new Map(zones);
  const texts = Object.entries(windowsTexts).map(([text, name]): [string, string] => [
    text,
    zoneOfName.get(name) ?? '',
  ]);
  const withoutOffset = texts.map(([text, zone]): [string, string] => [
    text.replace(/^\((?:UTC|GMT)[^)]*\)/, ''),
    zone,
  ]);
  const cities = withoutOffset.flatMap(([text, zone]) => text.split(',').map((city): [string, string] => [city, zone]));
  const all = [...cities, ...withoutOffset, ...texts, ...zones];
  return new Map(all.map(([label, zone]) => [label.replace(/\s+/g, ' ').trim().toLowerCase(), zone]));
}
