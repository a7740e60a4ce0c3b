import { resolve } from 'node:path';
import type { TargetSecrets } from '../../config/check/target-secrets.ts';
import { interpolate, type Variables } from '../../config/files/interpolate.ts';
import { readTargetSecrets } from '../../config/load.ts';
import { CodedError } from '../../core/errors.ts';
import { RefusedError } from '../../feed/location/refusal.ts';
import type { ConfirmPrivate } from '../../feed/read-beginning.ts';
import { type OpenFeed, openFeed } from '../../source/find/find-feeds.ts';
import { hideInError, hideSecrets } from '../../source/sample/hide-secrets.ts';
import { openSample } from '../../source/sample/sample-feed.ts';
import type { Environment } from '../environment.ts';
import type { FeedAccess } from '../feed-variables.ts';
import {
  type AccessOptions,
  feedVariables,
  fillInAccess,
  isServerAddress,
  readFeedAccess,
  secretsIn,
} from './feed-access.ts';
import { LockedFeedError } from './locked-feed.ts';
import { loadRecipes } from './recipes.ts';

/** An open feed that was named on the command line. */
export type OpenSource = OpenFeed;

/** How the feeds that are named on the command line are reached. */
export interface Reach {
  access: FeedAccess;
  /** Fill in `${NAME}` in the address, headers and credentials. */
  variables: Variables;
  targetSecrets: TargetSecrets;
  signal: AbortSignal;
  /** Default: an address in a private network is opened, with a warning. */
  confirmPrivate?: ConfirmPrivate;
}

/**
 * Reads how feeds are reached from the environment and the options of the command line.
 * @throws CodedError FF_USAGE for an invalid option
 */
export function readReach({ configDir, variables }: Environment, options: AccessOptions, signal: AbortSignal): Reach {
  const targetSecrets = readTargetSecrets(configDir, variables);
  return { access: readFeedAccess(options), variables, targetSecrets, signal };
}

/**
 * Opens a feed, or the feeds of a web page.
 * @param source a path from the working directory, an address, or `-`
 * @throws CodedError FF_FEED_… if it cannot be read; LockedFeedError if its server refuses the request; FF_CONFIG_ENV for a variable
 * that is not set; FF_USAGE for a variable of the target, or for an address with a password, which the sync file would show
 */
export async function openSource(
  source: string,
  { access, variables, targetSecrets, signal, confirmPrivate }: Reach,
): Promise<OpenSource> {
  refusePassword(source);
  if (!isServerAddress(source)) {
    if (Object.keys(access).length > 0) throw noServer();
    const isPath = source !== '-' && !/^[a-z][a-z0-9+.-]+:\/\//i.test(source);
    const location = isPath ? resolve(source) : source;
    return { location, beginning: await openSample(location, signal) };
  }
  const names = feedVariables(source, access, targetSecrets, variables);
  const address = interpolate(source, variables);
  const options = fillInAccess(access, variables);
  const secrets = secretsIn(source, access, variables);
  try {
    const sampleAccess = { options, written: access, secrets, confirmPrivate };
    // What a page of a secret address leads to could have the secret, too.
    if (address === source) return await openFeed(address, signal, sampleAccess, loadRecipes());
    return { location: source, beginning: await openSample(address, signal, sampleAccess) };
  } catch (error) {
    if (!isLocked(error, address)) throw hideInError(error, secrets);
    throw new LockedFeedError(error, names, (text) => hideSecrets(text, secrets));
  }
}

/** Whether the server of the feed itself has refused a request, and not another one to which it redirects. */
function isLocked(error: unknown, address: string): error is RefusedError {
  const url = URL.parse(address.replace(/^webcals?:/i, 'https:'));
  return error instanceof RefusedError && [401, 403].includes(error.status) && error.url.origin === url?.origin;
}

function refusePassword(source: string): void {
  const { username, password, host } = URL.parse(source) ?? {};
  if (!username && !password) return;
  const message = `The address of ${host} has a user name or password, which the sync file would show.`;
  const remedy =
    "Leave them out of the address. Set the password in .env beside the config folder, such as FEED_PASSWORD=…, and add: --auth 'USER:${FEED_PASSWORD}'.";
  throw new CodedError('FF_USAGE', message, { remedy });
}

function noServer(): CodedError {
  const remedy = 'Leave out --header and --auth, or give an http:// or https:// address.';
  return new CodedError('FF_USAGE', '--header and --auth are for feeds with an address.', { remedy });
}
