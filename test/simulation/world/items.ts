import type { SimulatedCms } from './cms.ts';

/** An item with the attributes that have a value. */
export type Item = Record<string, unknown> & { id: number };

/** All items of the CMS. */
export function itemsOf(cms: SimulatedCms): Item[] {
  return cms.items().map(({ id, data }) => ({ ...data, id }));
}

/** One of them. */
export function itemOf({ table }: SimulatedCms, id: number): Item | undefined {
  const found = table.find(id);
  return found && { ...found.data, id };
}

/** A value of an item, if it has one; `time.start` is a part. */
export function valueIn(item: Item, attribute: string): unknown {
  const [name = '', part] = attribute.split('.');
  const whole = item[name];
  const value = part === undefined ? whole : (whole as Record<string, unknown> | undefined)?.[part];
  return value === '' ? undefined : value;
}
