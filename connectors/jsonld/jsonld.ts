import { z } from 'zod';
import { defineConnector } from '../../src/core/connector.ts';

/** Reads the schema.org events of a JSON-LD document, or of the JSON-LD scripts of a web page. */
export const jsonld = defineConnector({
  kind: 'jsonld',
  withdraws: true,
  defaultKey: 'id',
  ownFields: /^(@.*|[^:]*:.*|id|identifier|eventStatus)$/,
  options: z.strictObject({}),
  acceptsHtml: true,
  captions: { image: 'imageCaption', 'image[0]': 'imageCaption' },
  defaultMap: { title: 'name', description: 'description', start: 'startDate', end: 'endDate' },
  async *read(feed, _, context) {
    yield* (await import('./read-json-ld.ts')).readJsonLd(feed, context);
  },
});
