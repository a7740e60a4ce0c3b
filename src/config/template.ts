import { Liquid } from 'liquidjs';

/** What the mapping has no use for: other files, and filters whose result depends on more than the record. */
const unsupportedTags = ['include', 'render', 'layout', 'block'];
const unsupportedFilters = ['sample', 'date_to_xmlschema', 'date_to_rfc822', 'date_to_string', 'date_to_long_string'];

const engine = new Liquid({ templates: {}, strictFilters: true, parseLimit: 100_000 });
for (const tag of unsupportedTags) delete engine.tags[tag];
for (const filter of unsupportedFilters) delete engine.filters[filter];

/** Why a Liquid template cannot be used, or undefined where it can. */
export function templateMistake(template: string): string | undefined {
  try {
    engine.parse(template);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message.replace(/, line:1, col:\d+$/, '') : String(error);
  }
}
