import type { z } from 'zod';
import { didYouMean } from '../../core/suggest.ts';
import type { Path } from '../files/config-file.ts';

/** A mistake at a path of a config file. */
export interface Issue {
  path: Path;
  /** Whether the key or the value is wrong. */
  part: 'key' | 'value';
  message: string;
}

/** Data without issues, or issues without data. */
export type Validated<T> = { data: T; issues: [] } | { data: undefined; issues: Issue[] };

/**
 * Checks a value against a zod schema. Issues are worded for the user, with a suggestion for each unknown key.
 * @param at the path of the value in its file
 * @param alsoKnown keys that are valid here although the schema does not have them
 */
export function validate<T>(
  schema: z.ZodType<T>,
  value: unknown,
  at: Path = [],
  alsoKnown: readonly string[] = [],
): Validated<T> {
  // `jitless`: compiling the schemas would take longer than checking a few files.
  const result = schema.safeParse(value, { error: nameKnownKeys, jitless: true });
  if (result.success) return { data: result.data, issues: [] };
  const issues = causes(result.error.issues).flatMap((issue) =>
    issuesOf(issue, issue.path.length === 0 ? alsoKnown : []),
  );
  return {
    data: undefined,
    issues: issues.map((issue) => ({ ...issue, path: [...at, ...writtenPath(issue.path, value)] })),
  };
}

/** Returns a path as it is written: a single item may be written without its list. */
export function writtenPath(path: Path, value: unknown): Path {
  const [first, ...rest] = path;
  if (first === undefined) return [];
  if (first === 0 && !Array.isArray(value)) return writtenPath(rest, value);
  return [first, ...writtenPath(rest, (value as Record<PropertyKey, unknown> | null | undefined)?.[first])];
}

/** Returns the known keys of an object as the message about its unknown keys. Only this hook of zod has access to the schema. */
function nameKnownKeys(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code !== 'unrecognized_keys') return undefined;
  const { shape = {} } = (issue.inst as { _zod?: { def?: { shape?: object } } } | undefined)?._zod?.def ?? {};
  return Object.keys(shape).join(' ');
}

function issuesOf(issue: z.core.$ZodIssue, alsoKnown: readonly string[]): Issue[] {
  if (issue.code === 'invalid_union') {
    // If the value has the type of an alternative, the mistakes of that alternative are at deeper paths.
    const fitting = issue.errors.find((issues) =>
      issues.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys' || code === 'custom'),
    );
    if (fitting)
      return causes(fitting).flatMap((inner) => issuesOf({ ...inner, path: [...issue.path, ...inner.path] }, []));
  }
  if (issue.code !== 'unrecognized_keys') return [{ path: issue.path, part: 'value', message: wording(issue) }];
  const known = [...issue.message.split(' '), ...alsoKnown].filter((name) => name !== '');
  return issue.keys.map((key) => ({ path: [...issue.path, key], part: 'key', message: unknownKey(key, known) }));
}

/** Leaves out what a mapping with an unknown key lacks, because that key may be what is meant. */
function causes(issues: readonly z.core.$ZodIssue[]): z.core.$ZodIssue[] {
  const unclear = issues.filter(({ code }) => code === 'unrecognized_keys').map(({ path }) => pathName(path));
  return issues.filter(({ code, path }) => code !== 'custom' || !unclear.includes(pathName(path)));
}

/** Keys by the names that other programs use. */
const otherNames = new Map([
  ['retries', 'maxAttempts'],
  ['rateLimit', 'requestsPerSecond'],
  ['url', 'baseUrl'],
  ['apiKey', 'token'],
  ['apiToken', 'token'],
  ['mapping', 'map'],
  ['fields', 'map'],
  ['columns', 'map'],
  ['id', 'key'],
  ['cron', 'schedule'],
  ['interval', 'schedule'],
  ['type', 'resource'],
  ['charset', 'encoding'],
  ['separator', 'delimiter'],
  ['path', 'url'],
  ['file', 'url'],
]);

function unknownKey(key: string, known: readonly string[]): string {
  const meant = otherNames.get(key);
  const hint = meant !== undefined && known.includes(meant) ? `; did you mean "${meant}"?` : didYouMean(key, known);
  return `is not a known key${hint || (known.length > 0 ? `; the known keys are ${known.join(', ')}` : '')}`;
}

function wording(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      // A schema may define its own message.
      return issue.message.startsWith('Invalid input') ? typeWording(issue) : issue.message;
    case 'invalid_value':
      // A schema may define its own message.
      if (!issue.message.startsWith('Invalid ')) return issue.message;
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array') return 'must not be empty';
      return `must be ${issue.inclusive ? 'at least' : 'more than'} ${issue.minimum}`;
    case 'too_big':
      return `must ${issue.origin === 'string' ? 'have a length of' : 'be'} at most ${issue.maximum}`;
    case 'invalid_union': {
      const alternatives = new Set(issue.errors.flat().map(wording));
      return alternatives.size > 0 ? [...alternatives].join(', or ') : issue.message;
    }
    default:
      return issue.message;
  }
}

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'a mapping of keys to values',
  record: 'a mapping of keys to values',
  array: 'a list',
};

function typeWording(issue: z.core.$ZodIssueInvalidType): string {
  return issue.message.endsWith('received undefined')
    ? 'is required'
    : `must be ${typeNames[issue.expected] ?? `of type ${issue.expected}`}`;
}

/** Writes a path as `source.url` or `key.normalize[1]`. */
export function pathName(path: Path): string {
  return path.reduce<string>((name, segment) => {
    if (typeof segment === 'number') return `${name}[${segment}]`;
    return name === '' ? String(segment) : `${name}.${String(segment)}`;
  }, '');
}
