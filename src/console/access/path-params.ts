import { z } from 'zod';

type NameIn<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Name | NameIn<`/${Rest}`>
  : Path extends `${string}:${infer Name}`
    ? Name
    : never;

/** The parameters in an address, by their names in its pattern, such as "/runs/:run". */
export type PathParams<Path extends string> = { [name in NameIn<Path>]: string };

/** Returns the schema of the parameters in an address. */
export function pathParams(pattern: string) {
  const names = [...pattern.matchAll(/:(\w+)/g)].map(([, name = '']) => name);
  return z.object(Object.fromEntries(names.map((name) => [name, z.string().min(1)])));
}
