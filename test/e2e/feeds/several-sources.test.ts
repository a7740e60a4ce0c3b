import { expect, test } from 'vitest';
import { openSite, simplest } from '../site.ts';

test('A sync with several sources is refused, because it cannot be delivered yet', async () => {
  await using site = await openSite(simplest);
  site.write(
    'syncs/events.yaml',
    `resource: events
sources:
  central: { connector: json, url: ./feeds/central.json }
  music: { connector: csv, url: ./feeds/music.csv }
key: id
`,
  );
  expect(await site.sync()).toMatchObject([{ status: 'failed', error: { code: 'FF_CONFIG_INVALID' } }]);
});
