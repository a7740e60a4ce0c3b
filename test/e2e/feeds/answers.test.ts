import { expect, test } from 'vitest';
import { serve } from '../../unit/feed/server.ts';
import { writePeopleSync } from '../fixtures.ts';
import { openSite, simplest } from '../site.ts';

const people = Array.from({ length: 40 }, (_, index) => ({ email: `p${index}@x.org`, login: `p${index}` }));
const some = people.slice(0, 33);
const counts = { deleted: 0, missing: 0, unchanged: 33 };

test('An answer of 33 of 40 people with an error, or a sign of more, deletes nobody', async () => {
  let answer: { body: unknown; headers?: Record<string, string> } = { body: people };
  const { url } = await serve((_, response) =>
    response.writeHead(200, answer.headers).end(JSON.stringify(answer.body)),
  );
  await using site = await openSite(simplest);
  writePeopleSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 60 } }', {
    source: `connector: json, url: "${url}/people", allowPrivateNetwork: true`,
  });
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 40 } }]);

  for (const [body, headers, reason] of [
    [
      { data: { people: some }, errors: [{ message: 'Timeout' }] },
      {},
      /reports an error \(errors\.0\.message: Timeout\)/,
    ],
    [some, { 'x-pagination': '{"TotalCount":40,"HasNext":true}' }, /header x-pagination, TotalCount: 40/],
    [some, { link: '</2>; anchor="a\\"b"; rel="next"' }, /Link header/],
  ] as const) {
    answer = { body, headers };
    expect(await site.sync()).toMatchObject([
      { status: 'partial', receipt: { reason: expect.stringMatching(reason) }, counts },
    ]);
  }

  answer = { body: { data: { people: some }, errors: [] } };
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { ...counts, missing: 7, deleted: 7 } }]);
});

test('A CMS that refuses the limit of lists is synchronised as any other', async () => {
  await using site = await openSite(simplest, {
    switches: { maxLimit: 2, overLimit: 400, attributesFilter: 'ignored' },
  });
  writePeopleSync(site, 'missing: { policy: delete, after: 1 run, threshold: { percent: 60 } }');
  site.write('syncs/feeds/people.json', JSON.stringify(people.slice(0, 5)));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 5 } }]);
  site.write('syncs/feeds/people.json', JSON.stringify(people.slice(1, 6)));
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { created: 1, unchanged: 4, deleted: 1 } }]);
});
