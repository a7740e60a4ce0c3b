import { expect, test } from 'vitest';
import { htmlText } from '../../../../src/core/html/html-text.ts';

test.each([
  ['<p>One &amp; two</p>\n<p>Three</p>', 'One & two\nThree'],
  ['First<br />\nsecond <b>bold</b>', 'First\nsecond bold'],
  ['<ul><li>one</li><li>two</li></ul>', '• one\n• two'],
  ['2 < 3, and &lt;b&gt; is text', '2 < 3, and <b> is text'],
])('People read %j as %j', (html, text) => {
  expect(htmlText(html)).toBe(text);
});
