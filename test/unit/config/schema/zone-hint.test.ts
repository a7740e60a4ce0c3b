import { expect, test } from 'vitest';
import { zoneHint } from '../../../../src/config/schema/zone-hint.ts';

test.each([
  ['Europe/Brelin', 'Europe/Berlin'],
  ['europe/berlin ', 'Europe/Berlin'],
  ['New York', 'America/New_York'],
  ['CEST', 'Europe/Berlin'],
  ['MEZ', 'Europe/Berlin'],
  ['BST', 'Europe/London'],
  ['EDT', 'America/New_York'],
  ['AEST', 'Australia/Sydney'],
  ['EST5EDT,M3.2.0,M11.1.0', 'America/New_York'],
  ['Germany', 'Europe/Berlin'],
  ['Europe/Germany', 'Europe/Berlin'],
  ['Spain', 'Europe/Madrid'],
  ['Iceland', 'Atlantic/Reykjavik'],
])('Instead of %s, the zone %s is suggested', (name, zone) => {
  expect(zoneHint(name)).toBe(`; did you mean "${zone}"?`);
});

test.each([
  ['Europe/Munich', /such as Europe\/Berlin, (Europe\/\w+(, )?)+$/],
  ['United States', /such as America\/New_York, (America\/\w+(, )?)+$/],
  ['Munich', /such as Europe\/Berlin, America\/New_York$/],
  ['GMT+1', /such as Europe\/Berlin, America\/New_York$/],
])('Instead of %s, large cities are named', (name, hint) => {
  expect(zoneHint(name)).toMatch(hint);
});
