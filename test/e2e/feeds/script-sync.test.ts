import { expect, test } from 'vitest';
import { feedferry } from '../feedferry.ts';
import { openSite } from '../site.ts';

const script = `import { defineSync } from 'feedferry';

interface Show {
  id: string;
  name: string;
  doors: string;
}

export default defineSync<Show>({
  resource: 'events',
  source: { connector: 'json', url: './shows.json', items: 'shows' },
  key: 'id',
  map({ name, doors }) {
    if (!doors) throw new Error('no doors');
    return { title: name.replace('[sold out] ', ''), start: doors, soldOut: name.startsWith('[sold out]') };
  },
});
`;
const shows = [
  { id: 'a', name: '[sold out] The Tempest', doors: '2027-05-01T19:00' },
  { id: 'b', name: 'Othello', doors: '2027-05-02T19:00' },
  { id: 'c', name: 'Hamlet' },
];

test('A TypeScript sync file runs like any other, and again when it has changed', async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  site.write('syncs/shows.ts', script);
  site.write('syncs/shows.json', JSON.stringify({ shows }));
  const run = () => feedferry(['sync', '--json'], site.variables);

  const first = await run();
  expect(first.json()).toMatchObject({ runs: [{ status: 'partial', counts: { created: 2, rejected: 1 } }] });
  const items = await site.items('calendar/events');
  expect(items).toHaveLength(2);
  expect(items).toContainEqual(expect.objectContaining({ title: 'The Tempest', date: '2027-05-01', soldOut: true }));
  expect(items).toContainEqual(expect.objectContaining({ title: 'Othello', date: '2027-05-02', soldOut: false }));
  expect((await run()).json()).toMatchObject({ runs: [{ counts: { created: 0, updated: 0, unchanged: 2 } }] });

  site.write('syncs/shows.ts', script.replace('title: name.', 'title: name.toUpperCase().'));
  expect((await run()).json()).toMatchObject({ runs: [{ counts: { updated: 2, unchanged: 0 } }] });
});

test('The mistakes of a TypeScript sync file are reported with their place', async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  site.write('syncs/shows.ts', script.replace("key: 'id'", "kee: 'id'"));
  const { exitCode, stderr } = await feedferry(['validate'], site.variables);
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/syncs\/shows\.ts:12:3: kee is not a known key; did you mean "key"\?/);
});
