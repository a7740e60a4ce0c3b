import { Cron } from 'croner';
import { z } from 'zod';
import { isIsoDate } from '../../core/dates/iso-date.ts';
import { isTimeZone } from '../../core/dates/time-zone.ts';
import { messageOf } from '../../core/errors.ts';
import { oneOrMore, rewritten } from './written.ts';
import { zoneHint } from './zone-hint.ts';

/** Converts a text that looks like a number or boolean, because variables of the environment are always texts. */
const fromText = (value: unknown): unknown => {
  if (typeof value !== 'string') return value;
  if (/^-?\d+(\.\d+)?$/.test(value)) return Number(value);
  return value === 'true' ? true : value === 'false' ? false : value;
};

const variable = z.string().regex(/\$\{[^}]+\}/);

export const number = (check: z.ZodNumber) => rewritten(fromText, check, z.union([check, variable]));
export const boolean = rewritten(fromText, z.boolean(), z.union([z.boolean(), variable]));
export const text = z.string().min(1, { abort: true });
/** A value that YAML can spell without quotes. */
export const plainValue = z.union([z.string(), z.number(), z.boolean()]);
/** One or more values as text. */
export const words = oneOrMore(plainValue.transform(String));

/** A string whose message also covers values of other types; for a number, the message suggests the units. */
const textThat = (message: string, units: string[]) =>
  z.string({
    error: ({ input }) => {
      if (input === undefined) return undefined;
      return typeof input === 'number'
        ? `needs a unit; write ${units.map((unit) => `${input}${unit}`).join(' or ')}`
        : message;
    },
  });

const unitMs = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const durationPattern = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/;
const durationMessage = 'must be a duration with its unit, such as 500ms, 30s, 15m, 2h or 1d';
/** The longest timer of Node.js. */
const maxTimerMs = 2 ** 31 - 1;

/** A duration with its unit ('500ms', '30s', '15m', '2h', '1d') → ms; more than zero, at most 24 days. */
export const duration = textThat(durationMessage, ['s', 'm', 'h']).transform((value, context) => {
  const [, amount, unit] = durationPattern.exec(value) ?? [];
  const ms = Math.round(Number(amount) * unitMs[(unit ?? 'ms') as keyof typeof unitMs]);
  if (ms > 0 && ms <= maxTimerMs) return ms;
  context.addIssue(ms > maxTimerMs ? 'must be at most 24d' : durationMessage);
  return z.NEVER;
});

const daysMessage = 'must be a number of days, such as 30d';

/** A duration in whole days ('30d') → days. */
export const days = textThat(daysMessage, ['d'])
  .regex(/^\d{1,5}d$/, daysMessage)
  .transform((value) => Number(value.slice(0, -1)));

export const language = z
  .string()
  .refine((value) => succeeds(() => Intl.getCanonicalLocales(value)), 'must be a language, such as en or de-AT');

/** An ISO 8601 calendar date, YYYY-MM-DD. */
export const isoDate = z.string().refine(isIsoDate, 'must be an existing date, such as 2026-03-01');

/** An IANA time zone name. */
export const timezone = z.string().superRefine((value, context) => {
  if (!isTimeZone(value)) context.addIssue(`must be an IANA time zone${zoneHint(value)}`);
});

/** A cron expression of five fields (or six, with seconds first) that matches at least one time. */
export const cron = z.string().superRefine((value, context) => {
  const parse = () => new Cron(value, { paused: true, mode: '5-or-6-parts', timezone: 'UTC' });
  const mistake = mistakeIn(parse);
  if (mistake) context.addIssue(`must be a cron expression (${mistake.replace(/^CronPattern: /, '')})`);
  else if (!parse().nextRun()) context.addIssue('never matches any time');
});

/** Schema of a text that `compile` accepts. */
export function compiled(kind: string, compile: (value: string) => unknown) {
  return z.string().superRefine((value, context) => {
    const mistake = mistakeIn(() => compile(value));
    if (mistake) context.addIssue(`is not a valid ${kind} (${mistake.replace(/, line:1, col:\d+$/, '')})`);
  });
}

/** Returns whether the function throws no error. */
export function succeeds(attempt: () => unknown): boolean {
  return mistakeIn(attempt) === undefined;
}

/** Returns the message of the error that the function throws; undefined if it throws none. */
export function mistakeIn(attempt: () => unknown): string | undefined {
  try {
    attempt();
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}
