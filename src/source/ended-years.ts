import type { SyncConfig } from '../config/types.ts';

/**
 * Describes the rules whose dates have no year and are in twelve months that are over.
 * @param today ISO date
 */
export function describeEndedYears({ map = {} }: Pick<SyncConfig, 'map'>, today: string): string[] {
  return Object.entries(map).flatMap(([attribute, { year }]) => {
    if (year === undefined || today < firstDay(year, 1)) return [];
    const years = Array.from({ length: Number(today.slice(0, 4)) - Number(year.slice(0, 4)) }, (_, index) => index + 1);
    const passed = years.findLast((count) => firstDay(year, count) <= today) ?? 1;
    const now = `${Number(year.slice(0, 4)) + passed}${year.slice(4)}`;
    return [
      `${attribute}: the twelve months from ${firstDay(year, 0).slice(0, 7)} on are over. If the feed has later days by now, write \`year: ${now}\`.`,
    ];
  });
}

/** Returns the first day of the twelve months a number of years later. */
function firstDay(year: string, later: number): string {
  return `${Number(year.slice(0, 4)) + later}${year.slice(4) || '-01'}-01`;
}
