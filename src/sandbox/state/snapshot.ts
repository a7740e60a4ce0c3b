import { z } from 'zod';
import type { Payload, Resource } from '../../core/record.ts';
import type { ItemColumns, Store } from '../store/store.ts';
import { type SandboxUploads, storedPath } from '../store/upload-store.ts';
import type { ResourceSnapshot, SandboxSnapshot } from './state-types.ts';

/** What holds the items and files. */
export interface StateParts {
  store: Store;
  uploads: SandboxUploads;
  /** Checks the attributes of an item as requests are checked, and returns what the store keeps. @throws ApiError 422 */
  check(resource: Resource, data: Payload): { data: Payload; columns: Omit<ItemColumns, 'instance'> };
}

const resourceSchema: z.ZodType<ResourceSnapshot> = z.strictObject({
  nextId: z.int().min(1),
  items: z
    .array(z.strictObject({ id: z.int().min(1), instance: z.string(), data: z.record(z.string(), z.json()) }))
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'an id occurs twice'),
});

/** A snapshot as a file or request has it. */
export const snapshotSchema: z.ZodType<SandboxSnapshot> = z.strictObject({
  events: resourceSchema,
  accounts: resourceSchema,
  uploads: z.array(
    z.strictObject({ src: z.string().regex(storedPath, 'is not the path of an upload'), content: z.base64() }),
  ),
});

/** Returns all items and files. */
export function takeSnapshot({ store, uploads }: StateParts): SandboxSnapshot {
  return {
    events: store.events.dump(),
    accounts: store.accounts.dump(),
    uploads: uploads.dump().map(({ src, content }) => ({ src, content: content.toString('base64') })),
  };
}

/** Replaces all items and files by those of a snapshot. @throws ApiError 422 for an item that no request could have made */
export function restoreSnapshot(parts: StateParts, snapshot: SandboxSnapshot): void {
  const { store, uploads } = parts;
  // First, because items may only refer to files that exist.
  for (const { src, content } of snapshot.uploads) uploads.restore(src, Buffer.from(content, 'base64'));
  store.transaction(() => {
    replaceItems(parts, 'events', snapshot.events);
    replaceItems(parts, 'accounts', snapshot.accounts);
  });
  uploads.removeOthers(new Set(snapshot.uploads.map(({ src }) => src)));
}

function replaceItems({ store, check }: StateParts, resource: Resource, { items, nextId }: ResourceSnapshot): void {
  const rows = items.map((item) => {
    const { data, columns } = check(resource, item.data);
    return { id: item.id, data, columns: { ...columns, instance: item.instance } };
  });
  store[resource].replaceAll(rows, nextId);
}
