import type { FieldRule } from '../config/types.ts';
import type { AttributeKind } from '../core/attributes.ts';
import type { Json } from '../core/record.ts';
import { type Coercions, convert, hasNoValue, inAttribute, type Warn } from './coerce.ts';
import { compileHtml, constantToHtml, type HtmlContext, type HtmlTreatment } from './html.ts';
import { compileInterruption, compilePath, type FieldReader, type Fields } from './path.ts';
import { compileSteps } from './steps.ts';
import { showValue } from './text.ts';
import type { Zones } from './time.ts';
import { warnOfNoValue } from './words.ts';

/** Returns the value of one attribute for one record; undefined if it is absent, so that it is left out. */
export type CompiledRule = (fields: Fields, warn: Warn) => Json | undefined;

interface RuleContext extends Zones, HtmlContext {
  attribute: string;
  kind: AttributeKind;
  coercions: Coercions;
  compileTemplate: (template: string) => FieldReader;
}

/**
 * Compiles the rule of one attribute. The compiled rule throws CodedError FF_RECORD_VALUE, FF_RECORD_DATE, FF_RECORD_LOOKUP
 * or FF_RECORD_TEMPLATE for a record that does not fit; the message names attribute, value and field.
 */
export function compileRule(rule: FieldRule, context: RuleContext): CompiledRule {
  const { attribute, kind, coercions, isHtmlField, onHtml } = context;
  const read = reader(rule, context);
  const takeSteps = compileSteps(rule, kind, context);
  const treatHtml = treatmentOf(rule, attribute, kind);
  const origin = rule.field === undefined ? '' : ` (field "${rule.field}")`;

  return (fields, warn) =>
    inAttribute(attribute, origin, warn, (warnOf) => {
      const given = takeSteps(read(fields, warnOf), warnOf);
      const value = rule.default !== undefined && hasNoValue(given) ? rule.default : given;
      const converted = convert(value, kind, coercions, warnOf);
      if (typeof converted !== 'string') return converted;
      const isHtml = rule.field !== undefined && isHtmlField?.(rule.field, fields) === true;
      if (kind === 'html') onHtml?.(attribute, converted, isHtml);
      const shown = treatHtml ? treatHtml(converted, warnOf, isHtml) : converted;
      if (rule.field !== undefined && value === given && !rule.lookup) warnOfNoValue(shown, warnOf);
      return shown;
    });
}

function treatmentOf({ value, html }: FieldRule, attribute: string, kind: AttributeKind): HtmlTreatment | undefined {
  if (value !== undefined) return kind === 'html' ? constantToHtml : undefined;
  return compileHtml(html ?? (attribute === 'password' ? 'keep' : undefined), kind);
}

function reader(
  { field, template, value }: FieldRule,
  { kind, compileTemplate }: Pick<RuleContext, 'kind' | 'compileTemplate'>,
): (fields: Fields, warn: Warn) => unknown {
  if (field !== undefined) return fieldReader(field, kind);
  if (template !== undefined) return compileTemplate(template);
  return () => value;
}

/** Warns if a path ends at a text. Texts that it reads of several items become one text, also for a custom attribute. */
function fieldReader(field: string, kind: AttributeKind): (fields: Fields, warn: Warn) => unknown {
  const read = compilePath(field);
  const interruption = compileInterruption(field);
  return (fields, warn) => {
    const found = read(fields);
    if (found !== undefined && (kind !== 'json' || !Array.isArray(found))) return found;
    const met = interruption(fields);
    const text = [met].flat().find((item) => typeof item === 'string' && item.trim() !== '');
    if (found === undefined && text !== undefined) {
      warn(`"${field}" has no value: the path ends at the text ${showValue(text)}`);
    }
    const isText = Array.isArray(met) && Array.isArray(found) && found.every((item) => typeof item === 'string');
    return isText ? found.join(', ') : found;
  };
}
