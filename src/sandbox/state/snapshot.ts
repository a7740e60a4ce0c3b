import { z } from 'zod';
import type { Payload, Resource } from '../../core/record.ts';
import { ApiError } from '../http/errors.ts';
import type { ItemColumns, Store } from '../store/store.ts';
import { type FileLookup, type SandboxUploads, storedPath } from '../store/upload-store.ts';
import { problemsOf, shownProblem } from './fixtures.ts';
import type { ResourceSnapshot, SandboxSnapshot } from './state-types.ts';

/** The stores of items and files. */
export interface StateParts {
  store: Store;
  uploads: SandboxUploads;
  /** Checks the attributes of an item like those of a request, and returns what to store. @throws ApiError 422 */
  check(
    resource: Resource,
    data: Payload,
    files: FileLookup,
  ): { data: Payload; columns: Omit<ItemColumns, 'instance'> };
}

const resourceSchema: z.ZodType<ResourceSnapshot> = z.strictObject({
  nextId: z.int().min(1),
  items: z
    .array(z.strictObject({ id: z.int().min(1), instance: z.string(), data: z.record(z.string(), z.json()) }))
    .refine((items) => new Set(items.map(({ id }) => id)).size === items.length, 'an id occurs twice'),
});

/** A snapshot in the form of a file or request. */
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

/** Replaces all items and files by those of a snapshot: either all, or none if an item does not fit. @throws ApiError 422 */
export function restoreSnapshot(parts: StateParts, snapshot: SandboxSnapshot): void {
  const { store, uploads } = parts;
  const files = new Set(snapshot.uploads.map(({ src }) => src));
  store.transaction(() => {
    replaceItems(parts, 'events', snapshot.events, files);
    replaceItems(parts, 'accounts', snapshot.accounts, files);
    // Last, because no rollback brings files back.
    for (const { src, content } of snapshot.uploads) uploads.restore(src, Buffer.from(content, 'base64'));
  });
  uploads.removeOthers(files);
}

function replaceItems(
  { store, check }: StateParts,
  resource: Resource,
  { items, nextId }: ResourceSnapshot,
  files: FileLookup,
): void {
  const problems: string[] = [];
  const rows = items.flatMap((item, at) => {
    try {
      const { data, columns } = check(resource, item.data, files);
      return { id: item.id, data, columns: { ...columns, instance: item.instance } };
    } catch (error) {
      problems.push(...problemsOf(error, [resource, 'items', at]).map(shownProblem));
      return [];
    }
  });
  if (problems.length > 0) throw new ApiError(422, problems);
  store[resource].replaceAll(rows, nextId);
}
