import { type Expected, toCsv } from '../crash/source.ts';

/** A sync of the soak: its config, how its feed is written, and what the CMS is to have of a record. */
export interface SoakSync {
  name: string;
  resource: 'events' | 'accounts';
  /** The attribute in which no two records are alike. */
  named: 'title' | 'email';
  file: string;
  /** Where the feed is: beside the config, or on a server. */
  place: 'file' | 'http';
  /** What becomes of items that the feed has no more. */
  missing: 'keep' | 'delete';
  /** @param url of the feed */
  config(url: string): string;
  write(records: readonly Expected[]): string;
  /** @param count how often the record was changed */
  expect(id: number, count: number): Expected;
}

/** Days to come, whenever this runs. */
const YEAR = new Date().getFullYear() + 1;
const PICTURES = 40;

const DELETE_MISSING = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }';
const EVENT_MAP = 'map: { title: title, description: text, date: date, time.start: start }';

export const soakSyncs: readonly SoakSync[] = [
  {
    ...eventsNamed('talks'),
    missing: 'delete',
    file: 'talks.csv',
    place: 'file',
    config: (url) => `resource: events
source: { connector: csv, url: ${url} }
key: id
${EVENT_MAP}
${DELETE_MISSING}
schedule: { every: 2s }
`,
    write: (records) => toCsv(['id', 'title', 'text', 'date', 'start'], records.map(eventRow)),
  },
  {
    ...eventsNamed('calendar'),
    file: 'calendar.ics',
    place: 'http',
    config: (url) => `resource: events
source: { connector: ical, url: "${url}", allowPrivateNetwork: true, retries: 1 }
key: uid
schedule: { every: 3s }
`,
    write: (records) =>
      ['BEGIN:VCALENDAR', 'VERSION:2.0', ...records.flatMap(toVevent), 'END:VCALENDAR', ''].join('\r\n'),
  },
  {
    ...eventsNamed('concerts'),
    file: 'concerts.json',
    place: 'http',
    config: (url) => `resource: events
source: { connector: json, url: "${url}", items: "events[*]", allowPrivateNetwork: true, retries: 1 }
key: id
${EVENT_MAP}
schedule: { every: 3s }
`,
    write: (records) => {
      const events = records.map(eventRow).map(([id, title, text, date, start]) => ({ id, title, text, date, start }));
      return JSON.stringify({ total: events.length, events });
    },
  },
  {
    name: 'people',
    resource: 'accounts',
    named: 'email',
    missing: 'keep',
    file: 'people.json',
    place: 'file',
    config: (url) => `resource: accounts
source: { connector: json, url: ${url} }
key: username
schedule: { every: 4s }
`,
    write: (records) => JSON.stringify(records.map(({ attributes }) => attributes)),
    expect: (id, count) => {
      const username = `person${id}`;
      const names = { firstName: `Person ${id}`, lastName: `changed ${count} times` };
      return { key: username, attributes: { username, email: `${username}@example.org`, ...names } };
    },
  },
  {
    ...eventsNamed('films'),
    missing: 'delete',
    file: 'films.csv',
    place: 'http',
    config: (url) => `resource: events
source: { connector: csv, url: "${url}", allowPrivateNetwork: true, retries: 1 }
key: id
${EVENT_MAP}
attachments: { image: image }
${DELETE_MISSING}
schedule: { every: 5s }
`,
    write: (records) =>
      toCsv(
        ['id', 'title', 'text', 'date', 'start', 'image'],
        records.map((record) => [...eventRow(record), `pictures/${record.picture}`]),
      ),
    expect: (id, count) => ({ ...eventOf('films', id, count), picture: `${(id + count) % PICTURES}.png` }),
  },
];

function eventsNamed(name: string): Pick<SoakSync, 'name' | 'resource' | 'named' | 'missing' | 'expect'> {
  const expect = (id: number, count: number) => eventOf(name, id, count);
  return { name, resource: 'events', named: 'title', missing: 'keep', expect };
}

/** With every change an event has another text, day and hour. */
function eventOf(sync: string, id: number, count: number): Expected {
  const date = `${YEAR}-03-${String(1 + ((id + 5 * count) % 28)).padStart(2, '0')}`;
  const title = `${sync} ${id}`;
  const description = `${title} was changed ${count} times`;
  const start = `${10 + (count % 10)}:00:00`;
  return { key: String(id), attributes: { title, description, date, endDate: date, 'time.start': start } };
}

function eventRow({ key, attributes }: Expected): Array<string | undefined> {
  const { title, description, date, 'time.start': start } = attributes;
  return [key, title, description, date, start];
}

function toVevent({ key, attributes }: Expected): string[] {
  const { title, description, date, 'time.start': start } = attributes;
  const time = `${date}T${start}`.replace(/[-:]/g, '');
  return [
    'BEGIN:VEVENT',
    `UID:${key}`,
    `SUMMARY:${title}`,
    `DESCRIPTION:${description}`,
    `DTSTART:${time}`,
    'END:VEVENT',
  ];
}
