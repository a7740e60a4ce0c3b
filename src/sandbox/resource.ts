import type { z } from 'zod';
import { isObject, type Json, type Payload } from '../core/record.ts';
import { ApiError } from './http/errors.ts';
import type { SandboxSwitches } from './options.ts';
import type { Item, ItemColumns, ItemTable } from './store/store.ts';

/** The properties of a resource that its routes need. */
export interface ResourceKind {
  /** Path below /api/v1. */
  path: string;
  table: ItemTable;
  /** Whether the query parameters instance, search, startDate and endDate apply. */
  ofEvents: boolean;
  /** All attributes except custom ones. */
  standard: ReadonlySet<string>;
  /** Attributes that a form shows even if they have no value. */
  editable: readonly string[];
  /** Attributes required on create. */
  required: readonly string[];
  /** Attributes in which no two items may be equal. */
  unique: readonly string[];
  /** Checks the attributes of a request. @throws ApiError 422 */
  check(body: Payload): Payload;
  /** The attributes after a PATCH. */
  merge(current: Payload, changes: Payload): Payload;
  /** Checks the item as a whole, once changes are applied. @throws ApiError 422 */
  checkWhole?(data: Payload): void;
  /** The columns that lists use. */
  index(data: Payload): Omit<ItemColumns, 'instance'>;
  /** An item as the API returns it. */
  present(item: Pick<Item, 'id' | 'data'>): Payload;
  /** Additional attributes in the responses to create, PUT and PATCH. */
  presentWritten?(item: Item): Payload;
}

/** Validates a body against a schema. @throws ApiError 422, a detail for each attribute that does not fit */
export function checkAgainst<Output>(schema: z.ZodType<Output>, body: unknown): Output {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  throw new ApiError(422, details);
}

/** Returns the instance of the calendar app for a key (API: "instance"). @throws ApiError 404 or 400 */
export function knownInstance(key: string | undefined, { instances }: SandboxSwitches): string {
  const [first = '', ...others] = instances;
  const instance = key || (others.length === 0 ? first : '');
  if (first === '' || instances.includes(instance)) return instance;
  if (instance !== '') throw new ApiError(404, 'There is no such instance of the calendar.');
  throw new ApiError(400, 'Query parameter instance is needed: there are several instances.');
}

/** Returns the attributes that have a value; null means none. */
export function withValues(data: Payload): Payload {
  return Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
}

/** Returns attributes as they are shown without a value. */
export function cleared(keys: readonly string[], how: SandboxSwitches['cleared']): Payload {
  if (how === 'omit') return {};
  return Object.fromEntries(keys.map((key) => [key, how === 'null' ? null : '']));
}

/** A value as an object, if it is one. */
export function asObject(value: Json | undefined): { [key: string]: Json } | undefined {
  return isObject(value) ? value : undefined;
}

/** A value as text, if it is text. */
export function asText(value: Json | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
