import { resolve } from 'node:path';
import { z } from 'zod';
import type { Schedule } from '../../core/dates/schedule.ts';
import type { Resource } from '../../core/record.ts';
import { owner, syncAlerts } from './alerts-schema.ts';
import { changesKeys } from './changes-schema.ts';
import { condition } from './condition-schema.ts';
import { fileRule } from './file-schema.ts';
import { mergeKeys } from './merge-schema.ts';
import { missing } from './missing-schema.ts';
import { fieldRule } from './rule-schema.ts';
import { syncRules } from './rules-schema.ts';
import { cron, days, duration, isoDate, language, text, timezone } from './scalars.ts';
import { oneOrMore, rewritten } from './written.ts';

const normalization = z.enum(['trim', 'lower', 'nfc']);

/** Default normalization of keys. Keys of accounts ignore case, because they are mostly e-mail addresses. */
const defaultNormalization: Record<Resource, Array<z.output<typeof normalization>>> = {
  events: ['trim', 'nfc'],
  accounts: ['trim', 'lower', 'nfc'],
};

const keyRule = z.strictObject(
  { field: oneOrMore(text), normalize: z.array(normalization).optional() },
  {
    error: ({ code, input }) =>
      code === 'invalid_type' && input === undefined
        ? 'is required: the format has no key of its own. Name the field that identifies a record, such as `key: id`'
        : undefined,
  },
);
const key = rewritten(
  (value) => (typeof value === 'string' || Array.isArray(value) ? { field: value } : value),
  keyRule,
  z.union([text, z.array(text).min(1), keyRule]),
);

const syncName = text.regex(/^[\w.-]+$/, 'must be the name of a sync: that of its file, without the extension');

const window = z
  .strictObject({ past: days.optional(), future: days.optional(), from: isoDate.optional(), to: isoDate.optional() })
  .transform(({ past, future, ...fixed }, context) => {
    const { from, to } = fixed;
    const isRelative = past !== undefined || future !== undefined;
    const isFixed = from !== undefined || to !== undefined;
    if (isRelative === isFixed) context.addIssue('needs either past and future, or from and to');
    if (from !== undefined && to !== undefined && from > to) context.addIssue('must not have from after to');
    return {
      ...fixed,
      ...(past !== undefined && { pastDays: past }),
      ...(future !== undefined && { futureDays: future }),
    };
  });

const spanRule = z.strictObject({
  as: z.literal('span'),
  hours: z.enum(['separate', 'text']).default('separate'),
  language: language.default('en'),
});
const recurrence = rewritten(
  (value) => (typeof value === 'string' ? { as: value } : value),
  spanRule,
  z.union([z.literal('span'), spanRule]),
);

/** A cron schedule uses the site's zone by default. */
const schedule = (siteTimezone: string) =>
  z
    .strictObject(
      {
        cron: cron.optional(),
        timezone: timezone.optional(),
        every: duration.optional(),
        jitter: duration.optional(),
      },
      { error: ({ code, input }) => (code === 'invalid_type' ? scheduleHint(input) : undefined) },
    )
    .transform((value, context): Schedule => {
      if ((value.cron === undefined) === (value.every === undefined)) {
        context.addIssue('needs either cron or every, for example { every: 15m }');
      } else if (value.every !== undefined && value.timezone !== undefined) {
        context.addIssue('has a timezone, which is only allowed with cron');
      }
      return value.cron === undefined
        ? { everyMs: value.every ?? 0, jitterMs: value.jitter }
        : { cron: value.cron, timezone: value.timezone ?? siteTimezone, jitterMs: value.jitter };
    });

const usualSchedules = new Map([
  ['hourly', '{ every: 1h }'],
  ['daily', '{ every: 1d }'],
  ['weekly', '{ cron: "0 6 * * 1" }'],
]);

function scheduleHint(input: unknown): string {
  const text = String(input);
  const meant = cron.safeParse(text).success
    ? `{ cron: "${text}" }`
    : (usualSchedules.get(text.toLowerCase()) ?? `{ every: ${duration.safeParse(text).success ? text : '15m'} }`);
  return `must be a mapping; write schedule: ${meant}`;
}

/** The keys of a sync file, except the keys of `source`; paths are relative to the folder of the file. */
export const syncKeys = (folder: string, siteTimezone: string) =>
  z.strictObject({
    resource: z.enum(['events', 'accounts']).describe('`events` or `accounts`'),
    instance: text.optional().describe('events: instance key of the calendar app, if the site has several'),
    renamedFrom: oneOrMore(syncName)
      .optional()
      .describe(
        'the previous name of this sync (or all of them), whose records it takes over ([adopting.md](adopting.md#a-renamed-sync))',
      ),
    source: z.unknown().optional().meta({ description: 'the feed, see below', absent: 'required, or `sources`' }),
    sources: z
      .unknown()
      .optional()
      .describe(
        'events: several feeds in place of `source`, best first: name → the keys of `source`, and optionally `key`, `map`, `when`, `attachments`, `attachmentsDir`, `window`, `missing`, `renamedFrom` and `owner` of this feed ([several-sources.md](several-sources.md))',
      ),
    merge: mergeKeys.optional().meta({
      description: 'with `sources`: how records of several feeds become one event, see below',
      absent: 'see below',
    }),
    key: key.meta({
      description:
        'identifies a record: a field, a list of fields that do so together, or `{ field, normalize: [trim, lower, nfc] }`',
      absent: "the format's key, see [its section](#source); required for `csv` and `json`",
    }),
    when: condition.optional().meta({
      description: 'which records are published ([mapping.md](mapping.md)); the others are skipped',
      absent: 'all',
    }),
    map: z
      .record(z.string(), fieldRule(folder))
      .optional()
      .meta({ description: 'attribute → source of its value ([mapping.md](mapping.md))', absent: 'by name' }),
    attachments: z.record(z.string(), fileRule(folder)).default({}).meta({
      description:
        'events: attribute → field with a URL, a path or inline data, or `{ field, default, alt }` ([below](#attachments))',
      absent: 'none',
    }),
    attachmentsDir: text
      .transform((path) => resolve(folder, path))
      .optional()
      .meta({
        description: 'events: the folder that local files are taken from; paths in the feed are relative to it',
        absent: "the feed's folder",
      }),
    rules: syncRules.optional().meta({
      description:
        'attribute → what its value must be, or a list of such rules ([mapping.md](mapping.md#rules-for-values))',
      absent: 'none',
    }),
    timeTypes: z
      .strictObject({ allDay: text.optional(), startOnly: text.optional(), startEnd: text.optional() })
      .optional()
      .meta({
        description: 'events: the values of `time.type` on this site: `{ allDay, startOnly, startEnd }`',
        absent: '`timed`',
      }),
    onAttachmentError: z
      .enum(['publish', 'hold'])
      .default('publish')
      .describe('`publish` the event without the file, or `hold` it'),
    onDeletedInCms: z
      .enum(['leave', 'recreate'])
      .default('leave')
      .describe('items deleted in the CMS: `leave` them deleted, or `recreate` them'),
    authority: z
      .record(z.string(), z.enum(['source', 'initial', 'editor']))
      .optional()
      .meta({
        description: 'attribute → who may change it after the create ([field-ownership.md](field-ownership.md))',
        absent: '`source`',
      }),
    adopt: z
      .strictObject({ match: z.array(text).min(1).describe('attributes that together identify an item') })
      .optional()
      .describe('recognises existing items of the CMS: `{ match: [email] }`, `{ match: [title, date] }`'),
    alike: z.enum(['hold', 'allow']).optional().meta({
      description:
        'new records that look like items of other syncs or editors: `hold` them, or `allow` them ([adopting.md](adopting.md#records-that-look-like-other-items))',
      absent: '`hold`',
    }),
    review: z.enum(['new']).optional().meta({
      description:
        '`new`: a new record waits until a person has published it ([missing.md](missing.md#review-of-new-records)); changes do not wait',
      absent: 'nothing waits',
    }),
    recurrence: recurrence.optional().meta({
      description:
        'events: `span` publishes days that are equal but for the day as one event, see [below](#days-as-one-event); or `{ as: span, hours: text, language: de }`',
      absent: 'each day is an event',
    }),
    window: window.optional().meta({
      description:
        'events: `{ past: 30d, future: 365d }`, or `{ from: 2026-01-01, to: 2026-12-31 }`; either end is optional',
      absent: 'all',
    }),
    schedule: schedule(siteTimezone)
      .optional()
      .describe(
        '`{ cron: "*/15 * * * *", timezone }` (the site\'s zone by default), or `{ every: 15m }`; `jitter: 30s` delays each run randomly by up to 30 s ([schedules.md](schedules.md))',
      ),
    verify: z
      .strictObject({ every: duration })
      .transform(({ every }) => ({ everyMs: every }))
      .optional()
      .meta({
        description:
          '`{ every: 1d }`: how often `start` compares the CMS with what was delivered ([verify.md](verify.md))',
        absent: 'never',
      }),
    alerts: syncAlerts.optional().meta({
      description:
        'alerts of this sync ([alerts.md](alerts.md)): `false`, or `{ on: [failed, stale], staleAfter: 6h, email: { to: [web@example.edu] } }`',
      absent: 'as in feedferry.yaml',
    }),
    owner: owner.optional().meta({
      description: 'who keeps the feed, and hears what is wrong with it ([alerts.md](alerts.md#owners)): see below',
      absent: 'nobody',
    }),
    changes: changesKeys.optional().meta({
      description:
        'limits for changes of published records: a run that exceeds one is held for approval ([missing.md](missing.md#limits-for-changes))',
      absent: 'see there',
    }),
    missing: missing.default({ policy: 'keep' }).meta({
      description: 'what happens to records that are missing from the feed ([missing.md](missing.md))',
      absent: '`{ policy: keep }`',
    }),
  });

/** The keys of a sync that each of its sources may have. */
export const ownKeys: readonly string[] = [
  'key',
  'map',
  'when',
  'attachments',
  'attachmentsDir',
  'window',
  'missing',
  'renamedFrom',
  'owner',
];

/** A sync file without its sources. A generated password does not depend on the record, so it is not a rule of `map`. */
export const syncFile = (folder: string, siteTimezone: string) =>
  syncKeys(folder, siteTimezone).transform(({ key: { field, normalize }, map, source, sources, ...rest }) => ({
    ...rest,
    key: { fields: field, normalize: normalize ?? defaultNormalization[rest.resource] },
    ...(map && { map: withoutGenerated(map) }),
    ...(map?.password?.generate && { generatePassword: true }),
  }));

function withoutGenerated<Rule extends { generate?: true }>(map: Record<string, Rule>) {
  return Object.fromEntries(Object.entries(map).filter(([, { generate }]) => !generate));
}

/** Whether a sync file has a key of this name beside its attributes. */
export function isSyncKey(name: string): boolean {
  return Object.hasOwn(syncFile('', 'UTC').in.shape, name);
}
