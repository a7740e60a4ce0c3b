import { createRequire } from 'node:module';
import type { Context, Liquid, LiquidOptions } from 'liquidjs';
import { addDays, isIsoDate } from './dates/iso-date.ts';
import { plainWriting } from './dates/plain-writing.ts';

const require = createRequire(import.meta.url);

/** The parts of a template that one rendering renders at most. */
const MOST_STEPS = 500_000;

/** Tags that would read other files, and filters whose result differs each time or depends on the host's zone. */
const removedTags = ['include', 'render', 'layout', 'block'];
const removedFilters = ['sample', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'];

/** Creates the Liquid engine of sync files: no access to files, repeatable results, templates of limited length. */
export function createLiquid(options: LiquidOptions = {}): Liquid {
  // Loaded by the first template: few syncs have any.
  const { Liquid } = require('liquidjs') as typeof import('liquidjs');
  const engine = new Liquid({ templates: {}, strictFilters: true, parseLimit: 100_000, ...options });
  for (const tag of removedTags) delete engine.tags[tag];
  for (const filter of removedFilters) delete engine.filters[filter];
  for (const [name, filter] of Object.entries(ownFilters)) engine.registerFilter(name, filter);
  return engine;
}

/** Filters that Liquid lacks. What is not a date, or not a number, stays as it is: the attribute then rejects it. */
const ownFilters = {
  /** Returns the day of an ISO 8601 date or date-time, so many days later. */
  add_days(value: unknown, days: unknown): unknown {
    const [day = ''] = /^\d{4}-\d\d-\d\d(?=$|[Tt ])/.exec(plainWriting(String(value ?? '')).trim()) ?? [];
    if (!Number.isInteger(days))
      throw new Error('add_days needs a whole number of days, such as {{ end | add_days: -1 }}');
    return isIsoDate(day) ? addDays(day, Number(days)) : value;
  },
  /** Writes a number with so many decimals: 18 as 18.00. */
  decimals(value: unknown, digits: unknown = 2): unknown {
    const text = String(value ?? '').trim();
    return text === '' || Number.isNaN(Number(text)) ? value : Number(text).toFixed(Number(digits));
  },
};

/** Returns what a template is rendered with. It counts the parts that are rendered, because Liquid's own limit is a time. */
export function countedContext(fields: object, engine: Liquid): Context {
  const { Context } = require('liquidjs') as typeof import('liquidjs');
  const context = new Context(fields, engine.options, {}, { liquid: engine });
  let steps = 0;
  context.renderLimit.check = () => {
    steps += 1;
    if (steps > MOST_STEPS) throw new Error(`it takes longer than ${MOST_STEPS.toLocaleString('en')} steps`);
  };
  return context;
}
