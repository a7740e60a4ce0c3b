import { kindOf, standardAttributes } from '../core/attributes.ts';
import type { FieldRule, SyncConfig } from '../core/config.ts';
import { CodedError } from '../core/errors.ts';
import { hashJson } from '../core/hash.ts';
import type { Attachment, Json, Mapped, SourceRecord, Warning } from '../core/record.ts';
import { accountPayload } from './account.ts';
import { compileAttachments } from './attachments.ts';
import { coercionsFor } from './coerce.ts';
import { eventPayload } from './event.ts';
import { compileKey } from './key.ts';
import { firstSegment } from './path.ts';
import { type CompiledRule, compileRule } from './rule.ts';
import { checkPayload } from './schemas.ts';
import { templateCompiler, templateFields } from './template.ts';
import type { Zones } from './time.ts';
import { outside, windowDays } from './window.ts';

/** What a mapping needs to know besides its sync. */
export interface MappingContext extends Zones {
  /** The connector's map: target → field. What the sync maps goes over it. */
  defaultMap?: Readonly<Record<string, string>>;
  /** Ms since 1970; tells the window, and `now` in templates. */
  now: () => number;
}

/**
 * Compiles the mapping of a sync. The result is pure and never throws for what a record holds: a record that does not fit
 * is `rejected` (FF_RECORD_…), an event wholly outside the window is `skipped`. The window stands as it is when compiled,
 * so compile once a run.
 * @throws CodedError FF_CONFIG_INVALID for a template that cannot be parsed.
 */
export function compileMapping(sync: SyncConfig, context: MappingContext): (source: SourceRecord) => Mapped {
  const rules = compileRules(sync, context);
  const readKey = compileKey(sync.key);
  const readAttachments = compileAttachments(sync.attachments, sync.source.url);
  const window = windowDays(sync.window, context.siteTimezone, context.now());

  return ({ at, fields }) => {
    const warnings: Warning[] = [];
    const warn = (message: string) => warnings.push({ at, message });
    let key: string | undefined;
    try {
      key = readKey(fields);
      const values = readValues(rules, fields, warn);
      const payload = sync.resource === 'events' ? eventPayload(values, warn) : accountPayload(values);
      checkPayload(sync.resource, payload);
      const reason = sync.resource === 'events' ? outside(window, payload) : undefined;
      if (reason) return { is: 'skipped', at, key, reason };
      const attachments = readAttachments(fields, warn);
      const hash = hashJson({ payload, attachments: attachments.map(toJson) });
      return { is: 'desired', record: { at, key, resource: sync.resource, payload, attachments, hash }, warnings };
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return { is: 'rejected', rejection: { at, code: error.code, reason: error.message, key, fields } };
    }
  };
}

/**
 * The fields of a source record that a sync reads for sure: where rules, key and attachments start. Attributes that map by
 * name are not among them, since a feed need not have them all.
 */
export function mappedFields(sync: SyncConfig, defaultMap?: Readonly<Record<string, string>>): Set<string> {
  const rules = Object.values(sync.map || defaultMap ? rulesOf(sync, defaultMap) : {});
  return new Set([
    ...[sync.key.field, ...Object.values(sync.attachments)].map(firstSegment),
    ...rules.flatMap(({ field, template }) => [
      ...(field === undefined ? [] : [firstSegment(field)]),
      ...(template === undefined ? [] : templateFields(template)),
    ]),
  ]);
}

/** The sync's map over the connector's; without either, attributes map by name. */
function rulesOf(sync: SyncConfig, defaultMap: MappingContext['defaultMap']): Record<string, FieldRule> {
  if (!sync.map && !defaultMap) {
    return Object.fromEntries(Object.keys(standardAttributes[sync.resource]).map((name) => [name, { field: name }]));
  }
  const defaults = Object.entries(defaultMap ?? {}).map(([attribute, field]) => [attribute, { field }]);
  return { ...Object.fromEntries(defaults), ...sync.map };
}

function compileRules(sync: SyncConfig, context: MappingContext): Array<[attribute: string, rule: CompiledRule]> {
  const compileTemplate = templateCompiler(context);
  const coercions = coercionsFor(context);
  return Object.entries(rulesOf(sync, context.defaultMap)).map(([attribute, rule]) => {
    const kind = kindOf(sync.resource, attribute);
    return [attribute, compileRule(rule, { attribute, kind, coercions, compileTemplate })];
  });
}

function readValues(
  rules: ReturnType<typeof compileRules>,
  fields: SourceRecord['fields'],
  warn: (message: string) => void,
): Record<string, Json> {
  const values: Record<string, Json> = {};
  for (const [attribute, rule] of rules) {
    const value = rule(fields, warn);
    if (value !== undefined) values[attribute] = value;
  }
  return values;
}

function toJson({ attribute, source }: Attachment): Json {
  return { attribute, source: { ...source } };
}
