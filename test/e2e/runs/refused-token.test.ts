import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { overviewOf } from '../../../src/queries/syncs/overview.ts';
import { startWebhookServer } from '../../support/alert-servers.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { setFaults, threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { runHere } from '../run-here.ts';
import { openSite, type Site } from '../site.ts';

/** Publishes a feed that never changes, as its entity tag says. Returns its address. */
async function publish(content: string): Promise<string> {
  const server = createServer(({ headers }, response) => {
    const etag = '"1"';
    if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else response.writeHead(200, { etag }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/talks.csv`;
}

const feeds: Record<string, (site: Site) => Promise<void>> = {
  'a file': async (site) => {
    writeTalksSync(site);
    writeTalks(site, threeTalks);
  },
  'an address that says 304': async (site) => {
    const url = await publish(['id,title,date,start', ...threeTalks, ''].join('\n'));
    writeTalksSync(site, '', { source: `connector: csv, url: "${url}", allowPrivateNetwork: true` });
  },
};
const cases = ledgerEngines.filter(hasEngine).flatMap((ledger) => Object.keys(feeds).map((feed) => ({ ledger, feed })));

test.each(cases)(
  'A token that the CMS no longer accepts is noticed although nothing changes ($ledger, $feed)',
  async ({ ledger, feed }) => {
    await using hook = await startWebhookServer();
    await using site = await openSite(
      { ledger, queue: 'in-process' },
      { target: `alerts: { webhook: { url: "${hook.url}" } }\n` },
    );
    const { db } = await openDatabase(site.environment());
    onTestFinished(() => db.destroy());
    await feeds[feed]?.(site);
    const run = async () => (await site.sync())[0];
    const hourLater = () =>
      db
        .updateTable('housekeeping')
        .set({ begun_at: Date.now() - 3_600_001 })
        .execute();

    expect(await run()).toMatchObject({ status: 'success', counts: { created: 3 } });
    site.sandbox.clearStats();
    expect(await run()).toMatchObject({ status: 'success', counts: { unchanged: 3 } });
    expect(site.sandbox.stats().requests).toEqual({});
    await hourLater();
    expect(await run()).toMatchObject({ status: 'success' });
    expect(await run()).toMatchObject({ status: 'success' });
    expect(site.sandbox.stats().requests).toEqual({ [Object.keys(site.sandbox.stats().requests)[0] ?? '']: 1 });

    await setFaults(site, { kind: 'unauthorized' });
    await hourLater();
    for (const _ of [1, 2]) {
      expect(await run()).toMatchObject({ status: 'failed', error: { code: 'FF_CMS_UNAUTHORIZED' } });
    }
    const { stdout } = await runHere(['status'], site.variables);
    expect(stdout).toContain('talks: FF_CMS_UNAUTHORIZED ');
    const { attention } = await site.withApp(overviewOf, { signal: new AbortController().signal });
    expect(attention.map(({ is }) => is)).toEqual(['stopped', 'failed']);
    expect(hook.received.all.map(({ json }) => [json.type, json.kinds])).toEqual([['alert', ['failed']]]);

    await setFaults(site);
    expect(await run()).toMatchObject({ status: 'success', counts: { unchanged: 3 } });
    expect(hook.received.all.map(({ json }) => json.type)).toEqual(['alert', 'recovery']);
  },
);

test('A CMS that is down while nothing changes fails no run', async () => {
  await using site = await openSite({ ledger: 'sqlite', queue: 'in-process' });
  await feeds['a file']?.(site);
  await site.sync();
  const { db } = await openDatabase(site.environment());
  onTestFinished(() => db.destroy());
  await db.updateTable('housekeeping').set({ begun_at: 0 }).execute();
  await site.sandbox.close();
  expect(await site.sync()).toMatchObject([{ status: 'success', counts: { unchanged: 3 } }]);
});
