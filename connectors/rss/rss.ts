import { z } from 'zod';
import { defineConnector } from '../../src/core/connector.ts';

/** Reads the events of RSS (2.0 and 1.0) and Atom, whose items have dates in elements of an extension. */
export const rss = defineConnector({
  kind: 'rss',
  defaultKey: 'id',
  ownFields: /^(id|link|published|updated|author|categories|timezone|rss|atom|dc|georss|media)$/,
  options: z.strictObject({}),
  captions: { image: 'imageCaption' },
  // The descriptions of RSS are HTML; one without elements shows that by its entities only.
  isHtmlField: (field, { description }) =>
    field === 'description' && /&(#\d+|#x[\da-f]+|\w+);/i.test(String(description)),
  defaultMap: { title: 'title', description: 'description', start: 'start', end: 'end' },
  async *read(feed, _, context) {
    yield* (await import('./read-rss.ts')).readRss(feed, context);
  },
});
