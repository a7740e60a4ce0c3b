import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const BATCH = 1000;

/** Writes a config folder with one sync for each feed of the bench, beside the feeds. */
export function writeConfig(dir: string): void {
  mkdirSync(join(dir, 'syncs'), { recursive: true });
  const map = 'map: { email: email, username: login, firstName: first, lastName: last, department: department }';
  const sync = (source: string) =>
    `resource: accounts\nsource: { ${source}, maxBytes: 100000000000 }\nkey: email\n${map}\n`;
  writeFileSync(
    join(dir, 'feedferry.yaml'),
    'target: { baseUrl: "http://localhost", token: none, timezone: America/New_York }\n',
  );
  writeFileSync(join(dir, 'syncs', 'csv.yaml'), sync('connector: csv, url: ../people.csv'));
  writeFileSync(join(dir, 'syncs', 'json.yaml'), sync('connector: json, url: ../people.json'));
}

/** A staff list; every tenth row has a quoted value. */
export async function writeCsv(file: string, rows: number): Promise<void> {
  await write(file, function* () {
    yield 'id,login,email,first,last,department,phone,office,note\r\n';
    for (let first = 0; first < rows; first += BATCH) {
      let text = '';
      for (let row = first; row < Math.min(first + BATCH, rows); row += 1)
        text += `${Object.values(person(row)).map(cell).join(',')}\r\n`;
      yield text;
    }
  });
}

/** The same people as a JSON array of at least `bytes` bytes. */
export async function writeJson(file: string, bytes: number): Promise<void> {
  await write(file, function* () {
    let written = 0;
    for (let first = 0; written < bytes; first += BATCH) {
      const people = Array.from({ length: BATCH }, (_, index) => JSON.stringify(person(first + index)));
      const text = `${first === 0 ? '[' : ','}\n${people.join(',\n')}`;
      written += text.length;
      yield text;
    }
    yield '\n]\n';
  });
}

async function write(file: string, chunks: () => Iterable<string>): Promise<void> {
  await pipeline(Readable.from(chunks()), createWriteStream(file));
}

function person(row: number) {
  return {
    id: row,
    login: `user${row}`,
    email: `User.${row}@example.edu`,
    first: `First ${row % 977}`,
    last: `Last-${row % 7919}`,
    department: `Department of Subject ${row % 40}`,
    phone: `+1 555 ${String(row % 10_000).padStart(4, '0')}`,
    office: `Building ${row % 60}, Room ${row % 400}`.replace(row % 10 === 0 ? '' : ',', ''),
    note: 'Teaches on Tuesdays and Thursdays; away in August.',
  };
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
