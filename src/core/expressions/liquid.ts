import { createRequire } from 'node:module';
import type { Context, Liquid, LiquidOptions } from 'liquidjs';

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
  return engine;
}

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
