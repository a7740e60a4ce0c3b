import { z } from 'zod';
import { defineConnector } from '../../src/core/connector.ts';

const options = z.strictObject({
  /** Maximum number of pages. If the feed has more, the read is incomplete. */
  maxPages: z.int().positive().default(1000),
});

/**
 * Reads JSON Feed (version 1.1, https://jsonfeed.org), with all pages to which `next_url` leads. A record has the fields of
 * its item, and `content`: the HTML of the item, otherwise its plain text.
 * @throws CodedError FF_FEED_FORMAT if the text has no JSON or no `items`
 */
export const jsonfeed = defineConnector({
  kind: 'jsonfeed',
  defaultKey: 'id',
  ownFields: /^(id|summary|content_html|content_text|date_modified)$/,
  options,
  isHtmlField: (field, { content_html: html }) =>
    field === 'content_html' || (field === 'content' && html !== undefined && html !== null),
  captions: { 'attachments[0].url': 'attachments[0].title' },
  defaultMap: { title: 'title', description: 'content', start: 'date_published' },
  async *read(feed, { maxPages }, context) {
    const { readPages } = await import('../json/read-pages.ts');
    const pages = { by: 'link', path: 'next_url', max: maxPages } as const;
    for await (const { at, fields } of readPages(feed, { items: [{ member: 'items' }] }, pages, context)) {
      const content = fields.content_html ?? fields.content_text ?? fields.summary;
      yield { at, fields: content === undefined ? fields : { ...fields, content } };
    }
  },
});
