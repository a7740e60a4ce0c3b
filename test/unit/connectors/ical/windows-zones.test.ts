import cldr from 'cldr-core/supplemental/windowsZones.json' with { type: 'json' };
import { expect, test } from 'vitest';
import { windowsTexts } from '../../../../connectors/ical/zones/windows-texts.ts';
import { resolveZone } from '../../../../connectors/ical/zones/zones.ts';

const zones = new Map(
  cldr.supplemental.windowsZones.mapTimezones
    .filter(({ mapZone }) => mapZone._territory === '001')
    .map(({ mapZone }) => [mapZone._other, mapZone._type]),
);

test('Each name of Windows is the zone that CLDR assigns to it in the whole world', () => {
  // A name such as UTC-02 is read as an offset.
  const names = [...zones.keys()].filter((name) => !name.startsWith('UTC'));
  expect(names.length).toBeGreaterThanOrEqual(131);
  expect(names.map((name) => [name, resolveZone(name, 'Asia/Tokyo')?.id])).toEqual(
    names.map((name) => [name, zones.get(name)]),
  );
});

test.each(Object.entries(windowsTexts))('The text %s is the zone of %s', (text, name) => {
  expect([...zones.keys()]).toContain(name);
  expect(resolveZone(text, 'Asia/Tokyo')?.id).toBe(zones.get(name));
});

test.each([
  ['(UTC-08:00) Pacific Time (US & Canada)', 'America/Los_Angeles'],
  ['(UTC-05:00) EASTERN TIME (US & CANADA)', 'America/New_York'],
  ['(GMT+03:00) Moscow, St. Petersburg, Volgograd', 'Europe/Moscow'],
  ['Copenhagen', 'Europe/Copenhagen'],
  ['(UTC+02:00) Vilnius, Somewhere', 'Europe/Vilnius'],
  ['(UTC-03:00) Georgetown', 'America/Cayenne'],
])('The text %s is %s in any case, after any offset, and by one of its cities', (text, zone) => {
  expect(resolveZone(text, 'Asia/Tokyo')?.id).toBe(zone);
});
