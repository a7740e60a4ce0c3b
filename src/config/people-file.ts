import { z } from 'zod';
import { EVERYONE, type Person, roles } from '../core/access/person.ts';
import { sha256 } from '../core/hash.ts';
import { checkFile } from './check/report.ts';
import { type Issue, type Validated, validate } from './check/validate.ts';
import type { Variables } from './files/interpolate.ts';
import { ConfigError, type ConfigProblem } from './files/problems.ts';
import { readYamlFile } from './files/yaml-file.ts';
import { boolean, text } from './schema/scalars.ts';

const HASH = /^sha256:([0-9a-f]{64})$/i;
const LEAST_LENGTH = 16;

const person = z.strictObject({
  name: text.max(80),
  role: z.enum(roles),
  configure: boolean.optional(),
  token: z
    .string()
    .refine(
      (token) => HASH.test(token) || (token.length >= LEAST_LENGTH && !token.startsWith('sha256:')),
      `must have at least ${LEAST_LENGTH} characters, or be sha256: and 64 hex digits`,
    )
    .transform((token) => HASH.exec(token)?.[1]?.toLowerCase() ?? sha256(token))
    .optional(),
});

/**
 * Reads the file of the people and programs that have access to the console.
 * @throws ConfigError with all mistakes of the file
 */
export function loadPeople(file: string, env: Variables): Person[] {
  const problems: ConfigProblem[] = [];
  const people = checkFile(readYamlFile(file, env), checkPeople, problems);
  if (!people || problems.length > 0) throw new ConfigError(problems);
  return people;
}

function checkPeople(value: unknown): Validated<Person[]> {
  const { data, issues } = validate(z.array(person).min(1), value);
  if (!data) return { data, issues };
  const found = data.flatMap((each, place) => mistakesOf(each, data.slice(0, place), place));
  if (found.length > 0) return { data: undefined, issues: found };
  const people = data.map(({ token, configure, ...rest }) => ({
    ...rest,
    configure: configure || undefined,
    tokenHash: token,
  }));
  return { data: people, issues: [] };
}

/** @param before the people above this one in the file */
function mistakesOf(
  { name, token }: z.output<typeof person>,
  before: ReadonlyArray<z.output<typeof person>>,
  place: number,
): Issue[] {
  const issue = (key: 'name' | 'token', message: string): Issue => ({ path: [place, key], part: 'value', message });
  return [
    ...(before.some((other) => other.name === name) ? [issue('name', 'is in the file twice')] : []),
    ...(token !== undefined && name === EVERYONE ? [issue('token', 'must be absent: "*" has no token')] : []),
    ...(token !== undefined && before.some((other) => other.token === token)
      ? [issue('token', 'must be different for each name')]
      : []),
  ];
}
