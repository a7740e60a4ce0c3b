import { dirname } from 'node:path';
import { CodedError } from '../core/errors.ts';
import { ApiError } from './http/errors.ts';
import { createItem } from './items.ts';
import type { SandboxSwitches } from './options.ts';
import { checkAgainst, knownInstance, type ResourceKind } from './resource.ts';
import { type FixtureParts, FixtureProblems, loadFixtures, shownProblem } from './state/fixtures.ts';
import { readFixturesFile, toFixturesError } from './state/fixtures-file.ts';
import { restoreSnapshot, type StateParts, snapshotSchema, takeSnapshot } from './state/snapshot.ts';
import type { LoadedFixtures, SandboxFixtures, SandboxSnapshot } from './state/state-types.ts';
import type { Store } from './store/store.ts';
import type { SandboxUploads } from './store/upload-store.ts';
import { keepUpload } from './upload.ts';

interface StateOptions {
  store: Store;
  uploads: SandboxUploads;
  events: ResourceKind;
  accounts: ResourceKind;
  switches: SandboxSwitches;
}

export type SandboxState = ReturnType<typeof sandboxState>;

/** All items and files as a whole: reset, snapshots and fixtures, by the rules of requests. */
export function sandboxState({ store, uploads, events, accounts, switches }: StateOptions) {
  const kinds = { events, accounts };
  const parts: StateParts & FixtureParts = {
    store,
    uploads,
    create: (resource, body, instance) => createItem(kinds[resource], body, instance).id,
    instanceOf: (key) => knownInstance(key, switches),
    async upload(attribute, file) {
      if (file.content.length > switches.maxUploadBytes) throw new ApiError(413, 'the file is too large');
      return (await keepUpload(uploads, attribute, file, switches)).src;
    },
    check(resource, given, files) {
      const kind = kinds[resource];
      const data = kind.merge({}, kind.check(given, files));
      kind.checkWhole?.(data);
      return { data, columns: kind.index(data) };
    },
  };

  async function load(given: SandboxFixtures | string, replace = false): Promise<LoadedFixtures> {
    const file = typeof given === 'string' ? given : undefined;
    const { value, lineOf } = file === undefined ? { value: given } : readFixturesFile(file);
    const folder = file === undefined ? process.cwd() : dirname(file);
    return loadFixtures(parts, value, { folder, replace }).catch((error) => {
      throw toFixturesError(error, file, lineOf);
    });
  }

  return {
    load: (given: SandboxFixtures | string): Promise<LoadedFixtures> => load(given),
    /** Removes all items and files, then loads the fixtures. */
    reset: async (fixtures: SandboxFixtures | string = {}): Promise<void> => {
      await load(fixtures, true);
    },
    isEmpty: (): boolean => store.events.count() === 0 && store.accounts.count() === 0,
    snapshot: (): SandboxSnapshot => takeSnapshot(parts),
    /** @throws CodedError FF_USAGE */
    restore(snapshot: SandboxSnapshot): void {
      try {
        restoreSnapshot(parts, checkAgainst(snapshotSchema, snapshot));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        throw new CodedError('FF_USAGE', `The snapshot does not fit: ${error.details.join('; ')}.`, { cause: error });
      }
    },
    /** Restores the snapshot of a request. @throws ApiError 422 */
    restoreBody: (body: unknown): void => restoreSnapshot(parts, checkAgainst(snapshotSchema, body)),
    /** Loads the fixtures of a request, which cannot name files of this machine. @throws ApiError 422 */
    loadBody: (body: unknown): Promise<LoadedFixtures> =>
      loadFixtures(parts, body, {}).catch((error) => {
        if (error instanceof FixtureProblems) throw new ApiError(422, error.problems.map(shownProblem));
        throw error;
      }),
  };
}
