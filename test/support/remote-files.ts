import type { RemoteFile, RemoteFiles } from '../../src/core/attachment.ts';

/** Remembers remote files as a ledger does. */
export function rememberedFiles(): RemoteFiles & { all: ReadonlyMap<string, RemoteFile> } {
  const all = new Map<string, RemoteFile>();
  return {
    all,
    find: async (locationHash) => all.get(locationHash),
    remember: async (locationHash, file) => void all.set(locationHash, file),
  };
}
