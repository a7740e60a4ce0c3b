import { sha256 } from '../../../src/core/hash.ts';
import { isEditors } from '../mishaps/editors.ts';
import type { RoundPlan } from '../plan.ts';
import type { CrashingSandbox, Item } from '../servers/sandbox.ts';
import type { Site } from '../site.ts';
import { contentOf, type Expected } from '../source.ts';
import type { Finding } from './finding.ts';

/** Whether the CMS has every record of the source once, with the content that the source has last, and nothing else. */
export async function checkItems({ source, sandbox }: Site, { externalId }: RoundPlan): Promise<Finding[]> {
  const ours = (items: readonly Item[]) =>
    items.filter((item) => !isEditors(item)).map((item) => (externalId ? item : withMark(item)));
  const events = ours(await sandbox.items('calendar/events'));
  const accounts = ours(await sandbox.items('account/accounts'));
  const pictures = await picturesOf(events, sandbox);
  return [
    ...checkRecords('events', source.events(), events, 'title', pictures),
    ...checkRecords('accounts', source.accounts(), accounts, 'email', pictures),
  ];
}

/** Without external ids, the numbers in their names tell whose items they are. */
function withMark(item: Item): Item {
  const { title, username } = item;
  const [, number = '?'] = /^(?:Event |person)(\d+)/.exec(String(username ?? title)) ?? [];
  return { ...item, source_key: `${username === undefined ? 'events' : 'accounts'}:${number}` };
}

/**
 * Whether the items of a sync are its records, each once.
 * @param name the attribute that distinguishes records even if the external id is missing
 */
export function checkRecords(
  sync: string,
  expected: readonly Expected[],
  items: readonly Item[],
  name: string,
  pictures: ReadonlyMap<string, string>,
): Finding[] {
  const byMark = Map.groupBy(items, (item) => String(item.source_key));
  const byName = Map.groupBy(items, (item) => String(item[name]));
  const findings: Finding[] = [];
  for (const record of expected) {
    const mark = `${sync}:${record.key}`;
    const marked = byMark.get(mark) ?? [];
    const named = byName.get(record.attributes[name] ?? '') ?? [];
    byMark.delete(mark);
    const [item] = marked;
    if (!item && record.mayBeAbsent) continue;
    if (!item) findings.push({ is: 'lost', what: `${mark} is not in the CMS` });
    else if (marked.length > 1 || named.length > 1) {
      findings.push({ is: 'doubled', what: `${mark} is in the CMS as ${idsOf([...marked, ...named])}` });
    } else findings.push(...compare(mark, record, item, pictures));
  }
  for (const [mark, strangers] of byMark) {
    findings.push({ is: 'doubled', what: `${mark} is not in the source, but in the CMS as ${idsOf(strangers)}` });
  }
  return findings;
}

function compare(mark: string, record: Expected, item: Item, pictures: ReadonlyMap<string, string>): Finding[] {
  const wanted = { ...record.attributes, image: record.picture && sha256(contentOf(record.picture)) };
  const found = {
    ...item,
    department: item.department ?? '',
    'time.start': partOf(item.time, 'start'),
    image: pictures.get(srcOf(item) ?? ''),
  };
  const differing = Object.entries(wanted).filter(([name, value]) => value !== found[name as keyof typeof found]);
  return differing.map(([name, value]) => {
    const has = JSON.stringify(found[name as keyof typeof found]);
    return { is: 'wrong content', what: `${mark} (id ${item.id}) has ${name} ${has} instead of "${value}"` };
  });
}

/** What lies behind each `src` that an event has: hash of its content. */
export async function picturesOf(events: readonly Item[], sandbox: CrashingSandbox): Promise<Map<string, string>> {
  const sources = new Set(events.flatMap((event) => srcOf(event) ?? []));
  const hashes = await Promise.all([...sources].map(async (src) => [src, sha256(await sandbox.file(src))] as const));
  return new Map(hashes);
}

function srcOf(item: Item): string | undefined {
  const src = partOf(item.image, 'src');
  return typeof src === 'string' ? src : undefined;
}

function partOf(value: unknown, part: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[part] : undefined;
}

function idsOf(items: readonly Item[]): string {
  return [...new Set(items.map(({ id }) => id))].join(', ');
}
