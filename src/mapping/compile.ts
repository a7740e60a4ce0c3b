import type { FieldRule, SyncConfig } from '../config/types.ts';
import { type AttributeKind, kindOf } from '../core/attributes.ts';
import { type DayRange, dateAt } from '../core/dates/iso-date.ts';
import { CodedError } from '../core/errors.ts';
import type { Json, Mapped, Payload, SourceRecord, Warning } from '../core/record.ts';
import { compileAttachments } from './attachments.ts';
import { coercionsFor, type Warn } from './coerce.ts';
import { compileCondition } from './condition.ts';
import { rulesOf } from './field-usage.ts';
import type { HtmlContext } from './html.ts';
import { compileRules, withBrokenRules } from './judge-rules.ts';
import { compileKey } from './key.ts';
import { compileMapFunction } from './map-function.ts';
import type { Fields } from './path.ts';
import { accountPayload, eventPayload } from './payload.ts';
import { compileRule } from './rule.ts';
import { checkPayload } from './schemas.ts';
import { templateCompiler } from './template.ts';
import type { Zones } from './time.ts';
import { outside, windowDays } from './window.ts';

/** The context of a mapping. */
export interface MappingContext extends Zones, HtmlContext {
  /** The connector's map: attribute → field. The sync's map overrides it. */
  defaultMap?: Readonly<Record<string, string>>;
  /** The connector's captions: field with a picture → field with its caption. */
  captions?: Readonly<Record<string, string>>;
  /** Ms since 1970, for the window and for `now` in templates. */
  now: () => number;
}

/** Maps a record. */
export type Mapping = (source: SourceRecord) => Mapped;

/**
 * Compiles the mapping of a sync. The mapping is pure and does not throw for any record: a record that does not fit is
 * `rejected` (FF_RECORD_…); a record that `when` excludes, or an event entirely outside the window, is `skipped`. The window
 * is fixed when the mapping is compiled, so compile it once a run.
 * @throws CodedError FF_CONFIG_INVALID for a template that cannot be parsed
 */
export function compileMapping(sync: SyncConfig, context: MappingContext): Mapping {
  const readKey = compileKey(sync.key);
  const skipReason = compileCondition(sync.when);
  const liveReason = sync.source.deleted && compileCondition(sync.source.deleted);
  const compileText = ruleCompiler(context);
  const readValues = compileValues(sync, context, compileText);
  const readAttachments = compileAttachments(sync, {
    captions: context.captions,
    compileText: (rule, attribute) => compileText(rule, attribute, 'string'),
  });
  const judgeRules = compileRules(sync.rules);
  const today = () => dateAt(context.now(), context.siteTimezone);
  const window = windowDays(sync.window, context.siteTimezone, context.now());
  const usual = windowDays({ pastDays: FAR, futureDays: FAR }, context.siteTimezone, context.now());
  const { resource } = sync;

  return ({ at, fields, occurrence }) => {
    const warnings: Warning[] = [];
    const warn: Warn = (message, kind, value) =>
      warnings.push({ at, message, ...(kind !== undefined && { kind }), ...(value !== undefined && { value }) });
    let key: string | undefined;
    return unlessRejected(() => {
      const recordKey = readKey(fields);
      key = recordKey;
      // Checked before `when`: a record that has left must not be mistaken for a record that is not published yet.
      if (liveReason && liveReason(fields) === undefined) {
        return { is: 'skipped', at, key, reason: 'the source has deleted it (source.deleted)', deleted: true };
      }
      const reason = skipReason(fields);
      if (reason) return { is: 'skipped', at, key, reason };
      const { password, values } = withoutPassword(readValues(fields, warn), resource);
      const payload = resource === 'events' ? eventPayload(values, warn, sync.timeTypes) : accountPayload(values);
      checkPayload(resource, payload);
      const beyond = resource === 'events' ? outside(window, payload) : undefined;
      const desired = (): Mapped => {
        if (resource === 'events') warnOfFarDays(payload, usual, warn);
        const attachments = readAttachments(fields, warn);
        const broken = judgeRules({ resource, payload, attachments }, today);
        const record = {
          ...{ at, key: recordKey, resource, payload, attachments },
          ...(occurrence && { occurrence: occurrence() }),
          ...(password && { password }),
        };
        const mapped = withBrokenRules({ is: 'desired', record, warnings }, broken);
        return mapped.is === 'rejected' ? { ...mapped, rejection: { ...mapped.rejection, fields } } : mapped;
      };
      if (beyond === undefined) return desired();
      return { is: 'skipped', at, key, reason: beyond, beyond: { payload, map: () => unlessRejected(desired) } };
    });

    function unlessRejected(map: () => Mapped): Mapped {
      try {
        return map();
      } catch (error) {
        if (!(error instanceof CodedError)) throw error;
        return { is: 'rejected', rejection: { at, code: error.code, reason: error.message, key, fields } };
      }
    }
  };
}

/** Days from which on a day may have a wrong year: about 20 years. */
const FAR = 7305;

function warnOfFarDays({ date, endDate }: Payload, usual: DayRange, warn: Warn): void {
  const far = [date, endDate].find((day) => outside(usual, { date: day ?? null, endDate: day ?? null }));
  if (far === undefined) return;
  const year = Number(String(far).slice(0, 4));
  const isThai = !outside(usual, { date: `${year - 543}-06-30`, endDate: `${year - 543}-06-30` });
  const remedy = isThai
    ? 'If the source counts years as in Thailand, add `language: th` beside the `format` of the date'
    : 'Check the year in the source';
  warn(`${far} is more than 20 years away. ${remedy}`, isThai ? 'Thai years' : 'far days');
}

/** Separates the password of an account from its payload. An event may have an attribute named "password". */
function withoutPassword(values: Record<string, Json>, resource: SyncConfig['resource']) {
  if (resource !== 'accounts') return { values };
  const { password, ...rest } = values;
  return { values: rest, ...(typeof password === 'string' && { password }) };
}

function ruleCompiler(context: MappingContext) {
  const coercions = coercionsFor(context);
  const compileTemplate = templateCompiler(context);
  return (rule: FieldRule, attribute: string, kind: AttributeKind) =>
    compileRule(rule, { ...context, attribute, kind, coercions, compileTemplate });
}

function compileValues(
  sync: SyncConfig,
  context: MappingContext,
  compile: ReturnType<typeof ruleCompiler>,
): (fields: Fields, warn: Warn) => Record<string, Json> {
  if (sync.mapFunction) return compileMapFunction(sync, coercionsFor(context), context);
  const rules = Object.entries(rulesOf(sync, context.defaultMap)).map(
    ([attribute, rule]) => [attribute, compile(rule, attribute, kindOf(sync.resource, attribute))] as const,
  );
  return (fields, warn) => {
    const values: Record<string, Json> = {};
    for (const [attribute, rule] of rules) {
      const value = rule(fields, warn);
      if (value !== undefined) values[attribute] = value;
    }
    return values;
  };
}
