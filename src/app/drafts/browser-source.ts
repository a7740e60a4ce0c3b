import {
  constants,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import type { Variables } from '../../config/files/interpolate.ts';
import { readTargetSecrets } from '../../config/load.ts';
import { CodedError, messageOf } from '../../core/errors.ts';
import { openSample } from '../../source/sample/sample-feed.ts';
import type { Environment } from '../environment.ts';
import { variablesOf } from '../init/feed-access.ts';
import { LockedFeedError } from '../init/locked-feed.ts';
import { type OpenSource, openSource } from '../init/open-source.ts';
import { accessWith, explainLocked, type FeedKeys, type GivenKey } from './feed-key.ts';

/** What a person gives in a browser: the address of a feed, possibly with its key, or a file. */
export type GivenFeed = { address: string; key?: GivenKey | undefined } | { name: string; content: Uint8Array };

/** A feed that was opened for a person in a browser. */
export interface BrowserSource extends OpenSource {
  /** Where the feed is until it is removed: the address, or a file of this process. */
  readable: string;
  /** The variables with the key of the feed. */
  variables: Variables;
  /** Of a file: writes it where the sync reads it; returns what takes that back. Throws FF_EDIT_IMPOSSIBLE. */
  keep?(): () => void;
  /** Removes the file, if there is one. */
  remove(): void;
}

/**
 * Opens a feed that a person gives in a browser. Only addresses of web servers are opened, never files of this machine nor
 * addresses in its network.
 * @throws CodedError FF_USAGE for another address, or a key that the server may not receive; FF_FEED_…
 */
export async function openGivenFeed(
  given: GivenFeed,
  environment: Environment,
  signal: AbortSignal,
): Promise<BrowserSource> {
  if ('address' in given) return openAddress(given, environment, signal);
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-feed-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const name = fileName(given.name);
    const readable = join(dir, name);
    writeFileSync(readable, given.content, { mode: 0o600 });
    // Beside the config, where the file of the feed will be.
    const location = resolve(environment.configDir, 'feeds', name);
    const keep = () => keepFile(readable, location);
    return { location, beginning: await openSample(readable, signal), readable, variables: {}, keep, remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function keepFile(from: string, to: string): () => void {
  const place = `config/feeds/${basename(to)}`;
  try {
    if (existsSync(to) && readFileSync(to).equals(readFileSync(from))) return () => {};
    mkdirSync(dirname(to), { recursive: true });
    copyFileSync(from, to, constants.COPYFILE_EXCL);
    return () => rmSync(to, { force: true });
  } catch (error) {
    const isOther = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw isOther
      ? new CodedError('FF_EDIT_IMPOSSIBLE', `${place} already exists, with other content. Nothing was saved.`, {
          remedy: 'Give the file another name, and upload it again.',
        })
      : new CodedError('FF_EDIT_IMPOSSIBLE', `${place} cannot be written: ${messageOf(error)}. Nothing was saved.`);
  }
}

async function openAddress(
  { address, key }: { address: string; key?: GivenKey | undefined },
  { configDir, variables: all, http }: Environment,
  signal: AbortSignal,
): Promise<BrowserSource> {
  const url = checkedAddress(address);
  const keys: FeedKeys = { listed: http.feedVariables, variables: all };
  const access = key ? accessWith(key, url, keys) : {};
  const variables = Object.fromEntries(variablesOf(access).map((name) => [name, all[name]]));
  // An address that is typed has no variables.
  const location = url.href.replaceAll('${', '$%7B');
  const targetSecrets = readTargetSecrets(configDir, all);
  // Nobody is asked whether an address in a private network may be opened.
  const reach = { access, variables, targetSecrets, signal, confirmPrivate: async () => false };
  try {
    return { ...(await openSource(location, reach)), readable: location, variables, remove: () => {} };
  } catch (error) {
    if (error instanceof LockedFeedError) throw explainLocked(error, url, keys, key);
    if (!(error instanceof CodedError && error.code === 'FF_FEED_ADDRESS')) throw error;
    const remedy =
      'From a browser, only addresses on the public internet are read. Run `feedferry init` on the server, or upload the feed.';
    throw new CodedError('FF_FEED_ADDRESS', error.message, { remedy });
  }
}

function checkedAddress(text: string): URL {
  const url = URL.parse(text.trim().replace(/^webcals?:/i, 'https:'));
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new CodedError('FF_USAGE', `"${text.slice(0, 200)}" is not the address of a feed on the web.`, {
      remedy: 'Enter an address that begins with https://, http:// or webcal://, or upload the file.',
    });
  }
  if (url.username || url.password) {
    throw new CodedError('FF_USAGE', `The address of ${url.host} has a user name or password.`, {
      remedy: 'Enter it without them. A password has to be in a variable.',
    });
  }
  return url;
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
