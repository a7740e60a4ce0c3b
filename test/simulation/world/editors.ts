import type { SimulatedResource } from '../plan/resources.ts';
import { EXTERNAL_ID } from '../plan/settings.ts';
import type { SimulatedCms } from './cms.ts';
import { itemOf, itemsOf } from './items.ts';
import type { World } from './world.ts';

/** People who work in the CMS while feedferry runs. */
export type Editors = ReturnType<typeof createEditors>;

/** An item that editors have created. */
interface OwnItem {
  /** As they have left it; nothing if it was written over in a way that cannot be noticed. */
  readonly item?: string;
  readonly at: number;
}

/** What editors have done until a moment. */
export type EditorsCopy = ReturnType<Editors['copy']>;

/** @param cms the CMS as it is at present */
export function createEditors(
  cms: () => SimulatedCms,
  world: World,
  { path, name, text: textAttribute, added }: SimulatedResource,
) {
  const own = new Map<number, OwnItem>();
  const noted = new Map<number, string>();
  const described = new Map<number, { text: string; at: number }>();
  const deleted = new Set<string>();
  let works = 0;
  return { own, noted, described, deleted, work, copy, restore };

  function copy() {
    return structuredClone({ own, noted, described, deleted });
  }

  /** Forgets their work since a copy: the CMS has lost it. */
  function restore(copied: ReturnType<typeof copy>): void {
    replace(own, copied.own);
    replace(noted, copied.noted);
    replace(described, copied.described);
    deleted.clear();
    for (const name of copied.deleted) deleted.add(name);
  }

  function work(does: 'note' | 'describe' | 'delete' | 'add', nth: number): void {
    works += 1;
    if (does === 'add') {
      add();
      return;
    }
    const items = itemsOf(cms()).filter(({ id }) => !own.has(id));
    const item = items[nth % Math.max(1, items.length)];
    if (!item) return;
    world.tell(() => `editors ${does} item ${item.id} (${item[name]})`);
    if (does === 'delete') {
      for (const each of [item[EXTERNAL_ID], item[name]]) deleted.add(String(each));
      cms().answer({ method: 'DELETE', path: `${path}/${item.id}`, query: '' });
      return;
    }
    const text = `written by editors (${works})`;
    const attribute = does === 'note' ? 'note' : textAttribute;
    cms().answer({ method: 'PATCH', path: `${path}/${item.id}`, query: '', body: { [attribute]: text } });
    if (does === 'note') noted.set(item.id, text);
    else described.set(item.id, { text, at: world.now() });
  }

  function add(): void {
    const { text } = cms().answer({ method: 'POST', path, query: '', body: added(works) });
    const { id } = JSON.parse(text);
    world.tell(() => `editors add item ${id}`);
    own.set(id, { item: JSON.stringify(itemOf(cms(), id)), at: world.now() });
  }
}

function replace<Value>(map: Map<number, Value>, others: ReadonlyMap<number, Value>): void {
  map.clear();
  for (const [id, value] of others) map.set(id, value);
}
