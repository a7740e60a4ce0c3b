import { expect, test } from 'vitest';
import type { ChangeFilter } from '../../../src/ledger/attempts/run-changes.ts';
import { threeTalks, writeTalks, writeTalksSync } from '../fixtures.ts';
import { either } from '../in-turn.ts';
import { openSite } from '../site.ts';

test.each(either(0))(
  'The changes of a run are found by effect and attribute, on $ledger with $queue',
  async (engines) => {
    await using site = await openSite(engines);
    writeTalksSync(site);
    writeTalks(site, threeTalks.slice(0, 2));
    await site.sync();
    const [first = '', second = '', third = ''] = threeTalks;
    const renamed = first.replace(/^([^,]*),[^,]*/, '$1,Renamed');
    const moved = second.replace(/\d\d:\d\d/, '21:15');
    writeTalks(site, [renamed, moved, third]);
    const [report] = await site.sync();
    const keyOf = (row: string) => row.split(',')[0];
    await site.withApp(async ({ ledger }) => {
      const keys = async (filter?: ChangeFilter) =>
        (await ledger.history.changePage(report?.run ?? '', 'talks', '', 9, filter)).map(({ key }) => key);
      expect(await keys()).toHaveLength(3);
      expect(await keys({ effect: 'created' })).toEqual([keyOf(third)]);
      expect(await keys({ effect: 'updated' })).toEqual([keyOf(first), keyOf(second)].sort());
      expect(await keys({ effect: 'updated', attribute: 'title' })).toEqual([keyOf(first)]);
      expect(await keys({ attribute: 'tit' })).toEqual([]);
    });
  },
);
