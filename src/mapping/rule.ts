import type { AttributeKind } from '../core/attributes.ts';
import type { FieldRule } from '../core/config.ts';
import { CodedError } from '../core/errors.ts';
import type { Json } from '../core/record.ts';
import { type Coercions, isEmpty } from './coerce.ts';
import { sanitize, toText } from './html.ts';
import { compilePath, type FieldReader } from './path.ts';
import { clean, show } from './text.ts';

/** The value of one attribute for one record; undefined: absent, so left out. */
export type CompiledRule = (
  fields: Readonly<Record<string, unknown>>,
  warn: (message: string) => void,
) => Json | undefined;

interface RuleContext {
  attribute: string;
  kind: AttributeKind;
  coercions: Coercions;
  compileTemplate: (template: string) => FieldReader;
}

/**
 * Compiles the rule of one attribute. The compiled rule throws CodedError FF_RECORD_VALUE, FF_RECORD_DATE,
 * FF_RECORD_LOOKUP or FF_RECORD_TEMPLATE for a record that does not fit; its message names attribute, value and field.
 */
export function compileRule(
  rule: FieldRule,
  { attribute, kind, coercions, compileTemplate }: RuleContext,
): CompiledRule {
  const read = reader(rule, compileTemplate);
  const coerce = coercions[kind];
  const markup = rule.html === 'sanitize' ? sanitize : rule.html === 'text' ? toText : undefined;
  const origin = rule.field === undefined ? '' : ` (field "${rule.field}")`;

  return (fields, warn) => {
    try {
      const value = withDefault(lookUp(read(fields), rule), rule);
      if (value === undefined) return undefined;
      if (isEmpty(value)) return emptyOf(kind, value);
      const coerced = coerce(value, (message) => warn(`${attribute}: ${message}`));
      return markup && typeof coerced === 'string' ? clean(markup(coerced)) : coerced;
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      throw new CodedError(error.code, `${attribute}: ${error.message}${origin}`, { cause: error });
    }
  };
}

function reader(rule: FieldRule, compileTemplate: (template: string) => FieldReader): FieldReader {
  if (rule.field !== undefined) return compilePath(rule.field);
  if (rule.template !== undefined) return compileTemplate(rule.template);
  return () => rule.value;
}

/** Each item of a list is looked up for itself. */
function lookUp(value: unknown, rule: FieldRule): unknown {
  if (!rule.lookup || value === undefined || isEmpty(value)) return value;
  if (Array.isArray(value)) return value.map((item) => lookUp(item, rule));
  const name = typeof value === 'object' ? undefined : String(value).trim();
  if (name !== undefined && Object.hasOwn(rule.lookup, name)) return rule.lookup[name];
  if (rule.default !== undefined) return rule.default;
  throw new CodedError('FF_RECORD_LOOKUP', `${show(value)} is not in the lookup table`);
}

function withDefault(value: unknown, rule: FieldRule): unknown {
  return rule.default !== undefined && (value === undefined || isEmpty(value)) ? rule.default : value;
}

/** An explicit empty clears the attribute. A blank cell of a yes/no column means no. */
function emptyOf(kind: AttributeKind, value: unknown): Json {
  if (kind === 'string') return '';
  return kind === 'boolean' && typeof value === 'string' ? false : null;
}
