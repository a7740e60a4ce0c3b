/** Version of the IANA time zone database that this process converts times with, such as "2026c" (ICU's, or ICU_TIMEZONE_FILES_DIR). */
export const zoneRules = process.versions.tz ?? 'unknown';

/** The newest version when this version of feedferry was made, and the ISO date of its release. */
export const newestZoneRules = { version: '2026d', released: '2026-09-11' };

const NEW_FOR_MS = 90 * 24 * 3_600_000;

/**
 * Returns why time zone rules may be outdated; undefined: they are not known to be. A few versions appear a year.
 * @param now ms since 1970
 */
export function zoneRulesDoubt(rules: string, now: number): string | undefined {
  const { version, released } = newestZoneRules;
  // Years and letters: the order of versions is that of their names.
  if (rules < version) return `The time zone rules are of version ${rules}; ${version} was released on ${released}.`;
  if (rules > version || now - Date.parse(released) < NEW_FOR_MS) return undefined;
  return `The time zone rules are of version ${rules}, which was released on ${released}. There may be newer ones.`;
}
