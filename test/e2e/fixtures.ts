import type { Site } from './site.ts';

const COLUMNS = 'id,title,date,start';
const MAP = 'title: title, date: date, time.start: start';

/** Three talks with the columns of `writeTalks`. */
export const threeTalks = ['T1,Maps,2027-03-01,18:00', 'T2,Ships,2027-03-02,10:00', 'T3,Tides,2027-03-03,10:00'];

/** Writes a sync of events that reads the feed of `writeTalks`. */
export function writeTalksSync(site: Site, more = '', map = MAP): void {
  site.write(
    'syncs/talks.yaml',
    `resource: events
source: { connector: csv, url: ./feeds/talks.csv }
key: id
map: { ${map} }
${more}
`,
  );
}

/** Writes the CSV feed of the talks. */
export function writeTalks(site: Site, rows: readonly string[], columns = COLUMNS): void {
  site.write('syncs/feeds/talks.csv', `${[columns, ...rows].join('\n')}\n`);
}

/** Three talks of which the first has a text and a picture, `feeds/a.png`. */
export const illustratedTalks = (text = '') => [
  `T1,Maps,2027-03-01,18:00,${text},a.png`,
  'T2,Ships,2027-03-02,10:00,,',
  'T3,Tides,2027-03-03,10:00,,',
];

/** Writes a sync of talks with texts and pictures. */
export function writeIllustratedSync(site: Site, more = ''): void {
  writeTalksSync(site, `attachments: { image: image }\n${more}`, `${MAP}, description: text`);
}

/** Writes the feed of talks with texts and pictures. */
export function writeIllustratedTalks(site: Site, ...rows: string[]): void {
  writeTalks(site, rows, `${COLUMNS},text,image`);
}
