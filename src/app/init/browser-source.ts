import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CodedError } from '../../core/errors.ts';
import { openSample } from '../../source/sample/sample-feed.ts';
import type { OpenSource } from './open-source.ts';

/** Nobody is asked whether an address in a private network may be opened. */
const PUBLIC_ONLY = { options: {}, written: {}, secrets: [], confirmPrivate: async () => false };

/** What a person gives in a browser: the address of a feed, or a file. */
export type GivenFeed = { address: string } | { name: string; content: Uint8Array };

/** A feed that was opened for a person in a browser. */
export interface BrowserSource extends OpenSource {
  /** Where the feed is until it is removed: the address, or a file of this process. */
  readable: string;
  /** Removes the file, if there is one. */
  remove(): void;
}

/**
 * Opens a feed that a person gives in a browser. Only addresses of web servers are opened, never files of this machine nor
 * addresses in its network.
 * @param folder where the file of the feed will be, beside the config
 * @throws CodedError FF_USAGE for another address; FF_FEED_…
 */
export async function openGivenFeed(given: GivenFeed, folder: string, signal: AbortSignal): Promise<BrowserSource> {
  if ('address' in given) {
    const location = checkedAddress(given.address);
    const beginning = await openSample(location, signal, PUBLIC_ONLY).catch(rethrowPrivate);
    return { location, beginning, readable: location, remove: () => {} };
  }
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-feed-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const name = fileName(given.name);
    const readable = join(dir, name);
    writeFileSync(readable, given.content, { mode: 0o600 });
    return { location: join(folder, name), beginning: await openSample(readable, signal), readable, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function rethrowPrivate(error: unknown): never {
  if (!(error instanceof CodedError && error.code === 'FF_FEED_ADDRESS')) throw error;
  throw new CodedError('FF_FEED_ADDRESS', error.message, {
    remedy:
      'From a browser, only addresses on the public internet are read. Run `feedferry init` on the server, or upload the feed.',
  });
}

function checkedAddress(text: string): string {
  const url = URL.parse(text.trim());
  if (!url || !/^(https?|webcals?):$/.test(url.protocol)) {
    throw new CodedError('FF_USAGE', `"${text.slice(0, 200)}" is not the address of a feed on the web.`, {
      remedy: 'Enter an address that begins with https://, http:// or webcal://, or upload the file.',
    });
  }
  if (url.username || url.password) {
    throw new CodedError('FF_USAGE', `The address of ${url.host} has a user name or password.`, {
      remedy: 'Enter it without them, and add source.auth to the sync file, with a variable for the password.',
    });
  }
  return url.href;
}

/** Returns the last part of a name that a browser sends, without characters that could leave the folder. */
function fileName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? '';
  return (
    last
      .replace(/[^\p{L}\p{N}._ -]/gu, '-')
      .replace(/^\.+/, '')
      .slice(0, 100)
      .trim() || 'feed'
  );
}
