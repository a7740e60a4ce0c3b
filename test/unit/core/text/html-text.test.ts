import { expect, test } from 'vitest';
import { htmlText, plainText } from '../../../../src/core/html/html-text.ts';

test.each([
  ['<p>One &amp; two</p>\n<p>Three</p>', 'One & two\nThree'],
  ['First<br />\nsecond <b>bold</b>', 'First\nsecond bold'],
  ['<ul><li>one</li><li>two</li></ul>', '• one\n• two'],
  ['2 < 3, and &lt;b&gt; is text', '2 < 3, and <b> is text'],
])('People read %j as %j', (html, text) => {
  expect(htmlText(html)).toBe(text);
});

test.each([
  ['<p>One &amp; two</p>\n<p>Three</p>', 'One & two Three'],
  ['<b>Main</b>&nbsp;hall', 'Main hall'],
  ['Caf&eacute; &#8211; bar', 'Café – bar'],
  ['Cafe\u0301', 'Café'],
  ['ｆｕｌｌ　width', 'full width'],
  ['  two\r\n\t blanks ', 'two blanks'],
  ['2 < 3 > 1, R&D, hits&notes', '2 < 3 > 1, R&D, hits&notes'],
  ['<!-- a remark -->Seen', 'Seen'],
])('A CMS may show %j as %j', (text, plain) => {
  expect(plainText(text)).toBe(plain);
  expect(plainText(plain)).toBe(plain);
});
