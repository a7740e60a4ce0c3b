import { isObject } from '../../core/record.ts';
import type { ConfigFile, Path } from '../files/config-file.ts';
import { variablesIn } from '../files/interpolate.ts';
import type { Issue } from './validate.ts';

/** What the server of a feed must never receive, besides variables with names that begin with CMS_. */
export interface TargetSecrets {
  /** Variables that secrets of feedferry.yaml refer to. */
  variables: ReadonlySet<string>;
  token?: string;
}

/** The keys of feedferry.yaml that hold secrets. */
const secretKeys: readonly Path[] = [
  ['target', 'token'],
  ['target', 'auth'],
  ['alerts', 'webhook'],
  ['alerts', 'email', 'smtp'],
];

/** A shorter token may be part of any text by chance. */
const SHORTEST_PART = 8;

/** Collects the secrets of a feedferry.yaml. */
export function targetSecrets(file: ConfigFile, token: string | undefined): TargetSecrets {
  const written = secretKeys.flatMap((path) => textsIn(at(file.value, path), path)).map((path) => file.sourceOf(path));
  return { variables: new Set(written.flatMap((text = '') => variablesIn(text))), token };
}

/** Returns whether a variable is for the target only: its name begins with CMS_, or a secret of feedferry.yaml refers to it. */
export function isTargetVariable(name: string, { variables }: TargetSecrets): boolean {
  return /^CMS_/i.test(name) || variables.has(name);
}

/** Checks that no source of a sync file takes a variable or the token of the target, which the server of its feed would receive. */
export function checkTargetSecrets(file: Pick<ConfigFile, 'value' | 'sourceOf'>, secrets: TargetSecrets): Issue[] {
  const paths = ['source', 'sources'].flatMap((key) => textsIn(at(file.value, [key]), [key]));
  return paths.flatMap((path): Issue[] => {
    const name = variablesIn(file.sourceOf(path) ?? '').find((variable) => isTargetVariable(variable, secrets));
    if (name !== undefined) return [{ path, part: 'value', message: refusal(name) }];
    // The message would show the value, which may be the token itself.
    return holdsToken(String(at(file.value, path)), secrets.token)
      ? [{ path, part: 'key', message: refusal('the token') }]
      : [];
  });
}

function refusal(secret: string): string {
  return `would send ${secret} of the target to the server of the feed; write a variable of the feed, such as \${FEED_TOKEN}`;
}

/** Returns whether a text has the token of the target. */
export function holdsToken(text: string, token: string | undefined): boolean {
  if (token === undefined || token.length < SHORTEST_PART) return text === token;
  return text.includes(token) || text.includes(encodeURIComponent(token));
}

/** Lists the paths of all texts in a value. */
function textsIn(value: unknown, path: Path): Path[] {
  if (typeof value === 'string') return [path];
  if (Array.isArray(value)) return value.flatMap((item, index) => textsIn(item, [...path, index]));
  return isObject(value) ? Object.entries(value).flatMap(([key, item]) => textsIn(item, [...path, key])) : [];
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((parent, key) => (parent as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
