import type { FieldRule } from '../config/types.ts';
import type { AttributeKind } from '../core/attributes.ts';
import { clean } from '../core/clean.ts';
import { CodedError } from '../core/errors.ts';
import type { Json } from '../core/record.ts';
import { blame, type Coercions, convert, isBlank } from './coerce.ts';
import type { ExpressionResults } from './expression.ts';
import { compileHtml } from './html.ts';
import { compilePath, type FieldReader } from './path.ts';
import { compileSteps } from './steps.ts';
import type { Zones } from './time.ts';

type Fields = Readonly<Record<string, unknown>>;
type Warn = (message: string) => void;

/** The value of one attribute for one record; undefined: absent, so left out. */
export type CompiledRule = (fields: Fields, warn: Warn, results: ExpressionResults) => Json | undefined;

interface RuleContext extends Zones {
  attribute: string;
  kind: AttributeKind;
  coercions: Coercions;
  compileTemplate: (template: string) => FieldReader;
}

/**
 * Compiles the rule of one attribute. The compiled rule throws CodedError FF_RECORD_VALUE, FF_RECORD_DATE,
 * FF_RECORD_LOOKUP, FF_RECORD_TEMPLATE or FF_RECORD_EXPRESSION for a record that does not fit; its message names
 * attribute, value and field.
 */
export function compileRule(rule: FieldRule, context: RuleContext): CompiledRule {
  const { attribute, kind, coercions, compileTemplate } = context;
  const read = reader(rule, compileTemplate);
  const takeSteps = compileSteps(rule, kind, context);
  const markup = compileHtml(rule.html);
  const origin = rule.field === undefined ? '' : ` (field "${rule.field}")`;

  return (fields, warn, results) => {
    try {
      const value = withDefault(takeSteps(read(fields, results)), rule);
      const converted = convert(value, { kind, coercions, warn: (message) => warn(`${attribute}: ${message}`) });
      return markup && typeof converted === 'string' ? clean(markup(converted)) : converted;
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      throw blame(attribute, error, origin);
    }
  };
}

type Reader = (fields: Fields, results: ExpressionResults) => unknown;

function reader(
  { field, template, expression, value }: FieldRule,
  compileTemplate: RuleContext['compileTemplate'],
): Reader {
  if (field !== undefined) return compilePath(field);
  if (template !== undefined) return compileTemplate(template);
  if (expression !== undefined) return (_fields, results) => results.get(expression);
  return () => value;
}

function withDefault(value: unknown, rule: FieldRule): unknown {
  return rule.default !== undefined && (value === undefined || isBlank(value)) ? rule.default : value;
}
