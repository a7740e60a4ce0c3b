import cldr from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import { isTimeZone } from '../../../src/core/dates/time-zone.ts';
import { windowsTexts } from './windows-texts.ts';

/** CLDR's code for the whole world. The zone listed under this code is used for a name in every country. */
const WORLD = '001';

let table: ReadonlyMap<string, string> | undefined;

/** Returns the IANA zone of a Windows name or display text, or of a city in a display text; undefined for other labels. */
export function windowsZone(label: string): string | undefined {
  // Short names are abbreviations or offsets rather than cities.
  if (label.length <= 6) return undefined;
  table ??= readTable();
  const names = [label, ...(label.includes(',') ? label.split(',') : [])].map(normalized);
  const found = names.map((name) => table?.get(name)).find((zone) => zone !== undefined);
  return found !== undefined && isTimeZone(found) ? found : undefined;
}

function readTable(): ReadonlyMap<string, string> {
  const zones = new Map(
    cldr.supplemental.windowsZones.mapTimezones
      .filter(({ mapZone }) => mapZone._territory === WORLD)
      .map(({ mapZone }) => [mapZone._other, mapZone._type]),
  );
  const texts = Object.entries(windowsTexts).map(([text, name]) => ({ text, zone: zones.get(name) ?? '' }));
  const withoutOffset = texts.map(({ text, zone }) => ({ text: text.replace(/^\((?:UTC|GMT)[^)]*\)/, ''), zone }));
  const cities = withoutOffset.flatMap(({ text, zone }) => text.split(',').map((city) => ({ text: city, zone })));
  // Later entries replace earlier ones, so that a whole text or name wins over a city with the same name.
  const whole = [...cities, ...withoutOffset, ...texts].map(({ text, zone }): [string, string] => [text, zone]);
  return new Map([...whole, ...zones].map(([label, zone]) => [normalized(label), zone]));
}

function normalized(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase();
}
