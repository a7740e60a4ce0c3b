import type { Finding } from '../checks/finding.ts';
import type { CrashingSandbox, Item } from '../servers/sandbox.ts';

const EVENTS = 8;
const ACCOUNTS = 3;
const TITLE = 'Staff outing';

/** Items that editors of the site have made themselves. Feedferry must never touch them. */
export interface EditorsItems {
  check(): Promise<Finding[]>;
}

/** Adds items as editors do: without external ids. */
export async function addEditorsItems(sandbox: CrashingSandbox): Promise<EditorsItems> {
  const time = { start: '09:00:00', type: 'timed' };
  for (let nth = 1; nth <= EVENTS; nth++) {
    const date = `2027-03-${String(nth).padStart(2, '0')}`;
    await sandbox.create('calendar/events', { title: `${TITLE} ${nth}`, date, endDate: date, time });
  }
  for (let nth = 1; nth <= ACCOUNTS; nth++) {
    await sandbox.create('account/accounts', { email: `editor${nth}@example.org`, username: `editor${nth}` });
  }
  const before = await itemsOf(sandbox);
  return {
    async check() {
      const now = new Map((await itemsOf(sandbox)).map((item) => [nameOf(item), JSON.stringify(item)]));
      return before.flatMap((item): Finding[] => {
        const found = now.get(nameOf(item));
        if (found === JSON.stringify(item)) return [];
        const what = `the editors' item ${JSON.stringify(item)} is now ${found ?? 'not in the CMS'}`;
        return [{ is: 'wrong change', what }];
      });
    },
  };
}

/** Whether editors have made an item. */
export function isEditors({ title, username }: Item): boolean {
  return String(title).startsWith(TITLE) || /^editor\d/.test(String(username));
}

async function itemsOf(sandbox: CrashingSandbox): Promise<Item[]> {
  const items = [...(await sandbox.items('calendar/events')), ...(await sandbox.items('account/accounts'))];
  return items.filter(isEditors);
}

function nameOf({ id, title, username }: Item): string {
  return `${id} ${title ?? username}`;
}
