import fc from 'fast-check';
import { type DefaultTreeAdapterTypes, parseFragment } from 'parse5';
import { describe, expect, test } from 'vitest';
import type { FieldRule } from '../../../src/config/types.ts';
import { rounds } from '../../support/long.ts';
import { hostile } from './hostile-html.ts';
import { eventSync, map } from './setup.ts';

const allowed: Record<string, readonly string[]> = {
  a: ['href'],
  th: ['colspan', 'rowspan', 'scope'],
  td: ['colspan', 'rowspan'],
};
const tags = new Set(
  'p br a strong em b i u ul ol li blockquote h2 h3 h4 h5 h6 table caption thead tbody tfoot tr th td'.split(' '),
);

type Node = DefaultTreeAdapterTypes.ChildNode;

/** What a browser would find that is not allowed. */
function faultsOf(html: string): string[] {
  return parseFragment(html).childNodes.flatMap(faultsIn);
}

function faultsIn(node: Node): string[] {
  if (node.nodeName === '#text') return [];
  if (!('tagName' in node)) return [node.nodeName];
  const attributes = node.attrs.flatMap(({ name, value }) => {
    if (!allowed[node.tagName]?.includes(name)) return [`${node.tagName} ${name}`];
    const { protocol } = new URL(value, 'https://site.example');
    return /^(https?|mailto):$/.test(protocol) && !value.startsWith('//') ? [] : [`${name}=${value}`];
  });
  return [...(tags.has(node.tagName) ? [] : [node.tagName]), ...attributes, ...node.childNodes.flatMap(faultsIn)];
}

function textOf(html: string): string {
  const ofNode = (node: Node): string =>
    'value' in node ? node.value : 'childNodes' in node ? node.childNodes.map(ofNode).join('') : '';
  return parseFragment(html).childNodes.map(ofNode).join('');
}

/** Tables and lists end a paragraph for the parser, but not if an element that is removed was between them. */
const withoutParagraphs = (html: string) => html.replaceAll(/<\/?p>/g, '');

const described = (text: string, html?: FieldRule['html']) => {
  const rule = { field: 'text', ...(html !== undefined && { html }) };
  const mapped = map(eventSync({ map: { ...eventSync().map, description: rule } }), {
    ...{ id: '1', title: 'T', start: '2027-03-01T10:00', text },
  });
  if (mapped.is !== 'desired') throw new Error(JSON.stringify(mapped));
  return { html: String(mapped.record.payload.description), warnings: mapped.warnings };
};

describe('Hostile HTML', () => {
  test(`is tried in more than 100 forms`, () => expect(new Set(hostile).size).toBeGreaterThan(100));

  test.each(hostile)('comes out clean: %j', (payload) => {
    for (const html of [undefined, 'auto', 'sanitize', 'text'] as const) {
      const text = `Before ${payload} After`;
      const result = described(text, html).html;
      expect(faultsOf(result), result).toEqual([]);
      expect(textOf(result)).toMatch(/^Before\b.*/s);
      // Text is decoded, so a second time would decode it again.
      if (html !== 'text') expect(described(result, html).html).toBe(result);
    }
  });

  test.each(hostile)('keeps the text around it, or says that it is removed: %j', (payload) => {
    const { html, warnings } = described(`Before ${payload} After`);
    const removesMore = warnings.some(({ message }) => message.includes('and the text after it'));
    expect(textOf(html)).toMatch(removesMore ? /^Before/ : /^Before.*After$/s);
  });
});

const pieces = fc.constantFrom(
  ...[
    '<',
    '>',
    '"',
    "'",
    '&',
    '=',
    '/',
    '!--',
    '-->',
    ' ',
    '\n',
    'b',
    'a',
    'p',
    'href',
    'script',
    'svg',
    'style',
    'o:p',
  ],
  ...[
    '<b>',
    '</b>',
    '<p>',
    '</p>',
    '<a href="',
    'javascript:',
    'https://x.example/',
    '<svg>',
    '</svg>',
    '<math>',
    '<![CDATA[',
  ],
  ...[
    '<script',
    '</script>',
    '<title>',
    '</title>',
    '<iframe ',
    '<table>',
    '<td>',
    '<img src=x onerror=x>',
    '&lt;',
    '&amp;',
  ],
  ...[
    'a@x.example',
    '<x',
    '</',
    '/>',
    '<noscript>',
    '</noscript>',
    '<template>',
    '<select>',
    '<textarea>',
    'é',
    '\u00a0',
  ],
);
const soup = fc.oneof(
  fc.string(),
  fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
);

test('A cell in an element that is removed is a cell beside the other one', () => {
  const once = described('<table><tr><td>a<noscript><td>b</noscript></table>', 'sanitize').html;
  expect(once).toContain('<td>a</td><td>b</td>');
  expect(described(once, 'sanitize').html).toBe(once);
});

describe('Any text', () => {
  test.each([undefined, 'sanitize'] as const)(
    'is clean when it is sanitised (html: %s), and stays the same',
    (html) => {
      fc.assert(
        fc.property(soup, (text) => {
          const once = described(text, html).html;
          if (html === undefined || text.includes('<')) expect(faultsOf(once)).toEqual([]);
          expect(withoutParagraphs(described(once, html).html)).toBe(withoutParagraphs(once));
        }),
        { numRuns: rounds(200, 50_000) },
      );
    },
  );

  test('without elements of HTML keeps each of its characters', () => {
    const word = fc.stringMatching(/^[\p{L}\d.,:;!?()@#$%*+=/-]{1,12}$/u);
    const stray = fc.oneof(
      word.map((inner) => `<${inner}`),
      word.map((inner) => `${inner}>`),
      word.map((inner) => `<x${inner}>`),
      word,
    );
    fc.assert(
      fc.property(fc.array(stray, { minLength: 1 }), (words) => {
        const text = words.join(' ');
        fc.pre(!/<\/?[a-z][a-z\d:-]*([\s/>]|$)/i.test(text));
        expect(textOf(described(text).html)).toBe(text);
      }),
      { numRuns: rounds(100, 20_000) },
    );
  });
});
