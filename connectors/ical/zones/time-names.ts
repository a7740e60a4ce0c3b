import metaZones from 'cldr-core/supplemental/metaZones.json' with { type: 'json' };
import { isTimeZone } from '../../../src/core/dates/time-zone.ts';

/** Languages whose abbreviations are looked up, such as CEST and MESZ, and languages whose full names are. */
const abbreviated = ['en', 'en-GB', 'en-AU', 'en-NZ', 'en-CA', 'en-ZA', 'de', 'ja'];
const written = ['en', 'de', 'fr', 'es', 'it', 'nl', 'pt', 'pl', 'sv', 'da'];

/** Zones that win over others with the same name. */
const preferred = [
  'Atlantic/Reykjavik',
  'Europe/Berlin',
  'Europe/Moscow',
  'Pacific/Honolulu',
  'Europe/London',
  'Europe/Dublin',
];

type Style = 'short' | 'long' | 'longGeneric';

const tables = new Map<string, ReadonlyMap<string, string>>();
let zones: readonly string[] | undefined;

/**
 * Returns the IANA zone of the name that people use for a time, in winter or summer: CEST, Eastern Time, Mitteleuropäische Sommerzeit.
 * The names are those of ICU; of the zones with one name, CLDR tells which is typical.
 */
export function zoneOfTimeName(name: string): string | undefined {
  const label = normalized(name);
  const [languages, styles]: [string[], Style[]] = label.includes(' ')
    ? [written, ['long', 'longGeneric']]
    : [abbreviated, ['short']];
  for (const language of languages) {
    const key = `${language} ${styles}`;
    const table = tables.get(key) ?? readTable(language, styles);
    tables.set(key, table);
    const zone = table.get(label);
    if (zone !== undefined) return zone;
  }
  return undefined;
}

function readTable(language: string, styles: readonly Style[]): ReadonlyMap<string, string> {
  const table = new Map<string, string>();
  for (const zone of typicalZones()) {
    for (const timeZoneName of styles) {
      const format = new Intl.DateTimeFormat(language, { timeZone: zone, timeZoneName });
      for (const date of [Date.UTC(2026, 0, 1), Date.UTC(2026, 6, 1)]) {
        const name = format.formatToParts(date).find(({ type }) => type === 'timeZoneName')?.value ?? '';
        // ICU shows an offset if a time has no name.
        if (/^(?:GMT|UTC)/.test(name) || table.has(normalized(name))) continue;
        table.set(normalized(name), zone);
      }
    }
  }
  return table;
}

function typicalZones(): readonly string[] {
  const typical = metaZones.supplemental.metaZones.metazones.flatMap(({ mapZone }) =>
    mapZone._territory === '001' ? [mapZone._type] : [],
  );
  zones ??= [...new Set([...preferred, ...typical])].filter(isTimeZone);
  return zones;
}

function normalized(name: string): string {
  return name.normalize('NFC').replace(/\s+/g, ' ').replaceAll('’', "'").trim().toLowerCase();
}
