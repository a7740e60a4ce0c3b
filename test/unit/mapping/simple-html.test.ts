import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { HtmlAllowList } from '../../../src/config/types.ts';
import { elementsOfSimpleHtml, readMarkup, readThoroughly } from '../../../src/mapping/html/read-markup.ts';
import { createSanitizer } from '../../../src/mapping/html/sanitize.ts';
import { rounds } from '../../support/long.ts';

const names = ['p', 'ul', 'ol', 'li', 'h2', 'h6', 'blockquote', 'a', 'b', 'em', 'strong', 'i', 'u'];
const address = fc.constantFrom(
  'https://example.edu/a?b=c#d',
  'http://x',
  'https://[::1]/',
  'https://a/?b&c',
  'mailto:a@b',
);
const text = fc.oneof(
  fc.constantFrom('a', ' ', '\n', '\r\n', 'é', '"', "'", '&amp;', '&lt;', '&gt;', '&nbsp;', '&', '&am', '&amp', 'amp;'),
  fc.constantFrom('>', '<', '</', '<!--', '-->', '<br>', '<br />', '<br/>', ']]>', '<![CDATA[', '\0', '\ud800', '\f'),
  fc.string({ maxLength: 4 }),
);
const name = fc.constantFrom(...names, 'h1', 'div', 'img', 'script', 'br', 'td', 'span');
const tag = fc.oneof(
  name.map((element) => `<${element}>`),
  name.map((element) => `</${element}>`),
  name.map((element) => `<${element.toUpperCase()}>`),
  address.map((href) => `<a href="${href}">`),
  address.map((href) => `<a href='${href}' title="x">`),
  name.map((element) => `<${element} class="x">`),
  name.map((element) => `<${element}/>`),
);
/** Any order of tags, and elements in each other. */
const soup = fc.array(fc.oneof(text, tag), { maxLength: 12 }).map((parts) => parts.join(''));
const { nested } = fc.letrec<{ nested: string; element: string }>((tie) => ({
  nested: fc
    .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom('a b', '\n ', '&amp;', '&lt;') }, tie('element')), {
      maxLength: 5,
    })
    .map((parts) => parts.join('')),
  element: fc.oneof(
    fc.tuple(fc.constantFrom(...names), tie('nested')).map(([element, inner]) => `<${element}>${inner}</${element}>`),
    fc.tuple(address, tie('nested')).map(([href, inner]) => `<a href="${href}">${inner}</a>`),
    fc.constantFrom('<br />'),
  ),
}));
const html = fc.oneof(soup, nested);

const allowLists: HtmlAllowList[] = [
  { tags: [...names, 'br', 'td', 'tr'], attributes: { a: ['href'] } },
  { tags: [...names, 'br'], attributes: {} },
  { tags: ['p', 'b', 'li'], attributes: { a: ['href'], p: ['class'] } },
];

describe('Simple HTML', () => {
  test('is read like any other HTML', () => {
    fc.assert(
      fc.property(html, (given) => {
        const { isSimple: _, ...markup } = readMarkup(given);
        expect(markup).toEqual(readThoroughly(given));
      }),
      { numRuns: rounds(300, 10_000) },
    );
  });

  test.each(allowLists.flatMap((list) => [false, true].map((keepsLines) => ({ ...list, keepsLines }))))(
    'is sanitized like any other HTML: $tags, $attributes, lines stay: $keepsLines',
    ({ tags, attributes, keepsLines }) => {
      const sanitize = createSanitizer({ tags, attributes }, keepsLines);
      fc.assert(
        fc.property(html, (given) => {
          expect(sanitize(readMarkup(given))).toEqual(sanitize(readThoroughly(given)));
        }),
        { numRuns: rounds(100, 5_000) },
      );
    },
  );

  test.each([
    [
      '<p>Talk &amp; music</p>\n<ul>\n <li><a href="https://example.edu/e/1">Book</a></li>\n</ul>',
      ['p', 'ul', 'li', 'a'],
    ],
    ['<blockquote><p>One<br />two</p></blockquote><h2><b>Three</b></h2>', ['blockquote', 'p', 'br', 'h2', 'b']],
  ])('is %j', (given, elements) => {
    expect([...(elementsOfSimpleHtml(given) ?? [])]).toEqual(elements);
  });

  test.each([
    '<p>One<p>two',
    '<p>One</b>',
    '<b>One',
    '<p><ul></ul></p>',
    '<li>One</li>',
    '<a href="https://a"><i><a href="https://b">x</a></i></a>',
    '<p class="x">One</p>',
    '<p>1 > 2</p>',
    '<p>&nbsp;</p>',
    '<a href="javascript:alert(1)">x</a>',
    '<p>One<br>two</p>',
    '<script>x</script>',
    `${'<b>'.repeat(21)}x${'</b>'.repeat(21)}`,
  ])('is not %s', (given) => {
    expect(elementsOfSimpleHtml(given)).toBeUndefined();
  });
});
