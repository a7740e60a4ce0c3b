import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
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
  const folder = join(createRequire(import.meta.url).resolve('node-ical/package.json'), '..');
  const zones: Record<string, { iana: string[] }> = JSON.parse(readFileSync(join(folder, 'windowsZones.json'), 'utf8'));
  const whole = Object.entries(zones).map(([label, { iana }]) => ({ label, zone: iana[0] ?? '' }));
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
