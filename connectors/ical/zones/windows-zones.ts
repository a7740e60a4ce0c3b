// By its path, because node-ical does not export it. The bundle contains it.
import windowsZones from '../../../node_modules/node-ical/windowsZones.json' with { type: 'json' };
import { isTimeZone } from '../../../src/core/dates/time-zone.ts';

let table: ReadonlyMap<string, string> | undefined;

/**
 * Returns the IANA zone of a name or display text of Windows, or of one of the cities in it; undefined if it has none. Only
 * node-ical's table is used: its parser takes unknown names for the zone of this machine.
 */
export function windowsZone(label: string): string | undefined {
  // Short names are abbreviations or offsets rather than cities.
  if (label.length <= 6) return undefined;
  table ??= readTable();
  const names = [label, ...(label.includes(',') ? label.split(',') : [])].map(normalized);
  const found = names.map((name) => table?.get(name)).find((zone) => zone !== undefined);
  return found !== undefined && isTimeZone(found) ? found : undefined;
}

function readTable(): ReadonlyMap<string, string> {
  const whole = Object.entries(windowsZones).map(([label, { iana }]) => ({ label, zone: iana[0] ?? '' }));
  const withoutOffset = whole.map(({ label, zone }) => ({ label: label.replace(/^\((?:UTC|GMT)[^)]*\)/, ''), zone }));
  const cities = withoutOffset.flatMap(({ label, zone }) => label.split(',').map((city) => ({ label: city, zone })));
  // A whole name precedes a city of the same name.
  const all = [...cities, ...withoutOffset, ...whole].map(({ label, zone }): [string, string] => [
    normalized(label),
    zone,
  ]);
  return new Map(all);
}

function normalized(label: string): string {
  return label.replace(/\s+/g, ' ').trim().toLowerCase();
}
