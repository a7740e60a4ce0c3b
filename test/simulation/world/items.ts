import type { SimulatedCms } from './cms.ts';

/** An item with the attributes that have a value. */
export type Item = Record<string, unknown> & { id: number };

/** All items of the CMS. */
export function itemsOf({ store }: SimulatedCms): Item[] {
  return store.events.dump().items.map(({ id, data }) => ({ ...data, id }));
}

/** One of them. */
export function itemOf({ store }: SimulatedCms, id: number): Item | undefined {
  const found = store.events.find(id);
  return found && { ...found.data, id };
}
