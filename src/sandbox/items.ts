import type { Json, Payload } from '../core/record.ts';
import { ApiError } from './http/errors.ts';
import { asObject, type ResourceKind, withValues } from './resource.ts';
import type { Item } from './store/store.ts';

/** Creates an item from the attributes sent. @throws ApiError 422 */
export function createItem(kind: ResourceKind, body: Payload, instance: string): Item {
  const data = kind.merge({}, kind.check(body));
  checkRequired(kind, data);
  return writeItem(kind, data, instance);
}

/** Checks that all required attributes have a value. @throws ApiError 422, a detail for each that has none */
export function checkRequired(kind: ResourceKind, data: Payload): void {
  const missing = kind.required.filter((key) => isEmpty(data[key])).map((key) => `${key}: is required`);
  if (missing.length > 0) throw new ApiError(422, missing);
}

/** Creates an item from attributes that were checked one by one, or changes the item with the given id. @throws ApiError 422 */
export function writeItem(kind: ResourceKind, data: Payload, instance: string, known?: number): Item {
  const kept = withValues(data);
  kind.checkWhole?.(kept);
  checkUnique(kind, kept, known);
  const columns = { ...kind.index(kept), instance };
  if (known !== undefined) kind.table.update(known, kept, columns);
  return { id: known ?? kind.table.insert(kept, columns), instance, data: kept };
}

function checkUnique({ unique, table }: ResourceKind, data: Payload, id: number | undefined): void {
  for (const key of unique) {
    const value = data[key];
    if (typeof value !== 'string' || value === '') continue;
    if (table.holders(key, value).some((holder) => holder !== id))
      throw new ApiError(422, `${key}: another account has it already`);
  }
}

function isEmpty(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  const parts = asObject(value);
  return parts !== undefined && Object.values(parts).every(isEmpty);
}
