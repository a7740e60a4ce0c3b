import { z } from 'zod';
import { defineConnector } from '../../../src/core/connector.ts';
import { CodedError } from '../../../src/core/errors.ts';

const options = z.strictObject({
  /** The text between name and value. */
  separator: z.string().min(1).default(':'),
});

/** Reads cards: lines of `name: value`, separated by blank lines. */
export const cards = defineConnector({
  kind: 'cards',
  options,
  async *read(feed, { separator }, context) {
    let text = '';
    for await (const part of feed.text()) text += part;
    if (!text.includes(separator)) {
      throw new CodedError('FF_FEED_FORMAT', `${feed.location} is not a list of cards: it has no "${separator}".`);
    }
    for (const [index, card] of text.split(/\n\s*\n/).entries()) {
      const at = `card ${index + 1}`;
      const lines = card.trim().split('\n');
      const bad = lines.find((line) => !line.includes(separator));
      if (bad === undefined) {
        yield { at, fields: Object.fromEntries(lines.map((line) => split(line, separator))) };
      } else {
        context.reject({ at, code: 'FF_RECORD_MALFORMED', reason: `"${bad}" has no "${separator}"` });
      }
    }
  },
});

function split(line: string, separator: string): [string, string] {
  const at = line.indexOf(separator);
  return [line.slice(0, at).trim(), line.slice(at + separator.length).trim()];
}
