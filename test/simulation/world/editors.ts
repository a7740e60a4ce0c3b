import type { Payload } from '../../../src/core/record.ts';
import type { SimulatedResource } from '../plan/resources.ts';
import { EXTERNAL_ID } from '../plan/settings.ts';
import type { Answer, SimulatedCms } from './cms.ts';
import { type Item, itemOf, itemsOf } from './items.ts';
import type { World } from './world.ts';

/** People who work in the CMS while feedferry runs. */
export type Editors = ReturnType<typeof createEditors>;

export type EditorsWork = 'note' | 'describe' | 'delete' | 'add' | 'clear' | 'rename' | 'move' | 'copy';

/** What could make an item unlike its record, so that only who is sure of it recognises it. */
function isFar(does: EditorsWork): boolean {
  return does === 'rename' || does === 'move' || does === 'copy';
}

/** An item that editors have created. */
interface OwnItem {
  /** As they have left it; nothing if it was written over in a way that cannot be noticed. */
  readonly item?: string;
  readonly at: number;
}

/** What editors have done until a moment. */
export type EditorsCopy = ReturnType<Editors['copy']>;

/** @param cms the CMS as it is at present @param isKnown whether the ledger is sure of an item and its record */
export function createEditors(
  cms: () => SimulatedCms,
  world: World,
  { path, name, text: textAttribute, added, renamed, moved }: SimulatedResource,
  isKnown: (id: number) => boolean,
) {
  const own = new Map<number, OwnItem>();
  const noted = new Map<number, { text: string; at: number }>();
  const described = new Map<number, { text: string; at: number }>();
  /** Attributes of the source that editors have changed, besides the text. */
  const changed = new Map<number, Payload>();
  const deleted = new Set<string>();
  /** Copy → the item that it was copied from. */
  const copied = new Map<number, number>();
  let works = 0;
  return {
    answerWithOwn,
    own,
    noted,
    described,
    changed,
    deleted,
    work,
    isOwn,
    forget,
    forgetText,
    hasChanged,
    followIds,
    copy,
    restore,
  };

  function copy() {
    return structuredClone({ own, noted, described, changed, deleted });
  }

  /** Whether an item is theirs. Once the original is deleted, its copy with the external id may be taken for it, or not. */
  function isOwn(id: number): boolean {
    const original = copied.get(id);
    return own.has(id) && (original === undefined || itemOf(cms(), original) !== undefined);
  }

  /** Whether editors have written an attribute of an item. */
  function hasChanged(id: number, attribute: string): boolean {
    return (attribute === textAttribute && described.has(id)) || attribute in (changed.get(id) ?? {});
  }

  /** The CMS itself has removed what they wrote: it may be restored, or not. */
  function forget(id: number): void {
    forgetText(id);
    noted.delete(id);
  }

  /** A text may have been written over. */
  function forgetText(id: number): void {
    const text = described.get(id)?.text;
    if (text !== undefined) changed.set(id, { ...changed.get(id), [textAttribute]: text });
    described.delete(id);
  }

  /** All items have other ids. */
  function followIds(by: number): void {
    for (const written of [own, noted, described, changed] as Array<Map<number, unknown>>) {
      replace(written, new Map([...written].map(([id, value]) => [id + by, value])));
    }
    for (const [id, { at }] of own) own.set(id, { item: JSON.stringify(itemOf(cms(), id)), at });
  }

  /** Forgets their work since a copy: the CMS has lost it. */
  function restore(copied: ReturnType<typeof copy>): void {
    replace(own, copied.own);
    replace(noted, copied.noted);
    replace(described, copied.described);
    replace(changed, copied.changed);
    deleted.clear();
    for (const name of copied.deleted) deleted.add(name);
  }

  function work(does: EditorsWork, nth: number): void {
    works += 1;
    if (does === 'add') {
      addOwn(added(works));
      return;
    }
    const mayTake = ({ id }: Item) =>
      !own.has(id) && (!isFar(does) || isKnown(id)) && !(does === 'delete' && [...copied.values()].includes(id));
    const items = itemsOf(cms()).filter(mayTake);
    const item = items[nth % Math.max(1, items.length)];
    if (!item) return;
    world.tell(() => `editors ${does} item ${item.id} (${item[name]})`);
    if (does === 'delete') {
      for (const each of [item[EXTERNAL_ID], item[name]]) deleted.add(String(each));
      cms().answer({ method: 'DELETE', path: `${path}/${item.id}`, query: '' });
      return;
    }
    if (does === 'copy') {
      const { id, ...content } = item;
      copied.set(addOwn(content), id);
      return;
    }
    if (does === 'rename' || does === 'move') {
      const body = does === 'rename' ? renamed(item) : moved;
      cms().answer({ method: 'PATCH', path: `${path}/${item.id}`, query: '', body });
      changed.set(item.id, { ...changed.get(item.id), ...body });
      return;
    }
    const text = does === 'clear' ? '' : `written by editors (${works})`;
    const attribute = does === 'note' ? 'note' : textAttribute;
    cms().answer({ method: 'PATCH', path: `${path}/${item.id}`, query: '', body: { [attribute]: text } });
    if (does === 'note') noted.set(item.id, { text, at: world.now() });
    // Nothing shows that a text was cleared that was not there.
    else if ((item[textAttribute] ?? '') !== text) described.set(item.id, { text, at: world.now() });
  }

  /** Returns the first item that editors have added, as the answer to a create. */
  function answerWithOwn(): Answer | undefined {
    const [id] = own.keys();
    return id === undefined ? undefined : { status: 201, text: JSON.stringify(itemOf(cms(), id)) };
  }

  function addOwn(body: object): number {
    const { text } = cms().answer({ method: 'POST', path, query: '', body });
    const { id } = JSON.parse(text);
    world.tell(() => `editors add item ${id}`);
    own.set(id, { item: JSON.stringify(itemOf(cms(), id)), at: world.now() });
    return id;
  }
}

function replace<Value>(map: Map<number, Value>, others: ReadonlyMap<number, Value>): void {
  map.clear();
  for (const [id, value] of others) map.set(id, value);
}
