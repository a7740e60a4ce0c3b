import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createFileEdits } from '../../../src/app/drafts/file-edits.ts';
import { siteAttributes } from '../../../src/app/drafts/site-attributes.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { openSite, simplest } from '../site.ts';

const ANN = { name: 'Ann', via: 'console' } as const;

test('A save of which one file cannot be written leaves all files as they were, without an entry', async () => {
  await using site = await openSite(simplest);
  writeTalksSync(site);
  writeTalks(site, threeTalks);
  const folder = join(site.dir, 'config');
  // A link to nowhere in place of the folder `tests`.
  symlinkSync(join(site.dir, 'nowhere/tests'), join(folder, 'tests'));
  const before = readFileSync(join(folder, 'syncs/talks.yaml'), 'utf8');
  await site.withApp(async (app) => {
    const { save } = createFileEdits(
      () => app,
      { configDir: folder, variables: {} },
      async () => {},
    );
    const edits = [
      { path: 'syncs/talks.yaml', before, after: `${before}# changed\n` },
      { path: 'syncs/walks.yaml', before: undefined, after: before },
      { path: 'tests/talks.yaml', before: undefined, after: 'sync: talks\ncases: []\n' },
    ];
    await expect(save('talks', edits, ANN)).rejects.toMatchObject({ code: 'FF_EDIT_IMPOSSIBLE' });
    expect(await app.ledger.history.deeds({ sync: 'talks' }, 10)).toEqual([]);
  });
  expect(readFileSync(join(folder, 'syncs/talks.yaml'), 'utf8')).toBe(before);
  expect(existsSync(join(folder, 'syncs/walks.yaml'))).toBe(false);
});

test('Attributes of the site are known if only its newest items, or only its oldest, have them', async () => {
  await using site = await openSite(simplest);
  const post = (item: object) => site.request('POST', 'api/v1/calendar/events', item);
  const day = {
    date: '2027-03-01',
    endDate: '2027-03-01',
    time: { start: '10:00:00', end: '11:00:00', type: 'start_end' },
  };
  await post({ title: 'First', ...day, formerly: 'x' });
  for (let index = 0; index < 110; index += 1) await post({ title: `Between ${index}`, ...day });
  await post({ title: 'Last', ...day, ticket: 'y' });
  writeTalksSync(site);
  const { custom } = await site.withApp((app) => siteAttributes('events', app, new AbortController().signal), {});
  expect(custom).toEqual(['formerly', 'ticket']);
});
