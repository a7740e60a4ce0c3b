import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Edit } from './plan.ts';

/** What the CMS is to hold of a record in the end. */
export interface Expected {
  key: string;
  attributes: Record<string, string>;
  mayBeAbsent?: boolean;
  /** Name of the event's picture. */
  picture?: string;
}

/** The feeds of a site: events, some with pictures that two of them share, and accounts. */
export interface Source {
  /** Makes a change and writes the feeds again. */
  edit(edit: Edit): void;
  events(): Expected[];
  accounts(): Expected[];
  /** How many different pictures the feeds have named so far. */
  pictures(): number;
  /** Writes the feeds again: whole ones, or ones that lack their second halves and are well formed. */
  write(options?: { cut: boolean }): void;
  /** The ledger no longer knows which accounts have the mark: it may stay on those that come back. */
  loseMarks(): void;
}

/** How often a record was changed. */
interface Revision {
  of: 'events' | 'accounts';
  id: number;
  count: number;
  /** The feed does not have it at present. */
  vanished: boolean;
  /** It has ever vanished. */
  hasVanished: boolean;
}

/** What the department of accounts says that have vanished; events are deleted. */
export const MARK = 'left';

const PICTURES = 'pictures';
const ONE_PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==';

/** Feeds in a folder that exists. */
export function createSource(folder: string): Source {
  const records: Revision[] = [];
  const changes: Revision[] = [];
  const drawn = new Set<string>();
  let marksAreLost = false;
  mkdirSync(join(folder, PICTURES));

  return {
    edit,
    events,
    accounts,
    pictures: () => drawn.size,
    write,
    loseMarks() {
      marksAreLost = true;
    },
  };

  function edit(change: Edit): void {
    for (let added = 0; added < change.events; added++) add('events');
    for (let added = 0; added < change.accounts; added++) add('accounts');
    for (const record of changes.splice(Math.max(0, changes.length - change.takenBack))) record.count -= 1;
    for (const position of change.changed) changeRecord(position);
    for (const position of change.toggled) toggle(position);
    for (const { picture } of events()) if (picture && !drawn.has(picture)) draw(picture);
    write();
  }

  function write({ cut } = { cut: false }): void {
    const some = <Item>(all: Item[]) => all.slice(0, cut ? all.length / 2 : all.length);
    const present = revisions('accounts').filter(isThere).map(toAccount);
    writeFile('events.csv', toCsv(['id', 'title', 'text', 'date', 'start', 'image'], some(events()).map(eventRow)));
    writeFile('accounts.csv', toCsv(['id', 'email', 'username', 'first', 'last'], some(present).map(accountRow)));
  }

  function add(of: Revision['of']): void {
    const id = records.filter((record) => record.of === of).length;
    records.push({ of, id, count: 0, vanished: false, hasVanished: false });
  }

  function changeRecord(position: number): void {
    const record = records[position % records.length];
    if (!record) return;
    record.count += 1;
    changes.push(record);
  }

  function toggle(position: number): void {
    const record = records[position % records.length];
    if (!record) return;
    record.vanished = !record.vanished;
    record.hasVanished = true;
  }

  function events(): Expected[] {
    return revisions('events').filter(isThere).map(toEvent);
  }

  function accounts(): Expected[] {
    return revisions('accounts').map((account) => {
      const expected = toAccount(account);
      if (marksAreLost && account.hasVanished && !account.vanished) delete expected.attributes.department;
      return expected;
    });
  }

  function revisions(wanted: Revision['of']): Revision[] {
    return records.filter(({ of }) => of === wanted);
  }

  function draw(picture: string): void {
    drawn.add(picture);
    writeFileSync(join(folder, PICTURES, picture), contentOf(picture));
  }

  /** A feed is there as a whole or not at all: half a file would be another story. */
  function writeFile(file: string, content: string): void {
    writeFileSync(join(folder, `.${file}.new`), content);
    renameSync(join(folder, `.${file}.new`), join(folder, file));
  }
}

/** The bytes of a picture: one pixel; what follows its end differs, and readers ignore it. */
export function contentOf(picture: string): Buffer {
  return Buffer.concat([Buffer.from(ONE_PIXEL, 'base64'), Buffer.from(picture)]);
}

function isThere({ vanished }: Revision): boolean {
  return !vanished;
}

/** With every change the event has another text, day and hour, with every other one another title, and now and then a picture. */
function toEvent({ id, count }: Revision): Expected {
  const date = `2027-03-${String(1 + ((id + 5 * count) % 28)).padStart(2, '0')}`;
  const title = `Event ${id}${count % 2 ? ' (moved)' : ''}`;
  const description = `Event ${id}, changed ${count} times`;
  return {
    key: String(id),
    attributes: { title, description, date, endDate: date, 'time.start': `${10 + (count % 10)}:00:00` },
    ...(id % 2 ? {} : { picture: `${Math.floor(id / 4)}-${Math.floor(count / 2)}.png` }),
  };
}

/** Whether an account that has vanished was ever delivered, and with which values, is unknown; but it has the mark. */
function toAccount({ id, count, vanished }: Revision): Expected {
  if (vanished) return { key: String(id), attributes: { department: MARK }, mayBeAbsent: true };
  const names = { firstName: `Person ${id}`, lastName: `changed ${count} times` };
  return {
    key: String(id),
    attributes: {
      email: `person${id}@example.org`,
      username: `person${id}`,
      ...names,
      department: '',
    },
  };
}

function eventRow({ key, attributes, picture }: Expected): Array<string | undefined> {
  const { title, description, date, 'time.start': start } = attributes;
  return [key, title, `"${description}"`, date, start, picture && `${PICTURES}/${picture}`];
}

function accountRow({ key, attributes }: Expected): Array<string | undefined> {
  const { email, username, firstName, lastName } = attributes;
  return [key, email, username, firstName, lastName];
}

/** Cells as they are: who has a comma in one quotes it. */
export function toCsv(header: string[], rows: Array<Array<string | undefined>>): string {
  return [header, ...rows].map((cells) => cells.map((cell) => cell ?? '').join(',')).join('\n');
}
