import { expect, test } from 'vitest';
import { checkedToken, checkedUserAgent } from '../../../src/cms/credentials.ts';

test.each(['', 'two words', 'two\nlines', 'ü'])('The token %j is refused, and not repeated', (unusable) => {
  const check = () => checkedToken(unusable);
  expect(check).toThrow(expect.objectContaining({ code: 'FF_CONFIG_INVALID' }));
  if (unusable) expect(check).not.toThrow(unusable);
});

test.each(['', ' ', 'a\r\nX: y', 'ü'])('The user agent %j is refused', (unusable) => {
  expect(() => checkedUserAgent(unusable)).toThrow(expect.objectContaining({ code: 'FF_CONFIG_INVALID' }));
});
