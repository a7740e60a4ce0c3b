/** Version of the IANA time zone database that this process uses, such as "2026c" (ICU's, or ICU_TIMEZONE_FILES_DIR). */
export const zoneRules = process.versions.tz ?? 'unknown';

/** The newest version at the release of this version of feedferry, and the ISO date of its own release. */
export const newestZoneRules = { version: '2026d', released: '2026-09-11' };

const NEW_FOR_MS = 90 * 24 * 3_600_000;

/**
 * Returns why time zone rules may be outdated; undefined: nothing suggests this. A few versions appear a year.
 * @param now ms since 1970
 */
export function zoneRulesDoubt(rules: string, now: number): string | undefined {
  const { version, released } = newestZoneRules;
  // Versions consist of year and letter, so they sort by name.
  if (rules < version) return `The time zone rules are of version ${rules}; ${version} was released on ${released}.`;
  if (rules > version || now - Date.parse(released) < NEW_FOR_MS) return undefined;
  return `The time zone rules are of version ${rules}, which was released on ${released}. There may be newer ones.`;
}
