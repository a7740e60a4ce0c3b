import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Variables } from '../../config/files/interpolate.ts';
import { readTargetSecrets } from '../../config/load.ts';
import { siteTime } from '../../core/dates/site-time.ts';
import { CodedError } from '../../core/errors.ts';
import { openSample } from '../../source/sample/sample-feed.ts';
import type { Environment } from '../environment.ts';
import type { FeedVariable } from '../feed-variables.ts';
import { keepUpload, uploadPlace } from '../uploads.ts';
import { variablesOf } from './feed-access.ts';
import { LockedFeedError } from './locked-feed.ts';
import { type OpenSource, openSource } from './open-source.ts';

const PRIVATE =
  'From a browser, only addresses on the public internet are read. Run `feedferry init` on the server, or upload the feed.';
const CHECK =
  'Open the address in a private window of your browser, without logging in. If you see the feed there, save it, and upload the file.';

/** A file that a person uploads. */
export interface GivenFile {
  name: string;
  content: Uint8Array;
}

/** What a person gives in a browser: the address of a feed, or a file. */
export type GivenFeed = { address: string } | GivenFile;

/** A feed that was opened for a person in a browser. */
export interface BrowserSource extends OpenSource {
  /** Where the feed is until the draft is saved: the address, or a file of this process. */
  readable: string;
  /** The variables with the key of the feed. */
  variables: Variables;
  /** Of a file: writes it where the sync reads it; returns what takes that back. Throws FF_EDIT_IMPOSSIBLE. */
  keep?: () => () => void;
  /** Removes the file, if there is one. */
  remove(): void;
}

/**
 * Opens a feed that a person gives in a browser. Only addresses of web servers are opened, never files of this machine nor
 * addresses in its network.
 * @param timezone zone of the site
 * @throws CodedError FF_USAGE for another address; FF_FEED_…
 */
export async function openGivenFeed(
  given: GivenFeed,
  environment: Environment,
  timezone: string,
  signal: AbortSignal,
): Promise<BrowserSource> {
  if ('address' in given) return openAddress(given.address, environment, signal);
  const { dataDir, configDir, http } = environment;
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-feed-'));
  const remove = () => rmSync(dir, { recursive: true, force: true });
  try {
    const name = fileName(given.name);
    const readable = join(dir, name);
    writeFileSync(readable, given.content, { mode: 0o600 });
    const beginning = await openSample(readable, signal);
    // A draft that is not saved here ends in files beside which somebody puts the feed.
    if (http.edit !== 'save')
      return { location: resolve(configDir, 'feeds', name), beginning, readable, variables: {}, remove };
    const location = uploadPlace(dataDir, name, siteTime(Date.now(), timezone).slice(0, 10));
    return { location, beginning, readable, variables: {}, keep: () => keepUpload(readable, location), remove };
  } catch (error) {
    remove();
    throw withoutFolder(error, dir);
  }
}

/** Names a file in an error without the folder of this process in which it is. */
export function withoutFolder(error: unknown, dir: string): unknown {
  if (!(error instanceof CodedError)) return error;
  const short = (text: string) => text.replaceAll(`${dir}/`, '');
  return new CodedError(error.code, short(error.message), { cause: error, remedy: short(error.remedy) });
}

async function openAddress(
  address: string,
  { configDir, variables: all, http }: Environment,
  signal: AbortSignal,
): Promise<BrowserSource> {
  const url = checkedAddress(address);
  const known = http.feedVariables.find(({ name, isFor }) => isFor(url) && all[name]);
  const access = known?.access ?? {};
  const variables = Object.fromEntries(variablesOf(access).map((name) => [name, all[name]]));
  // An address that is typed has no variables.
  const location = url.href.replaceAll('${', '$%7B');
  const targetSecrets = readTargetSecrets(configDir, all);
  // Nobody is asked whether an address in a private network may be opened.
  const reach = { access, variables, targetSecrets, signal, confirmPrivate: async () => false };
  try {
    const opened = await openSource(location, reach);
    return { ...opened, readable: opened.location, variables, remove: () => {} };
  } catch (error) {
    if (error instanceof LockedFeedError) throw explainLocked(error, url, known);
    if (!(error instanceof CodedError)) throw error;
    const { code, message, remedy } = error;
    if (code === 'FF_FEED_ADDRESS') throw new CodedError(code, message, { remedy: PRIVATE });
    // There is no sync file yet.
    throw /\bsource\b/.test(remedy) ? new CodedError(code, message, { cause: error, remedy: CHECK }) : error;
  }
}

/** Explains to a person in a browser that a feed needs a key, or another one. */
function explainLocked({ message, wanted }: LockedFeedError, url: URL, known: FeedVariable | undefined): CodedError {
  const host = url.protocol === 'http:' ? url.origin : url.host;
  const forms = { header: `${wanted.header}: FEED_KEY`, token: 'FEED_TOKEN', password: 'basic USER:FEED_PASSWORD' };
  const remedy = known
    ? `The server did not accept the key in ${known.name}. Ask the people who run feedferry to check it, and how it is sent.`
    : `The feed needs a key. Ask the people who run feedferry to set it in a variable, and to list it: HTTP_EDIT_VARIABLES=${forms[wanted.kind]}@${host}`;
  return new CodedError('FF_FEED_STATUS', message, { remedy });
}

function checkedAddress(text: string): URL {
  const address = text.trim().replace(/^webcals?:/i, 'https:');
  // Browsers copy some addresses without their beginning.
  const url = URL.parse(/^[\w-]+(\.[\w-]+)+(\/|$)/.test(address) ? `https://${address}` : address);
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
