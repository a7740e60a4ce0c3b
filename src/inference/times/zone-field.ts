import { isTimeZone } from '../../core/dates/time-zone.ts';
import { candidates } from '../columns/choose.ts';
import type { Column } from '../columns/columns.ts';
import { phrases } from '../columns/names.ts';

const zones = phrases(
  'timezone tz timezonename timezoneid zone iana starttimezone timezonestart zeitzone fuseauhoraire zonahoraria',
  'starttz tzstart eventtimezone',
);
/** Returns a field with IANA zones. */
export function zoneField(columns: readonly Column[]): Column | undefined {
  const fits = ({ texts }: Column) =>
    texts.every((text) => isTimeZone(text) && (text.includes('/') || text === 'UTC')) ? 1 : 0;
  return candidates(columns, { names: zones, fits })[0]?.column;
}

/** Returns a warning if a field has zones in another form, such as CET, +02:00 or W. Europe Standard Time. */
export function unreadZones(columns: readonly Column[]): string[] {
  const isZone = (text: string) => /^[A-Z]{2,5}$|^(UTC|GMT)?\s?[+-]\d|\btime$|zeit$/i.test(text);
  const [zone] = candidates(columns, { names: zones, fits: ({ texts }) => (texts.every(isZone) ? 1 : 0) });
  if (zone === undefined) return [];
  const shown = JSON.stringify(zone.column.texts[0]?.slice(0, 40));
  return [`${zone.column.path} seems to have zones, such as ${shown}, which are not read: set source.timezone.`];
}
