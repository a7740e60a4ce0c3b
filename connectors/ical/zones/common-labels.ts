import { isTimeZone } from '../../../src/core/dates/time-zone.ts';
import { namedZone } from '../../../src/core/dates/zone.ts';
import { zoneOfLabel } from './known-labels.ts';
import { zoneOfTimeName } from './time-names.ts';

/** Abbreviations that several times share, and zones that have them. */
const ambiguous: Readonly<Record<string, readonly string[]>> = {
  ACT: ['America/Rio_Branco', 'Australia/Darwin'],
  AMT: ['America/Manaus', 'Asia/Yerevan'],
  AST: ['America/Halifax', 'America/Puerto_Rico', 'Asia/Riyadh'],
  BST: ['Europe/London', 'Asia/Dhaka'],
  CST: ['America/Chicago', 'America/Regina', 'Asia/Shanghai'],
  IST: ['Asia/Kolkata', 'Europe/Dublin', 'Asia/Jerusalem'],
};

/** No name of a zone is longer. */
const LONGEST = 200;

/**
 * Returns the IANA zone of a label that is not a name of a zone, but is common: a city, a name of Rails, Lotus or WebEx, or a name of a
 * time. An ambiguous abbreviation means the zone of the source if its clocks fit; otherwise undefined.
 */
export function zoneOfCommonLabel(tzid: string, sourceTimezone: string): string | undefined {
  if (tzid.length > LONGEST) return undefined;
  const withoutScheme = tzid.replace(/^tzone:\/\/Microsoft\//i, '');
  const label = withoutScheme.replaceAll('"', '').replace(/\s+/g, ' ').trim();
  if (/^(?:z|\((?:utc|gmt)\))$/i.test(label)) return 'UTC';
  const candidates = ambiguous[label.toUpperCase()];
  if (candidates) return candidates.some((zone) => isSameClock(zone, sourceTimezone)) ? sourceTimezone : undefined;
  for (const variant of variantsOf(label)) {
    const zone = spelledOut(variant) ?? zoneOfLabel(variant) ?? windowsTime(variant) ?? zoneOfTimeName(variant);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

/** Returns the label without what may be around the name: `(GMT-05:00) Name`, `Name (City, GMT-05:00)`, `Name - City`. */
function variantsOf(label: string): string[] {
  const withoutOffset = label.replace(/^\([^()]*\) ?/, '');
  const [, name = withoutOffset, inParentheses = ''] = /^([^()]*) \(([^()]*)\)$/.exec(withoutOffset) ?? [];
  const [city = ''] = inParentheses.split(',');
  const variants = [label, withoutOffset, name, ...name.split(' - '), city].map((variant) => variant.trim());
  return [...new Set(variants)].filter((variant) => variant !== '');
}

/** Reads `America/New York`, `America-New_York`, `Europe\Berlin` and `US-Eastern`. */
function spelledOut(label: string): string | undefined {
  const name = label.replaceAll('\\', '/').replaceAll(' ', '_');
  return [name, name.replace('-', '/'), name.replaceAll('-', '_')].find(
    (form) => form.includes('/') && isTimeZone(form),
  );
}

/** Reads names of Windows without, or with other last words: `W. Europe`, `Romance Daylight Time`; and `Hawaii Time`. */
function windowsTime(label: string): string | undefined {
  const winter = zoneOfLabel(label.replace(/\b(?:daylight|summer)\b/i, 'Standard'));
  const name = label.replace(/(?: (?:standard|daylight|summer))?(?: time(?: zone)?)?$/i, '');
  return winter ?? zoneOfLabel(`${name} Standard Time`) ?? zoneOfLabel(name);
}

function isSameClock(one: string, other: string): boolean {
  const days = [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)];
  return days.every((day) => namedZone(one).offsetAt(day) === namedZone(other).offsetAt(day));
}
