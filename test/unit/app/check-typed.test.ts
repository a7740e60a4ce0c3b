import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectors } from '../../../connectors/index.ts';
import { mayBeTyped } from '../../../src/app/drafts/check-typed.ts';

/** Keys that lead to other servers, files or secrets, or to more time and memory. */
const reaching = [
  ...['url', 'auth', 'headers', 'query', 'method', 'body', 'pages', 'member', 'allowPrivateNetwork'],
  ...['timeout', 'retries', 'maxBytes', 'maxRatio', 'maxRecordBytes', 'maxOccurrences', 'maxPages'],
];

test('In a browser, each option of each connector may be set, unless it reaches other servers or more memory', () => {
  const options = connectors.flatMap((connector) => Object.keys(z.toJSONSchema(connector.options).properties ?? {}));
  expect(options).toEqual(expect.arrayContaining(['comment', 'recurrence', 'items', 'header']));
  const refused = [...options, ...reaching].filter((key) => !mayBeTyped(`source.${key}`));
  expect(new Set(refused)).toEqual(new Set(reaching));
});
