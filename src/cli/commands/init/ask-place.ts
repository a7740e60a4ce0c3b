import * as prompts from '@clack/prompts';
import { machineTimezone } from '../../../app/init/draft-target.ts';
import type { ProposedSync } from '../../../app/init/propose-sync.ts';
import { isTimeZone } from '../../../core/dates/time-zone.ts';
import type { CommandContext } from '../../command.ts';
import type { SandboxVariables } from '../sandbox/sandbox-env-file.ts';
import { type Asking, answerOf } from './asking.ts';
import { mistakeInValue } from './write-files.ts';

/** Asks for a feed: a path or an address. */
export function askSource(asking: Asking): Promise<string> {
  const message = 'Where is the feed? (a path or an address)';
  return answerOf(prompts.text({ message, placeholder: 'events.csv', validate: required, ...asking }));
}

/** Asks for the site's time zone, which no feed contains. Proposes the zone of a feed, because it is the likeliest. */
export function askTimezone(proposed: readonly ProposedSync[], asking: Asking): Promise<string> {
  const initialValue = proposed.map(({ sample }) => sample.timezone).find((zone) => zone) ?? machineTimezone();
  const validate = (zone = '') => (isTimeZone(zone) ? undefined : 'Enter an IANA time zone, such as Europe/Berlin.');
  return answerOf(prompts.text({ message: 'In which time zone is the website?', initialValue, validate, ...asking }));
}

/** Asks for the CMS, unless the environment names it. */
export async function askCms({ environment }: CommandContext, asking: Asking): Promise<Partial<SandboxVariables>> {
  if (environment.variables.CMS_BASE_URL) return {};
  const options = [
    { value: 'sandbox', label: 'a sandbox on this machine, to try it out' },
    { value: 'address', label: 'I have the address of the CMS' },
  ];
  const kind = await answerOf(prompts.select({ message: 'Where should the records go?', options, ...asking }));
  if (kind === 'sandbox') return {};
  const validate = (url = '') =>
    /^https?:\/\/./.test(url) && URL.canParse(url) ? undefined : 'Enter an http(s) address.';
  const address = { message: 'Address of the site', placeholder: 'https://www.example.org', validate, ...asking };
  const url = await answerOf(prompts.text(address));
  const token = await answerOf(
    prompts.password({ message: 'API token (empty: set CMS_API_TOKEN later)', validate: mistakeInValue, ...asking }),
  );
  return { CMS_BASE_URL: url, ...(token ? { CMS_API_TOKEN: token } : {}) };
}

function required(text = ''): string | undefined {
  return text.trim() === '' ? 'Enter a path or an address.' : undefined;
}
