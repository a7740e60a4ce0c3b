import { describe, expect, test } from 'vitest';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const sync = `resource: events
source: { connector: csv, url: ./shows.csv }
key: id
when: { field: status, not: draft }
map: { title: name, start: { field: day, format: dd/MM/yyyy }, price: { template: "{{ price }} €" } }
`;
const head = 'sync: shows\ncases:\n';
const fields = 'fields: { id: 1, name: A, day: 01/02/2026, price: "5" }';
const day = 'date: "2026-02-01", endDate: "2026-02-01", isMultiDay: false, spansMultipleDays: false';
const payload = `{ title: A, ${day}, time: { start: "00:00:00", end: "23:59:59", type: timed }, price: 5 € }`;

async function run(tests: string, args: string[] = []) {
  await using site = await openSite(simplest);
  site.write('syncs/shows.yaml', sync);
  site.write('tests/shows.yaml', tests);
  return await runHere(['test', ...args], site.variables);
}

describe('The test command', () => {
  test('A mapping test passes if every record maps to the expected values', async () => {
    const tests = `${head}  - { name: a show, ${fields}, expect: ${payload} }
  - { name: a draft, fields: { id: 2, status: Draft }, skipped: true }
  - { name: no day, fields: { id: 3, name: C, day: soon }, rejected: FF_RECORD_DATE }
`;
    const { exitCode, stdout } = await run(tests);
    expect(stdout).toContain('3 tests, 0 failed');
    expect(exitCode).toBe(0);
  });

  test('A mapping test with differences prints them and fails', async () => {
    const wrong = payload.replace('title: A', 'title: B, room: Hall').replace(', price: 5 €', '');
    const tests = `${head}  - { name: a show, ${fields}, expect: ${wrong} }
  - { name: a draft, fields: { id: 2, status: Draft }, rejected: FF_RECORD_DATE }
`;
    const { exitCode, stdout } = await run(tests);
    expect(exitCode).toBe(1);
    expect(stdout.split('\n')).toEqual([
      '✗ shows.yaml: a show',
      '    - title: "B"',
      '    + title: "A"',
      '    - room: "Hall"',
      '    + price: "5 €"',
      '✗ shows.yaml: a draft',
      '    expected rejected, but it was skipped: when: status is "Draft"',
      '2 tests, 2 failed',
      '',
    ]);
  });

  test('The test command prints JSON', async () => {
    const { exitCode, stdout } = await run(`${head}  - { name: a draft, ${fields}, skipped: true }\n`, [
      '--json',
      'shows',
    ]);
    expect(exitCode).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      tests: 1,
      failed: [{ sync: 'shows', name: 'a draft', mistake: 'expected skipped, but it was mapped' }],
    });
  });

  test.each([
    [
      'sync: show\ncases: [{ name: a, fields: {}, skipped: true }]\n',
      /tests\/shows\.yaml:1:7: sync names a sync that does not exist: .*; did you mean "shows"\?/,
    ],
    [
      `${head}  - { name: a, fields: {} }\n`,
      /tests\/shows\.yaml:3:5: cases\[0\] needs exactly one of expect, rejected and skipped/,
    ],
  ])('An invalid mapping test is reported', async (tests, message) => {
    const { exitCode, stderr } = await run(tests);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });
});
