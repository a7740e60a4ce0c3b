import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A bug that is planted in one file: text that occurs there once, and what replaces it. */
export interface Mutant {
  /** What goes wrong, as a few words with hyphens. */
  name: string;
  /** The rule that it breaks. */
  rule: string;
  /** Path from the root of the repository. */
  file: string;
  before: string;
  after: string;
}

/** The folder that the files of mutants are named from. */
export const root = fileURLToPath(new URL('../../', import.meta.url));

/** Environment variable that carries the mutant to the process in which it is planted, as JSON. */
export const mutantVariable = 'FEEDFERRY_MUTANT';

/** Reads the mutant to plant in this process, if any. */
export function mutantToPlant(): Mutant | undefined {
  const json = process.env[mutantVariable];
  return json ? JSON.parse(json) : undefined;
}

/** What a process writes to stderr once it has loaded the changed file. */
export function plantedLine({ name }: Mutant): string {
  return `Planted ${name}`;
}

/** Returns the source of a module with the mutant in it; undefined for any other file than the one that it changes. */
export function plantIn(path: string, source: string, mutant: Mutant): string | undefined {
  if (relative(root, path) !== mutant.file) return undefined;
  const planted = plant(source, mutant);
  console.error(plantedLine(mutant));
  return planted;
}

/** Returns the source with the mutant in it. @throws Error if its text does not occur exactly once. */
export function plant(source: string, { name, file, before, after }: Mutant): string {
  const times = source.split(before).length - 1;
  if (times === 1) return source.split(before).join(after);
  throw new Error(`Mutant ${name}: its text occurs ${times} times in ${file}, not once: ${before}`);
}

/** Names the file of several mutants. */
export function inFile(file: string, mutants: Array<Omit<Mutant, 'file'>>): Mutant[] {
  return mutants.map((mutant) => ({ ...mutant, file }));
}
