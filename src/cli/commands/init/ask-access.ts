import * as prompts from '@clack/prompts';
import {
  type FeedAccess,
  feedVariables,
  isServerAddress,
  refuseTargetVariables,
} from '../../../app/init/feed-access.ts';
import { LockedFeedError, variableFor, type WantedAccess } from '../../../app/init/locked-feed.ts';
import { type OpenSource, openSource, type Reach } from '../../../app/init/open-source.ts';
import { messageOf } from '../../../core/errors.ts';
import { plain } from '../../output/print.ts';
import { type Asking, answerOf } from './asking.ts';
import { mistakeInValue } from './write-files.ts';

/** A feed, and how its server knows feedferry. */
interface Request {
  source: string;
  access: FeedAccess;
}

/**
 * Opens a feed. Asks for variables that are not set, before an address in a private network is opened, and for credentials if the
 * server of the feed wants them.
 * @param secrets receives the values of variables that the user types
 */
export async function openAsking(
  source: string,
  reach: Reach,
  secrets: Record<string, string>,
  asking: Asking,
): Promise<OpenSource> {
  let request: Request = { source, access: reach.access };
  const confirmed = new Set<string>();
  const typed = new Set<string>();
  for (;;) {
    try {
      await askUnset(request);
      return await openSource(request.source, {
        ...reach,
        access: request.access,
        variables: { ...reach.variables, ...secrets },
        confirmPrivate: async (host, address) => confirmed.has(host) || (await isConfirmed(host, address)),
      });
    } catch (error) {
      if (!(error instanceof LockedFeedError)) throw error;
      prompts.log.warn(plain(error.message), asking);
      request = await askAccess(error.wanted);
    }
  }

  async function askUnset({ source, access }: Request): Promise<void> {
    if (!isServerAddress(source)) return;
    for (const name of feedVariables(source, access, reach.targetSecrets, reach.variables)) {
      if (reach.variables[name] !== undefined || secrets[name] !== undefined) continue;
      const value = { message: `Value of ${name}, for the file .env`, validate: mistakeInSecret, ...asking };
      secrets[name] = await answerOf(prompts.password(value));
      typed.add(name);
    }
  }

  async function isConfirmed(host: string, address: string): Promise<boolean> {
    const shown = host === address ? host : `${host} (${address})`;
    const message = `${plain(shown)} is in a private network. Open it?`;
    const isAllowed = await answerOf(prompts.confirm({ message, initialValue: false, ...asking }));
    if (isAllowed) confirmed.add(host);
    return isAllowed;
  }

  async function askAccess(wanted: WantedAccess): Promise<Request> {
    const options = [
      { value: 'header' as const, label: 'a key in a header' },
      { value: 'address' as const, label: 'a key in the address' },
      { value: 'token' as const, label: 'a bearer token' },
      { value: 'password' as const, label: 'a user name and a password' },
    ];
    const message = 'What does the server of the feed want?';
    const kind = await answerOf(prompts.select({ message, options, initialValue: wanted.kind, ...asking }));
    switch (kind) {
      case 'token':
        return { source, access: { auth: { bearer: await askVariable(kind) } } };
      case 'password': {
        const user = await askText('User name', '');
        return { source, access: { auth: { user, password: await askVariable(kind) } } };
      }
      case 'address': {
        const parameter = await askText('Name of the parameter', 'key');
        const mark = source.includes('?') ? '&' : '?';
        const address = `${source}${mark}${encodeURIComponent(parameter)}=${await askVariable('header')}`;
        return { source: address, access: {} };
      }
      default: {
        const header = await askText('Name of the header', wanted.header);
        return { source, access: { headers: { [header]: await askVariable('header') } } };
      }
    }
  }

  /** Asks for the variable that holds a secret. A value that was typed for this feed was refused, so it is asked for again. */
  async function askVariable(kind: WantedAccess['kind']): Promise<string> {
    const initialValue = variableFor(kind);
    const message = 'Name of the variable for the secret, which the sync file refers to';
    const name = await answerOf(prompts.text({ message, initialValue, validate: mistakeInName, ...asking }));
    if (typed.has(name)) delete secrets[name];
    return `\${${name}}`;
  }

  function askText(message: string, initialValue: string): Promise<string> {
    return answerOf(prompts.text({ message, initialValue, validate: mistakeInText, ...asking }));
  }

  function mistakeInName(name = ''): string | undefined {
    if (!/^[A-Za-z_]\w*$/.test(name)) return 'Enter a name of letters, digits and "_", such as FEED_KEY.';
    try {
      refuseTargetVariables([name], reach.targetSecrets, reach.variables);
      return undefined;
    } catch (error) {
      return messageOf(error);
    }
  }
}

function mistakeInSecret(text = ''): string | undefined {
  return text === '' ? 'Enter the secret.' : mistakeInValue(text);
}

function mistakeInText(text = ''): string | undefined {
  return text.trim() === '' || text.includes('${') ? 'Enter a text.' : undefined;
}
