import { checkRecords, picturesOf } from '../crash/checks/check-items.ts';
import type { Finding } from '../crash/checks/finding.ts';
import type { CrashingSandbox, Item } from '../crash/servers/sandbox.ts';
import type { SoakFeed } from './feed.ts';

/** Whether the CMS has what the feeds have, each once, and of what they have no more what the policy says. */
export async function checkItems(feeds: readonly SoakFeed[], sandbox: CrashingSandbox): Promise<Finding[]> {
  const items = {
    events: await sandbox.items('calendar/events'),
    accounts: await sandbox.items('account/accounts'),
  };
  const pictures = await picturesOf(items.events, sandbox);
  const byMark = Map.groupBy([...items.events, ...items.accounts], markOf);
  const marks = new Set(feeds.flatMap((feed) => [...marksOf(feed, feed.absent()), ...presentMarks(feed)]));
  const strangers = [...byMark.keys()].filter((mark) => !marks.has(mark));
  return [
    ...strangers.map((mark): Finding => ({ is: 'other', what: `the CMS has "${mark}", which no feed ever had` })),
    ...feeds.flatMap((feed) => checkAbsent(feed, byMark)),
    ...feeds.flatMap((feed) => {
      const wanted = presentMarks(feed);
      const own = items[feed.sync.resource].filter((item) => wanted.has(markOf(item)));
      return checkRecords(feed.sync.name, feed.present(), own, feed.sync.named, pictures);
    }),
  ];
}

/** Of what a feed has no more, the site keeps what it had, once, or has nothing. */
function checkAbsent(feed: SoakFeed, byMark: ReadonlyMap<string, readonly Item[]>): Finding[] {
  const most = { keep: 1, delete: 0 }[feed.sync.missing];
  return [...marksOf(feed, feed.absent())].flatMap((mark): Finding[] => {
    const found = byMark.get(mark)?.length ?? 0;
    return found <= most
      ? []
      : [{ is: 'doubled', what: `${mark} is gone from its feed, and in the CMS ${found} times` }];
  });
}

function presentMarks(feed: SoakFeed): Set<string> {
  return marksOf(
    feed,
    feed.present().map(({ key }) => key),
  );
}

function marksOf({ sync }: SoakFeed, keys: readonly string[]): Set<string> {
  return new Set(keys.map((key) => `${sync.name}:${key}`));
}

function markOf(item: Item): string {
  return String(item.source_key);
}
