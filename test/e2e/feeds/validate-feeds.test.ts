import { createServer } from 'node:http';
import { expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const map = 'map: { title: title, date: date, time.start: start }';
const sync = (source: string) => `resource: events\nsource: { ${source} }\nkey: id\n${map}\n`;

test('Validate compares local feeds with the fields that their syncs name', async () => {
  await using site = await openSite(simplest);
  site.write('syncs/good.yaml', sync('connector: csv, url: ../feeds/good.csv'));
  site.write('feeds/good.csv', 'id,title,date,start\n');
  site.write('syncs/pattern.yaml', sync('connector: csv, url: "../feeds/go*.csv"'));
  site.write('syncs/list.yaml', sync('connector: json, url: ../feeds/list.json'));
  site.write('feeds/list.json', '[{"id":1,"titel":"Maps","date":"2027-03-01"},{"id":2,"start":"10:00"}]');
  site.write('syncs/later.yaml', sync('connector: csv, url: ../feeds/later.csv'));
  expect((await runHere(['validate'], site.variables)).exitCode).toBe(0);
  const warned = await runHere(['validate', '--json'], site.variables);
  expect(JSON.parse(warned.stdout)).toMatchObject({
    valid: true,
    syncs: [{ sync: 'good' }, { sync: 'later' }, { sync: 'list' }, { sync: 'pattern' }],
    feeds: [
      { sync: 'later', is: 'warning', code: 'FF_FEED_MISSING' },
      {
        sync: 'list',
        is: 'warning',
        code: 'FF_FEED_COLUMNS',
        message: expect.stringMatching(
          /has the field "title" of map\.title \(did you mean "titel"\?\)\. Its fields are id, titel, date, start\./,
        ),
      },
    ],
  });

  site.write('feeds/good.csv', 'id,Titel,date,start\n');
  const { exitCode, stdout, stderr } = await runHere(['validate'], site.variables);
  expect(exitCode).toBe(2);
  expect(stdout).not.toContain('is valid');
  expect(stderr).toMatch(/FF_FEED_COLUMNS good: .*good\.csv has no column "title" \(did you mean "Titel"\?\)/);
  // The lines to write, ready to be copied.
  expect(stderr).toContain(
    'write in good.yaml, in place of the lines with the former names:\n    map:\n      title: Titel\n',
  );
});

test('Validate reads nothing from the network', async () => {
  let requests = 0;
  const server = createServer((_, response) => response.end(String(++requests))).listen(0, '127.0.0.1');
  const address = await new Promise((resolve) => {
    server.on('listening', () => resolve(server.address()));
  });
  const url = `http://127.0.0.1:${(address as { port: number }).port}/2.json`;
  try {
    await using site = await openSite(simplest);
    site.write('syncs/remote.yaml', sync(`connector: json, url: "${url}", allowPrivateNetwork: true`));
    site.write('syncs/paged.yaml', sync('connector: jsonfeed, url: ../feeds/paged.json, allowPrivateNetwork: true'));
    const item = { id: '1', title: 'Maps', date: '2027-03-01', start: '10:00' };
    site.write('feeds/paged.json', JSON.stringify({ items: [item], next_url: url }));
    expect(await runHere(['validate'], site.variables)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(requests).toBe(0);
  } finally {
    server.close();
  }
});
