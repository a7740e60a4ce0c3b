import { expect, test } from 'vitest';
import { html, raw } from '../../../src/core/html/html.ts';

test.each([
  [html`<p title="${`"a" & 'b'`}">${'<b>'}</p>`, '<p title="&quot;a&quot; &amp; &#39;b&#39;">&lt;b&gt;</p>'],
  [html`${1}${0}${true}${false}${null}${undefined}${''}`, '10'],
  [html`<ul>${['<', [html`<li>${'&'}</li>`, ['>']]]}</ul>`, '<ul>&lt;<li>&amp;</li>&gt;</ul>'],
  [html`${raw('<i>&amp;</i>')}`, '<i>&amp;</i>'],
  [html`a\tb`, 'a\tb'],
])('Values of a template are escaped, and markup in it is not: %s', (markup, text) => {
  expect(String(markup)).toBe(text);
});
