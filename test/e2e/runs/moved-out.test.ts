import { expect, test } from 'vitest';
import { writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { runHere } from '../run-here.ts';
import { openSite, simplest } from '../site.ts';

const WINDOW = 'window: { from: 2027-01-01, to: 2027-12-31 }\n';
const MISSING = 'missing: { policy: delete, after: 1 run, threshold: { percent: 100 } }\n';
const ships = 'T2,Ships,2027-03-02,10:00';
const maps = (day: string) => `T1,Maps,${day},18:00`;
const neverPublished = 'T3,Tides,2029-03-03,10:00';

test.each(either(0))(
  'An event on the site that leaves the window moves there, also twice and back, on $ledger with $queue',
  async (engines) => {
    await using site = await openSite(engines);
    writeTalksSync(site, WINDOW + MISSING);
    const days = async () => (await site.items('calendar/events')).map(({ title, date }) => `${title} ${date}`).sort();
    writeTalks(site, [maps('2027-03-01'), ships, neverPublished]);
    expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 2, skipped: 1 } }]);
    for (const day of ['2028-05-01', '2026-12-30', '2027-04-01']) {
      writeTalks(site, [maps(day), ships, neverPublished]);
      expect(await site.explain('talks', 'T1')).toMatchObject({ verdict: { is: 'update' } });
      expect(await site.sync()).toMatchObject([
        { status: 'success', counts: { updated: 1, unchanged: 1, skipped: 1 } },
      ]);
      expect(await days()).toEqual([`Maps ${day}`, 'Ships 2027-03-02']);
      expect(await site.sync()).toMatchObject([{ status: 'success', counts: { updated: 0, missing: 0 } }]);
    }
  },
);

test('What is outside the window keeps its item as it is, and is not created again', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site, WINDOW);
  writeTalks(site, [maps('2027-03-01'), ships]);
  await site.sync();
  writeTalks(site, [maps('2028-05-01'), ships]);
  await site.sync();
  const before = await site.items('calendar/events');
  writeTalks(site, ['T1,Other,2028-05-01,18:00', ships]);
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { skipped: 1, unchanged: 1 } }]);
  expect(await site.items('calendar/events')).toEqual(before);
  const [first] = before.filter(({ title }) => title === 'Maps');
  await site.request('DELETE', `api/v1/calendar/events/${first?.id}`);
  await runHere(['verify', '--heal'], site.variables);
  writeTalks(site, [maps('2029-05-01'), ships]);
  await site.sync();
  expect(await site.items('calendar/events')).toHaveLength(1);
});
