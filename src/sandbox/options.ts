import { z } from 'zod';
import { CodedError } from '../core/errors.ts';
import { faultPlanSchema } from './faults.ts';

/** Behaviours that the API description leaves open; docs/sandbox.md tells each. The defaults are what most sites do. */
const switchesSchema = z.strictObject({
  /** `omit`: no next on the last page, an empty set beyond it; `empty`: next leads to an empty set; `error`: 404 beyond. */
  lastPage: z.enum(['omit', 'empty', 'error']).default('omit'),
  /** `filters`: links repeat the request's other parameters; `bare`: page and limit alone. */
  links: z.enum(['filters', 'bare']).default('filters'),
  /** Larger limits are lowered to this. */
  maxLimit: z.int().min(1).max(100_000).default(100),
  attributesFilter: z.enum(['on', 'ignored']).default('on'),
  search: z.enum(['on', 'ignored']).default('on'),
  /** `overlaps`: an event counts on each of its days; `starts`: on its first day alone. */
  dateFilter: z.enum(['overlaps', 'starts']).default('overlaps'),
  /** How an attribute without a value is answered. */
  cleared: z.enum(['null', 'empty', 'omit']).default('null'),
  /** `merge`: PATCH of `time` keeps the parts not sent; `replace`: they are cleared. */
  patchTime: z.enum(['merge', 'replace']).default('merge'),
  /** Ids and counts as strings, as some gateways turn them. */
  numbersAsStrings: z.boolean().default(false),
  uploadStatus: z.union([z.literal(200), z.literal(201)]).default(201),
  /** Status where the Accept or User-Agent header is missing or wrong. */
  missingHeader: z.union([z.literal(400), z.literal(403), z.literal(406)]).default(400),
  /** Instance keys of the calendar app. Empty: any key opens an instance of its own. */
  instances: z.array(z.string().min(1)).default([]),
  /** Account attributes in which no two accounts may be equal; a second one is a 422. */
  uniqueAccounts: z.array(z.enum(['username', 'email'])).default([]),
  /** JSON bodies, in bytes. */
  maxBodyBytes: z.int().min(1024).default(1_048_576),
  /** Uploaded files, in bytes. */
  maxUploadBytes: z.int().min(1024).default(10_485_760),
});

const optionsSchema = z.object({
  port: z.int().min(0).max(65_535).default(0),
  host: z.string().min(1).default('127.0.0.1'),
  token: z.string().min(1).optional(),
  dataDir: z.string().min(1).optional(),
  memory: z.boolean().optional(),
  timezone: z.string().refine(isTimeZone, 'is not an IANA time zone').default('UTC'),
  switches: switchesSchema.prefault({}),
  faults: faultPlanSchema.optional(),
});

/** The behaviours in force, all set. */
export type SandboxSwitches = z.output<typeof switchesSchema>;

/** How a sandbox is started. Everything may be left out: then it keeps its data in memory, on a free loopback port. */
export interface SandboxOptions extends z.input<typeof optionsSchema> {
  /** The present in epoch ms, for `isToday` and `isPastEvent`; default: the clock. */
  now?: () => number;
  /** Told of errors that a client only sees as a bare 500. */
  onError?: (error: unknown) => void;
}

/**
 * Options with their defaults.
 * @throws CodedError FF_SANDBOX_PORT for a port out of range, FF_USAGE for anything else that does not fit.
 */
export function parseOptions(options: SandboxOptions): z.output<typeof optionsSchema> {
  const parsed = optionsSchema.safeParse(options);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const place = issue?.path.join('.') ?? '';
  const code = place === 'port' ? 'FF_SANDBOX_PORT' : 'FF_USAGE';
  throw new CodedError(code, `Sandbox option ${place}: ${issue?.message ?? 'is not valid'}.`);
}

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
