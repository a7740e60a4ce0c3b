import type { FilterImplOptions, Liquid } from 'liquidjs';
import { countedContext, createLiquid } from '../core/liquid.ts';
import type { FieldReader } from './path.ts';
import { showValue, withCode } from './text.ts';
import { parseMoment, toEpochMs, type Zones } from './time.ts';

interface TemplateContext extends Zones {
  /** Ms since 1970, for `{{ 'now' | date }}`. */
  now: () => number;
}

const LONGEST_TEXT = 1_000_000;

/** Characters or items in memory, in one rendering. */
const MOST_MEMORY = 5_000_000;

/** Returns the names of the fields that a Liquid template reads. */
export function templateFields(template: string): string[] {
  return createLiquid().globalVariablesSync(template);
}

/**
 * Creates a compiler of Liquid templates, which render the fields of a source record to text. Absent variables are empty; a blank
 * result is absent if the record has none of the fields. The `date` filter reads the dates of feeds and writes them in the
 * site's zone.
 * @throws CodedError FF_CONFIG_INVALID for a template that cannot be parsed; the compiled reader throws FF_RECORD_TEMPLATE if
 * the template fails for a record
 */
export function templateCompiler(context: TemplateContext): (template: string) => FieldReader {
  let created: Liquid | undefined;
  return (template) => {
    created ??= createEngine(context);
    const engine = created;
    const parsed = withCode('FF_CONFIG_INVALID', 'the template cannot be parsed', () => engine.parse(template));
    return (fields) => {
      const text = withCode('FF_RECORD_TEMPLATE', `the template ${showValue(template)} failed`, () => {
        const text = String(engine.renderSync(parsed, countedContext(fields, engine)));
        if (text.length <= LONGEST_TEXT) return text;
        throw new Error(`the result is longer than ${LONGEST_TEXT.toLocaleString('en')} characters`);
      });
      const isPresent = () => engine.globalVariablesSync(parsed).some((name) => fields[name] !== undefined);
      return text.trim() !== '' || isPresent() ? text : undefined;
    };
  };
}

/** Replaces Liquid's own `date` filter, which parses with `new Date`, in the host's zone and without RFC 9557. */
function createEngine(context: TemplateContext): Liquid {
  const { siteTimezone } = context;
  const engine = createLiquid({
    memoryLimit: MOST_MEMORY,
    ownPropertyOnly: true,
    locale: 'en-US',
    timezoneOffset: siteTimezone,
  });
  const original = engine.filters.date;
  const format = typeof original === 'function' ? original : original?.handler;
  const filter: FilterImplOptions = function (value, ...formatting) {
    const instant = toDate(value, context);
    return instant ? format?.call(this, instant, ...formatting) : value;
  };
  engine.registerFilter('date', filter);
  return engine;
}

function toDate(value: unknown, context: TemplateContext): Date | undefined {
  if (value === 'now' || value === 'today') return new Date(context.now());
  const moment = typeof value === 'string' ? parseMoment(value, context) : undefined;
  return moment && new Date(toEpochMs(moment, context.siteTimezone));
}
