import cldr from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import { isTimeZone } from '../../../src/core/dates/time-zone.ts';
import { windowsTexts } from './windows-texts.ts';

/** CLDR's code for the whole world. The zone listed under this code is used for a name in every country. */
const WORLD = '001';

let tables: { names: ReadonlyMap<string, string>; cities: ReadonlyMap<string, string> } | undefined;

/** Returns the IANA zone of a Windows name or display text; undefined for other labels. */
export function windowsZone(label: string): string | undefined {
  tables ??= readTables();
  return knownZone(tables.names.get(normalized(label)));
}

/** Returns the IANA zone of a city in the display texts of Windows. */
export function windowsCity(city: string): string | undefined {
  tables ??= readTables();
  return knownZone(tables.cities.get(normalized(city)));
}

function knownZone(zone: string | undefined): string | undefined {
  return zone !== undefined && isTimeZone(zone) ? zone : undefined;
}

function readTables() {
  const zones = new Map(
    cldr.supplemental.windowsZones.mapTimezones
      .filter(({ mapZone }) => mapZone._territory === WORLD)
      .map(({ mapZone }) => [mapZone._other, mapZone._type]),
  );
  const texts = Object.entries(windowsTexts).map(([text, name]): [string, string] => [text, zones.get(name) ?? '']);
  const withoutOffset = texts.map(([text, zone]): [string, string] => [
    text.replace(/^\((?:UTC|GMT)[^)]*\)/, ''),
    zone,
  ]);
  const cities = withoutOffset.flatMap(([text, zone]) => text.split(',').map((city): [string, string] => [city, zone]));
  // Later entries replace earlier ones.
  const names = [...withoutOffset, ...texts, ...zones];
  const tableOf = (entries: Array<[string, string]>) =>
    new Map(entries.map(([label, zone]) => [normalized(label), zone]));
  return { names: tableOf(names), cities: tableOf(cities) };
}

function normalized(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase();
}
