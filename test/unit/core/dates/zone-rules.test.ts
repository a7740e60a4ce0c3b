import { expect, test } from 'vitest';
import { newestZoneRules, zoneRules, zoneRulesDoubt } from '../../../../src/core/dates/zone-rules.ts';
import { parseMoment } from '../../../../src/mapping/time.ts';

const { version, released } = newestZoneRules;
const afterDays = (days: number) => Date.parse(released) + days * 24 * 3_600_000;

test('Rules are outdated if newer ones are known, or if the newest that are known are old', () => {
  expect(zoneRulesDoubt('2025b', afterDays(1))).toContain(`2025b; ${version} was released on ${released}`);
  expect(zoneRulesDoubt('2025c', afterDays(1))).toContain('2025c');
  expect(zoneRulesDoubt(version, afterDays(89))).toBeUndefined();
  expect(zoneRulesDoubt(version, afterDays(91))).toContain('There may be newer ones');
  expect(zoneRulesDoubt('2031a', afterDays(91))).toBeUndefined();
});

test('British Columbia has had no winter time since November 2026', () => {
  expect(zoneRules >= '2026b', `Node ${process.version} has the rules ${zoneRules}`).toBe(true);
  const zones = { siteTimezone: 'America/Vancouver', sourceTimezone: 'UTC' };
  expect(parseMoment('2026-12-02T03:00:00Z', zones)).toMatchObject({ date: '2026-12-01', time: '20:00:00' });
});
