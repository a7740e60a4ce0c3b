import type { Finding } from '../checks/finding.ts';
import type { Site } from '../site.ts';
import { sync } from '../sync.ts';
import type { Mishap } from './mishap.ts';

/** One reading gets feeds that are shorter and show no sign of it. With `after: 2 runs`, nothing is deleted or marked. */
export function feedCut(site: Site): Mishap {
  return {
    async strike() {
      const before = await site.sandbox.items('calendar/events');
      site.source.write({ cut: true });
      const { stdout } = await sync(site, 'cut-feed');
      site.source.write();
      const ids = new Set((await site.sandbox.items('calendar/events')).map(({ id }) => id));
      const deleted = before.filter(({ id }) => !ids.has(id));
      return deleted.map(({ title }): Finding => ({ is: 'wrong change', what: `"${title}" was deleted: ${stdout}` }));
    },
  };
}
