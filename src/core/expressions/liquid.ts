import { createRequire } from 'node:module';
import type { Liquid, LiquidOptions } from 'liquidjs';

const require = createRequire(import.meta.url);

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
