import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../core/errors.ts';
import { isObject, type Json, type Payload, type Resource } from '../../core/record.ts';
import { ApiError } from '../http/errors.ts';
import type { Store } from '../store/store.ts';
import { fileAttribute, type SandboxUploads } from '../store/upload-store.ts';
import type { FixtureFile, LoadedFixtures } from './state-types.ts';

/** A part of fixtures that does not fit, and why. */
export interface FixtureProblem {
  path: PropertyKey[];
  message: string;
}

/** Fixtures that were not loaded, because some of them do not fit. */
export class FixtureProblems extends Error {
  override name = 'FixtureProblems';
  readonly problems: FixtureProblem[];

  constructor(problems: FixtureProblem[]) {
    super(problems.map(shownProblem).join('\n'));
    this.problems = problems;
  }
}

/** Returns a problem as people read it: "events.arts[2].date: must be a date". */
export function shownProblem({ path, message }: FixtureProblem): string {
  const place = path.map((key) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return place === '' ? message : `${place.replace(/^\./, '')}: ${message}`;
}

const items = z.array(z.record(z.string(), z.json()));
const file = z.strictObject({
  attribute: z.string().regex(fileAttribute, 'is not the layout key of an attribute'),
  path: z.string().min(1).optional(),
  content: z.base64().optional(),
});
const fixturesSchema = z.strictObject({
  events: z
    .preprocess((value) => (Array.isArray(value) ? { '': value } : value), z.record(z.string(), items))
    .prefault([]),
  accounts: items.default([]),
  files: z.record(z.string().min(1), file).default({}),
});

/** Functions that create items and keep files, as requests do. */
export interface FixtureParts {
  store: Store;
  uploads: SandboxUploads;
  /** Returns the id. @throws ApiError */
  create(resource: Resource, body: Payload, instance: string): number;
  /** Returns the instance for a key. @throws ApiError */
  instanceOf(key: string): string;
  /** Returns the path for clients. @throws ApiError */
  upload(attribute: string, file: { name: string; content: Buffer }): Promise<string>;
}

interface LoadOptions {
  /** Folder to which paths of files are relative; without it, files must have their content. */
  folder?: string | undefined;
  /** Whether to remove all other items and files. */
  replace?: boolean;
}

/** Creates the items and files of fixtures: either all of them, or none if one does not fit. @throws FixtureProblems */
export async function loadFixtures(parts: FixtureParts, given: unknown, options: LoadOptions): Promise<LoadedFixtures> {
  const { store, uploads } = parts;
  const fixtures = parse(given);
  const isList = isObject(given) && Array.isArray(given.events);
  const problems: FixtureProblem[] = [];
  const files = await keepFiles(parts, fixtures.files, options, problems);
  const srcs = new Map(Object.entries(files));

  const loaded = store.transaction(() => {
    if (options.replace) for (const table of [store.events, store.accounts]) table.replaceAll([], 1);
    const ids: LoadedFixtures = {
      events: [],
      accounts: create('accounts', fixtures.accounts, '', ['accounts']),
      files,
    };
    for (const [key, bodies] of Object.entries(fixtures.events)) {
      const place = isList ? ['events'] : ['events', key];
      const instance = attempt(place, () => parts.instanceOf(key));
      if (instance !== undefined) ids.events.push(...create('events', bodies, instance, place));
    }
    if (problems.length > 0) throw new FixtureProblems(problems);
    return ids;
  });
  if (options.replace) uploads.removeOthers(new Set(Object.values(files)));
  return loaded;

  function create(resource: Resource, bodies: Payload[], instance: string, place: PropertyKey[]): number[] {
    return bodies.flatMap((body, at) => {
      const id = attempt([...place, at], () => parts.create(resource, withSources(body, srcs), instance));
      return id ?? [];
    });
  }

  /** Records an error for which a request would be refused. */
  function attempt<Result>(place: PropertyKey[], work: () => Result): Result | undefined {
    try {
      return work();
    } catch (error) {
      problems.push(...problemsOf(error, place));
      return undefined;
    }
  }
}

function parse(given: unknown): z.output<typeof fixturesSchema> {
  const parsed = fixturesSchema.safeParse(given);
  if (parsed.success) return parsed.data;
  const isList = isObject(given) && Array.isArray(given.events);
  const problems = parsed.error.issues.map(({ path, message }) => ({
    path: isList && path[0] === 'events' ? path.toSpliced(1, 1) : path,
    message,
  }));
  throw new FixtureProblems(problems);
}

/** Keeps the files and returns their paths for clients. */
async function keepFiles(
  { upload }: FixtureParts,
  files: Record<string, FixtureFile>,
  { folder }: LoadOptions,
  problems: FixtureProblem[],
): Promise<Record<string, string>> {
  const kept: Array<[name: string, src: string]> = [];
  for (const [name, file] of Object.entries(files)) {
    try {
      const content = contentOf(name, file, folder);
      kept.push([name, await upload(file.attribute, { name, content })]);
    } catch (error) {
      problems.push(...problemsOf(error, ['files', name]));
    }
  }
  return Object.fromEntries(kept);
}

function contentOf(name: string, { path = name, content }: FixtureFile, folder: string | undefined): Buffer {
  if (content !== undefined) return Buffer.from(content, 'base64');
  if (folder === undefined) throw new ApiError(422, 'content: is required: a request cannot name files by path');
  try {
    return readFileSync(resolve(folder, path));
  } catch (error) {
    throw new ApiError(422, `path: cannot be read: ${messageOf(error)}`);
  }
}

/** Replaces the names of uploaded files by their paths. */
function withSources(body: Payload, srcs: Map<string, string>): Payload {
  const entries = Object.entries(body).map(([key, value]): [string, Json] => {
    const source = isObject(value) ? value : {};
    const name = typeof source.src === 'string' ? /^fixture:(.*)$/s.exec(source.src)?.[1] : undefined;
    if (name === undefined) return [key, value];
    const src = srcs.get(name);
    if (src === undefined) throw new ApiError(422, `${key}: there is no file ${name} under files`);
    return [key, { ...source, src }];
  });
  return Object.fromEntries(entries);
}

/** The details of an error begin with the key of the attribute: "time.start: must be a time". */
export function problemsOf(error: unknown, place: PropertyKey[]): FixtureProblem[] {
  if (!(error instanceof ApiError)) throw error;
  return error.details.map((detail) => {
    const [, keys, message = detail] = /^([\w.-]+): (.*)$/s.exec(detail) ?? [];
    return { path: [...place, ...(keys?.split('.') ?? [])], message };
  });
}
