import type { Payload } from '../../../src/core/record.ts';
import type { Row } from '../world/source.ts';

/** What differs between the resources of the CMS. */
export interface SimulatedResource {
  /** Below /api/v1. */
  path: string;
  table: 'events' | 'accounts';
  /** What its records are called, and its keys begin with. */
  record: string;
  keysWith: string;
  /** Lines of `map`; `place` is mapped if the config says so. */
  map: string;
  /** The attribute that never changes, by which the checks know an item without an external id. */
  name: 'title' | 'email';
  /** What `adopt` matches. */
  match: string;
  /** The attribute that editors write, too. */
  text: 'description' | 'department';
  /** The fields of a record that was changed so often. */
  fieldsOf(number: number, count: number): Row;
  /** The attributes without which the CMS takes no item. */
  needed: string[];
  /** The attributes that the item of a record should have, besides its text. */
  wanted(row: Row): Record<string, unknown>;
  /** An item that editors add. */
  added(works: number): object;
  /** What editors write to call an item otherwise; its number stays. */
  renamed(item: Record<string, unknown>): Payload;
  /** What else they change of it. */
  moved: Payload;
}

const EVENTS: SimulatedResource = {
  path: '/calendar/events',
  table: 'events',
  record: 'Talk',
  keysWith: 'T',
  map: 'title: title, description: text, start: start',
  name: 'title',
  match: 'title',
  text: 'description',
  needed: ['title', 'date', 'endDate', 'time'],
  fieldsOf: (number, count) => ({
    title: `Talk ${number}`,
    start: `2027-03-${String(1 + ((number + 5 * Math.floor(count / 2)) % 28)).padStart(2, '0')}T${10 + (count % 10)}:00`,
  }),
  wanted({ title, start = '' }) {
    const [date, clock] = start.split('T');
    return { title, date, 'time.start': `${clock}:00` };
  },
  added: (works) => {
    return { title: `Staff outing ${works}`, date: '2027-03-05', endDate: '2027-03-05', time: { type: 'tba' } };
  },
  renamed: ({ title }) => ({ title: `${title} (in the great hall)` }),
  moved: { date: '2027-04-05', endDate: '2027-04-05' },
};

const ACCOUNTS: SimulatedResource = {
  path: '/account/accounts',
  table: 'accounts',
  record: 'Person',
  // Keys of accounts are in lower case.
  keysWith: 'p',
  map: 'email: email, username: login, lastName: name, department: text, phoneOffice: phone',
  name: 'email',
  match: 'email',
  text: 'department',
  needed: ['email', 'username', 'lastName'],
  fieldsOf: (number, count) => ({
    email: `person${number}@example.edu`,
    login: count < 4 ? `person${number}` : `person${number}.${Math.floor(count / 4)}`,
    name: `Person${number}`,
    phone: count % 3 === 2 ? '' : `555-${100 + count}`,
  }),
  wanted({ email, login, name, phone }) {
    return { email, username: login, lastName: name, phoneOffice: phone || undefined };
  },
  added: (works) => ({ email: `staff${works}@example.edu`, username: `staff${works}`, lastName: 'Staff' }),
  renamed: ({ lastName }) => ({ lastName: `${lastName} (emerita)` }),
  moved: { phoneOffice: '555-999' },
};

export const RESOURCES = { events: EVENTS, accounts: ACCOUNTS };
