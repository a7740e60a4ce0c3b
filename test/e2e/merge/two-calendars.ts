import { type Engines, openSite, type Site, simplest } from '../site.ts';

/** A row of a calendar: key, title, day, start, hall and text. */
export type Row = readonly [key: string, title: string, date: string, start: string, hall: string, text: string];

const COLUMNS = 'id,title,date,start,hall,text';
export const CONCERT = ['Requiem', '2031-03-01', '19:00', 'Main Hall'] as const;
export const TALK = ['Old Maps', '2031-03-02', '18:00', 'Library'] as const;

export interface SeveralOptions {
  engines?: Engines;
  /** Lines of the sync file. */
  more?: string;
  /** Names of the sources, best first. */
  sources?: readonly string[];
}

/** A site with a sync "campus" that has several calendars: `central` and `music`. */
export async function openCampus({
  engines = simplest,
  more = '',
  sources = ['central', 'music'],
}: SeveralOptions = {}) {
  const site = await openSite(engines);
  writeCampus(site, more, sources);
  return site;
}

/**
 * Writes the sync file.
 * @param emptied a source without records, which is believed
 */
export function writeCampus(
  site: Site,
  more = '',
  sources: readonly string[] = ['central', 'music'],
  emptied?: string,
): void {
  const lines = sources.map((name) => {
    const options = name === emptied ? ', ignoreSigns: [empty]' : '';
    return `  ${name}: { connector: csv, url: ./feeds/${name}.csv${options} }`;
  });
  site.write(
    'syncs/campus.yaml',
    `resource: events
sources:
${lines.join('\n')}
key: id
map:
  title: title
  date: date
  time.start: start
  location: hall
  description: text
${more}`,
  );
}

/** Writes the calendar of a source. */
export function writeCalendar(site: Site, source: string, rows: readonly Row[]): void {
  const lines = rows.map((row) => row.join(','));
  site.write(`syncs/feeds/${source}.csv`, `${[COLUMNS, ...lines].join('\n')}\n`);
}

/** The items of the site, by their titles, with what visitors see of them. */
export async function itemsOf(site: Site): Promise<object[]> {
  const items = (await site.items('calendar/events')) as Array<Record<string, unknown>>;
  return items
    .map(({ id, title, date, location, description, time }) => ({
      ...{ id, title, date, location, description },
      start: (time as { start?: string } | undefined)?.start?.slice(0, 5),
    }))
    .sort((one, other) => String(one.title).localeCompare(String(other.title)) || Number(one.id) - Number(other.id));
}
