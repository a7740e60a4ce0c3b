import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { connectors } from '../../../connectors/index.ts';
import { loadConfig } from '../../../src/config/load.ts';
import type { Mapped } from '../../../src/core/record.ts';
import { readSources } from '../../../src/source/read-sources.ts';
import { folderOf } from '../../support/folder.ts';

const central = JSON.stringify([
  { id: 1, title: 'Maps', date: '2027-03-01', room: 'Hall A' },
  { id: 2, title: 'Ships', date: 'soon' },
]);
const music = 'number;name;when;hall;note\n1;Choir;2027-03-02;Hall B;new\n2;Organ;2027-03-03;;\n';
const sources = `resource: events
sources:
  central: { connector: json, url: ./central.json }
  music:
    connector: csv
    url: ./music.csv
    key: number
    map: { title: name, start: when, place: hall }
key: id
map: { title: title, start: date, price: cost }
window: { to: 2027-03-02 }
`;

async function read(files: Record<string, string>) {
  const dir = folderOf({
    'feedferry.yaml': 'target: { baseUrl: "https://www.example.edu", token: t, timezone: Europe/Vienna }\n',
    'syncs/a.yaml': sources,
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`syncs/${name}`, text])),
  });
  const config = loadConfig(dir, connectors, {});
  const reading = readSources(config.syncs[0]!, config.target, { signal: new AbortController().signal });
  const mapped: Mapped[] = [];
  for await (const one of reading.records) mapped.push(one);
  return { reading, mapped, dir };
}

describe('The reading of several sources', () => {
  test('has the records of all of them, best first, with places and keys that name the source', async () => {
    const { mapped } = await read({ 'central.json': central, 'music.csv': music });
    expect(mapped).toMatchObject([
      { is: 'desired', record: { at: 'central, $[0]', key: 'central/1', payload: { title: 'Maps' } } },
      { is: 'rejected', rejection: { at: 'central, $[1]', key: 'central/2' } },
      { is: 'desired', record: { at: 'music, line 2', key: 'music/1', payload: { title: 'Choir', place: 'Hall B' } } },
      { is: 'skipped', at: 'music, line 3', key: 'music/2' },
    ]);
  });

  test('joins locations, fields and hints', async () => {
    const { reading, dir } = await read({ 'central.json': central, 'music.csv': music });
    const { location, bytes, complete } = reading.receipt();
    expect(location).toBe(`${join(dir, 'syncs/central.json')}, ${join(dir, 'syncs/music.csv')}`);
    expect({ bytes, complete }).toEqual({ bytes: central.length + music.length, complete: true });
    expect([...reading.fields]).toEqual(['id', 'title', 'date', 'room', 'number', 'name', 'when', 'hall', 'note']);
    expect([...reading.unmapped]).toEqual(
      expect.arrayContaining([
        ['room', 'Hall A'],
        ['note', 'new'],
      ]),
    );
    expect(reading.describeMissing()).toEqual([
      expect.stringMatching(/^central: No record of the feed has the field "cost"/),
    ]);
    expect(reading.warnings).toEqual([{ at: expect.stringMatching(/^music, /), message: expect.anything() }]);
  });

  test('is incomplete if one of them is, and says which', async () => {
    const { reading } = await read({ 'central.json': central.slice(0, -1), 'music.csv': music });
    expect(reading.receipt()).toMatchObject({ complete: false, reason: expect.stringMatching(/^central: /) });
  });
});
