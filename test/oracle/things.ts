import type { Item, Site } from '../e2e/site.ts';
import { type FeedEvent, toCsv, toIcal } from './events.ts';

// What is real: the generator of histories knows which thing a record is about; the product does not.

export type Kind = 'csv' | 'ical' | 'accounts';

/** What a record says of a thing: attribute → value. `mark` is `#7 v2`: the thing, and the version of its text. */
export type Traits = Record<string, string>;

/** A record of a reading. */
export interface Entry {
  key: string;
  thing: number;
  traits: Traits;
}

/** Attribute of an item → trait. */
export const attributes: Record<'events' | 'accounts', Record<string, string>> = {
  events: { title: 'title', date: 'date', start: 'start', location: 'place', description: 'mark' },
  accounts: {
    ...{ username: 'login', email: 'mail', firstName: 'first', lastName: 'last' },
    phoneOffice: 'mark',
  },
};

/** The traits that name a thing. */
export const naming = { events: ['title', 'date', 'start', 'place'], accounts: ['login', 'mail', 'first', 'last'] };

export const resourceOf = (kind: Kind) => (kind === 'accounts' ? 'accounts' : 'events');

/** The thing that a mark names; NaN for an item of editors. */
export function thingOf({ mark = '' }: Traits): number {
  return Number(/^#(\d+) /.exec(mark)?.[1] ?? Number.NaN);
}

export function traitsOf(item: Item, kind: Kind): Traits {
  const time = item.time as { start?: string } | undefined;
  const values: Record<string, unknown> = { ...item, start: time?.start?.slice(0, 5) };
  const names = Object.entries(attributes[resourceOf(kind)]);
  return Object.fromEntries(names.map(([attribute, trait]) => [trait, String(values[attribute] ?? '')]));
}

/** Returns the body of a request of an editor that gives an item these traits. */
export function bodyOf({ date, start, ...traits }: Traits, kind: Kind): object {
  const names = Object.entries(attributes[resourceOf(kind)]);
  const others = names.flatMap(([name, trait]) => (traits[trait] === undefined ? [] : [[name, traits[trait]]]));
  const days = date === undefined ? {} : { date, endDate: date };
  const time = start === undefined ? {} : { time: { start: `${start}:00`, end: `${start}:00` } };
  return { ...Object.fromEntries(others), ...days, ...time };
}

const pick = (values: readonly string[], value: number) => values[value % values.length] ?? '';

/** Invents a thing. Things of neighbouring values have some traits in common. */
export function invent(thing: number, value: number, kind: Kind): Traits {
  const mark = `#${thing} v0`;
  const [low, high] = [value % 16, Math.floor(value / 16)];
  if (kind === 'accounts') {
    const first = pick(['Ada', 'Ben', 'Cleo', 'Dan'], low);
    const last = pick(['Stone', 'Rivers', 'Woods', 'Hill', 'Marsh'], high);
    // Two people of one name, or with one address, exist; nobody shares a login.
    return { mark, first, last, login: `${first}${last}${thing}`.toLowerCase(), mail: mailOf(first, last, value) };
  }
  const title = [pick(['Choir', 'Chess', 'Jazz', 'Yoga'], low), pick(['practice', 'evening'], high), 'for everybody'];
  const date = `2031-0${3 + (high % 4)}-${10 + 6 * (low % 3)}`;
  return {
    mark,
    title: title.join(' '),
    date,
    start: `${10 + (value % 3)}:30`,
    place: pick(['Hall', 'Library'], value),
  };
}

function mailOf(first: string, last: string, value: number): string {
  return value % 7 === 0 ? 'desk@site.example' : `${first}.${last}${value}@site.example`.toLowerCase();
}

/** Changes one trait, as small changes are. */
export function changeSlightly(traits: Traits, value: number, kind: Kind): Traits {
  const { title = '', date = '', first = '', last = '' } = traits;
  if (kind === 'accounts') {
    const names = { last: `${last}-North`, mail: `${first}${value}@new.example`.toLowerCase(), login: `u${value}` };
    return { ...traits, ...one(names, value) };
  }
  const days = Number(date.slice(8)) + 1 + (value % 3);
  const others = { start: `${14 + (value % 5)}:00`, place: pick(['Aula', 'Garden'], Math.floor(value / 4)) };
  return { ...traits, ...one({ ...others, title: `${title} again`, date: `${date.slice(0, 8)}${days}` }, value) };
}

function one(changes: Traits, value: number): Traits {
  const names = Object.keys(changes);
  const name = pick(names, value);
  return { [name]: changes[name] ?? '' };
}

/** Another text of the same thing. */
export function edition({ mark = '', ...traits }: Traits): Traits {
  const [thing, version = 'v0'] = mark.split(' ');
  return { ...traits, mark: `${thing} v${Number(version.slice(1)) + 1}` };
}

export function writeEntries(site: Site, entries: readonly Entry[], kind: Kind): void {
  if (kind === 'accounts') {
    const rows = entries.map(({ key, traits: { login, mail, first, last, mark } }) =>
      [key, login, mail, first, last, mark].join(','),
    );
    site.write('syncs/play.csv', `${['id,login,mail,first,last,mark', ...rows].join('\n')}\n`);
    return;
  }
  const events = entries.map(({ key, traits: { title = '', date = '', start = '', place = '', mark = '' } }) => {
    return { key, title, date, start, place, text: mark } satisfies FeedEvent;
  });
  site.write(kind === 'csv' ? 'syncs/play.csv' : 'syncs/play.ics', kind === 'csv' ? toCsv(events) : toIcal(events));
}

/** Writes the sync. @param more further lines */
export function writeSync(site: Site, kind: Kind, more: string): void {
  const mapped: Record<Kind, string> = {
    csv: 'key: id\nmap: { title: title, start: start, location: place, description: text }',
    ical: 'map: { location: location }',
    accounts: 'key: id\nmap: { username: login, email: mail, firstName: first, lastName: last, phoneOffice: mark }',
  };
  const source = kind === 'ical' ? 'connector: ical, url: ./play.ics' : 'connector: csv, url: ./play.csv';
  const resource = resourceOf(kind);
  site.write(
    'syncs/play.yaml',
    `resource: ${resource}\nsource: { ${source}, timezone: America/New_York }\n${mapped[kind]}\n${more}`,
  );
}
