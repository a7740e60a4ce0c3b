import { type Command, Option } from 'commander';
import { z } from 'zod';
import { CodedError } from '../../../core/errors.ts';
import { placeSchema, type SandboxOptions, switchesSchema } from '../../../sandbox/options.ts';

type Shape = Record<string, z.ZodType>;

const schemas: Shape = { ...placeSchema.shape, ...switchesSchema.shape };

/** Adds an option for each entry of the sandbox's schemas, `lastPage` as `--last-page`. */
export function addSandboxOptions(command: Command): Command {
  for (const [name, schema] of Object.entries(schemas)) command.addOption(optionFor(name, schema));
  return command;
}

/**
 * Reads the sandbox's options from the command line; options that were not given are absent.
 * @throws CodedError FF_USAGE that names the option and its value
 */
export function readSandboxOptions(given: Record<string, unknown>): SandboxOptions {
  return {
    ...readAll<SandboxOptions>(placeSchema.shape, given),
    switches: readAll<NonNullable<SandboxOptions['switches']>>(switchesSchema.shape, given),
  };
}

function optionFor(name: string, schema: z.ZodType): Option {
  const { type, default: usual } = z.toJSONSchema(schema, { io: 'input' });
  const value = type === 'boolean' ? '' : ` <${placeholder(schema)}>`;
  const isDefault = type !== 'boolean' && !Array.isArray(usual);
  const shown = name === 'port' ? 'as before, else 8080, else any free port' : usual;
  return new Option(`${flag(name)}${value}`, `${schema.description}${isDefault ? ` (default: ${shown})` : ''}`);
}

function readAll<Options>(shape: Shape, given: Record<string, unknown>): Options {
  const entries = Object.entries(shape).filter(([name]) => given[name] !== undefined);
  return Object.fromEntries(entries.map(([name, schema]) => [name, read(name, schema, given[name])])) as Options;
}

/** Reads a value of the command line as a text, a number or a list, whichever the schema accepts first. */
function read(name: string, schema: z.ZodType, given: unknown): unknown {
  const readings = typeof given === 'string' ? [given, numberOrText(given), given.split(',')] : [given];
  const fitting = readings.map((reading) => schema.safeParse(reading)).find(({ success }) => success);
  if (fitting) return fitting.data;
  throw new CodedError('FF_USAGE', `${flag(name)} must be ${expectation(name, schema)}, not "${given}".`, {
    remedy: 'See `feedferry sandbox --help`.',
  });
}

function expectation(name: string, schema: z.ZodType): string {
  if (name === 'timezone') return 'an IANA time zone';
  const { type, minimum, maximum } = z.toJSONSchema(schema, { io: 'input' });
  if (type === 'array') return `a list of ${placeholder(schema)}`;
  if (type !== 'integer') return `one of ${placeholder(schema)}`;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return `a whole number${minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`}${most}`;
}

/** Names the possible values: "omit|empty|error", "200|201", "username|email,…", "n" or "text". */
function placeholder(schema: z.ZodType): string {
  const { type, enum: names, items } = z.toJSONSchema(schema, { io: 'input' });
  if (type === 'integer') return 'n';
  if (names) return names.join('|');
  if (type !== 'array') return 'text';
  const item = typeof items === 'object' && 'enum' in items && items.enum ? items.enum.join('|') : 'key';
  return `${item},…`;
}

function flag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function numberOrText(text: string): number | string {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
}
