import { defineConnector } from '../../src/core/connector.ts';
import { jsonOptions } from './options.ts';
import { stepsOf } from './path.ts';

/** Reads JSON (RFC 8259), streaming: the items of one list, on one page or several, or one object a line. */
export const json = defineConnector({
  kind: 'json',
  options: jsonOptions,
  async *read(feed, { items, lines, pages }, context) {
    const shape = items === undefined ? {} : { items: stepsOf(items) };
    if (lines) yield* (await import('./read-lines.ts')).readLines(feed, context);
    else if (pages) yield* (await import('./read-pages.ts')).readPages(feed, shape, pages, context);
    else yield* (await import('./read-document.ts')).readDocument(feed, shape, context);
  },
});
