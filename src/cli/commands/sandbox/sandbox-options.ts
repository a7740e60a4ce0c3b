import { type Command, Option } from 'commander';
import { z } from 'zod';
import { CodedError } from '../../../core/errors.ts';
import { type Fault, faultPlanSchema, faultSchema } from '../../../sandbox/faults.ts';
import { placeSchema, type SandboxOptions, switchesSchema } from '../../../sandbox/options.ts';

type Shape = Record<string, z.ZodType>;

const schemas: Shape = { ...placeSchema.shape, ...switchesSchema.shape };
const seedSchemas = { seed: faultPlanSchema.shape.seed };

/** Adds what the sandbox's own schemas know: an option for each of their entries, `lastPage` as `--last-page`. */
export function addSandboxOptions(command: Command): Command {
  for (const [name, schema] of Object.entries(schemas)) command.addOption(optionFor(name, schema));
  return command
    .option('--fault <text>', 'a fault from the start, such as "error rate=0.1 when=after"; may be repeated', collect)
    .option('--seed <n>', 'seed of the faults’ dice (default: 1)');
}

/**
 * The sandbox's options as they were given on the command line; what was not given is absent.
 * @throws CodedError FF_USAGE that names the option and its value
 */
export function readSandboxOptions(given: Record<string, unknown>): SandboxOptions {
  const faults = (given.fault ?? []) as string[];
  return {
    ...readAll<SandboxOptions>(placeSchema.shape, given),
    switches: readAll<NonNullable<SandboxOptions['switches']>>(switchesSchema.shape, given),
    faults: { faults: faults.map(readFault), ...readAll<{ seed?: number }>(seedSchemas, given) },
  };
}

function optionFor(name: string, schema: z.ZodType): Option {
  const { type, default: usual } = z.toJSONSchema(schema, { io: 'input' });
  const value = type === 'boolean' ? '' : ` <${placeholder(schema)}>`;
  const isDefault = type !== 'boolean' && !Array.isArray(usual);
  return new Option(`${flag(name)}${value}`, `${schema.description}${isDefault ? ` (default: ${usual})` : ''}`);
}

function readAll<Options>(shape: Shape, given: Record<string, unknown>): Options {
  const entries = Object.entries(shape).filter(([name]) => given[name] !== undefined);
  return Object.fromEntries(entries.map(([name, schema]) => [name, read(name, schema, given[name])])) as Options;
}

/** What a text on the command line stands for: the first of text, number and list that the schema takes. */
function read(name: string, schema: z.ZodType, given: unknown): unknown {
  const readings = typeof given === 'string' ? [given, toNumber(given), given.split(',')] : [given];
  const fitting = readings.map((reading) => schema.safeParse(reading)).find(({ success }) => success);
  if (fitting) return fitting.data;
  throw new CodedError('FF_USAGE', `${flag(name)} is "${given}", which is not ${expectation(name, schema)}.`, {
    remedy: 'See `feedferry sandbox --help`.',
  });
}

/** `error rate=0.1 method=POST` → { kind: 'error', rate: 0.1, method: 'POST' } */
function readFault(text: string): Fault {
  const [kind, ...settings] = text.trim().split(/\s+/);
  const pairs = settings.map((setting): [string, unknown] => {
    const [name = '', ...value] = setting.split('=');
    return [name, numberOrText(value.join('='))];
  });
  const parsed = faultSchema.safeParse({ kind, ...Object.fromEntries(pairs) });
  if (parsed.success) return parsed.data;
  const problems = parsed.error.issues.map(({ path, message }) => [...path, message].join(': '));
  throw new CodedError('FF_USAGE', `--fault is "${text}": ${problems.join('; ')}.`, {
    remedy: 'docs/sandbox.md lists the kinds of faults and their settings.',
  });
}

function collect(text: string, before: string[] = []): string[] {
  return [...before, text];
}

function expectation(name: string, schema: z.ZodType): string {
  if (name === 'timezone') return 'an IANA time zone';
  const { type, minimum, maximum } = z.toJSONSchema(schema, { io: 'input' });
  if (type === 'array') return `a list of ${placeholder(schema)}`;
  if (type !== 'integer') return `one of ${placeholder(schema)}`;
  const most = maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : ` to ${maximum}`;
  return `a whole number${minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : ` from ${minimum}`}${most}`;
}

/** What may be given: "omit|empty|error", "200|201", "username|email,…", "n" or "text". */
function placeholder(schema: z.ZodType): string {
  const { type, enum: names, anyOf, items } = z.toJSONSchema(schema, { io: 'input' });
  if (type === 'integer') return 'n';
  if (names) return names.join('|');
  if (anyOf) return anyOf.map((one) => (typeof one === 'object' ? one.const : '')).join('|');
  if (type !== 'array') return 'text';
  const item = typeof items === 'object' && 'enum' in items && items.enum ? items.enum.join('|') : 'key';
  return `${item},…`;
}

function flag(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

function toNumber(text: string): number {
  return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
}

function numberOrText(text: string): number | string {
  const number = toNumber(text);
  return Number.isNaN(number) ? text : number;
}
