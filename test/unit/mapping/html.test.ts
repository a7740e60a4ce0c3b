import { describe, expect, test } from 'vitest';
import type { FieldRule } from '../../../src/config/types.ts';
import { connectorOf } from '../../../src/source/connector-of.ts';
import { accountSync, desired, eventSync, payload, warnings } from './setup.ts';

const event = { id: '1', title: 'T', start: '2027-03-01T10:00' };
const withRule = (attribute: string, rule: FieldRule) => eventSync({ map: { ...eventSync().map, [attribute]: rule } });
const value = (text: unknown, rule: FieldRule = {}, attribute = 'description') =>
  payload(withRule(attribute, { field: 'text', ...rule }), { ...event, text })[attribute];
const warned = (text: string, rule: FieldRule = {}, attribute = 'description') =>
  warnings(withRule(attribute, { field: 'text', ...rule }), { ...event, text }).map(({ message }) => message);

const link = (address: string) => `<a href="${address}">${address.replace('mailto:', '')}</a>`;

describe('What only Office reads never reaches visitors', () => {
  const word = '<!--[if gte mso 9]><xml><o:x>Normal</o:x></xml><![endif]-->';

  test.each([
    [`<p>x</p>${word}<p>y</p>`, '<p>x</p><p>y</p>'],
    [`${word}Only text`, 'Only text'],
    [`${word}${word}`, ''],
    ['<p>x</p><!--[if gte mso 10]><style> /* --> */ td {} </style><![endif]-->', '<p>x</p>'],
    ['<!--[if (gte mso 9)|(IE)]><!-- a --><table>b</table><!-- c --><![endif]-->y', 'y'],
    ['<!--[if mso]><![if gte mso 9]>a<![endif]>b<![endif]-->y', 'y'],
    ['<!--[IF GTE MSO 9]>a<![ENDIF]-->y', 'y'],
    ['<!-- [if mso]>a<![endif]>y', 'y'],
    ['<!--[if mso]>a-->y', 'y'],
    ['<p>a<![if !mso]>b<![endif]>c</p>', '<p>abc</p>'],
    ['<p>a<!--[if !mso]><!-->b<!--<![endif]-->c</p>', '<p>abc</p>'],
    ['<p>a<!--[if !IE]> -->b<!-- <![endif]-->c</p>', '<p>abc</p>'],
    ['<p>a<!--[if !supportLists]-->1.<!--[endif]-->b</p>', '<p>a1.b</p>'],
    ['<p>a</p><!--[if mso]>x--><p>b</p><!--[if !mso]><!-->c<!--<![endif]-->', '<p>a</p><p>b</p>c'],
    ['<p>a</p><!--[if gte mso 9]><xml>', '<p>a</p>'],
  ])('%j', (text, html) => {
    expect(value(text)).toBe(html);
    expect(value(text, { html: 'text' })).toBe(
      html
        .replace(/<[^<>]*>/g, '\n')
        .replace(/\n+/g, '\n')
        .trim(),
    );
    expect(warned(text)).toEqual([]);
  });

  test('A condition without an end takes the text after it along, with a warning', () => {
    const text = '<p>a</p><!--[if gte mso 9]><p>b</p>';
    expect(value(text)).toBe('<p>a</p>');
    expect(warned(text)).toEqual(['description: removed <!--[if gte mso 9]> and the text after it']);
  });
});

describe('A description without elements of HTML is plain text', () => {
  test.each([
    [
      'Register: <https://example.edu/r/7> or write to Ana <ana@example.edu>',
      `Register: &lt;${link('https://example.edu/r/7')}&gt; or write to Ana &lt;${link('mailto:ana@example.edu')}&gt;`,
    ],
    ['For ages <10 and >2, I <3 this', 'For ages &lt;10 and &gt;2, I &lt;3 this'],
    ['<- back | next -> | << >>', '&lt;- back | next -&gt; | &lt;&lt; &gt;&gt;'],
    ['if a<b and c>d', 'if a&lt;b and c&gt;d'],
    ['Dear <Name>, see <your code> and <title>', 'Dear &lt;Name&gt;, see &lt;your code&gt; and &lt;title&gt;'],
    ['Map<String, List<i>> and <b>bold', 'Map&lt;String, List&lt;i&gt;&gt; and &lt;b&gt;bold'],
    [
      'Meet at <Table 5>, <head office>, <p 3> or <br ad>',
      'Meet at &lt;Table 5&gt;, &lt;head office&gt;, &lt;p 3&gt; or &lt;br ad&gt;',
    ],
    ['Price <£5 <- </3 <3 <? <!> <=>', 'Price &lt;£5 &lt;- &lt;/3 &lt;3 &lt;? &lt;!&gt; &lt;=&gt;'],
    [
      '<a@b.example>, <b-team at x>, a <b = c>',
      '&lt;<a href="mailto:a@b.example">a@b.example</a>&gt;, &lt;b-team at x&gt;, a &lt;b = c&gt;',
    ],
    ['<Name>Bob</Name>', '&lt;Name&gt;Bob&lt;/Name&gt;'],
    ['x <b', 'x &lt;b'],
    ['x <a href="https://example.edu', `x &lt;a href="${link('https://example.edu')}`],
    ['x <!-- y', 'x &lt;!-- y'],
    ['<skype:ana> <ana-maria> <urn:isbn:1>', '&lt;skype:ana&gt; &lt;ana-maria&gt; &lt;urn:isbn:1&gt;'],
    ['AT&T, R&amp;D, Arts &amp;amp; Crafts', 'AT&amp;T, R&amp;D, Arts &amp;amp; Crafts'],
    ['5 &lt; 10 &#8211; &eacute; &copy b', '5 &lt; 10 – é &amp;copy b'],
    ['<![CDATA[Tom & Ana]]>', 'Tom &amp; Ana'],
    ['One\nTwo\r\nThree', 'One<br />\nTwo<br />\nThree'],
    ['One\ntwo\n\nThree\n \n\nFour\n', '<p>One<br />\ntwo</p>\n<p>Three</p>\n<p>Four</p>'],
    ['(https://a.example/x_(y)).', `(${link('https://a.example/x_(y)')}).`],
    [
      'See https://a.example/?a=1&b=2, or',
      'See <a href="https://a.example/?a=1&amp;b=2">https://a.example/?a=1&amp;b=2</a>, or',
    ],
    ['mailto:ana@example.edu!', '<a href="mailto:ana@example.edu">mailto:ana@example.edu</a>!'],
    ['javascript:alert(1) ftp://a.example //a.example www', 'javascript:alert(1) ftp://a.example //a.example www'],
  ])('%j', (text, html) => {
    expect(value(text)).toBe(html);
    expect(value(html)).toBe(html);
    expect(warned(text)).toEqual([]);
  });

  test.each([
    ...['A talk.', ' A "talk" by Ana’s group; 50% off! ', 'Tel. +49 30 123', 'a\tb', '日本語 ✓', '10:30/11:00'],
  ])('Nothing is special in %j, so it stays as it is', (text) => expect(value(text)).toBe(text));
});

describe('A description with elements of HTML is sanitised', () => {
  test.each([
    [
      '<p>Write to <ana@example.edu>, <https://example.edu></p>',
      '<p>Write to &lt;ana@example.edu&gt;, &lt;https://example.edu&gt;</p>',
    ],
    ['<p>5 <10 & a<b and c>d</p>', '<p>5 &lt;10 &amp; a&lt;b and c&gt;d</p>'],
    ['<p>if a<b and <i>so</i></p>', '<p>if a&lt;b and <i>so</i></p>'],
    ['<p class="x>Hello <b>world</b>', '&lt;p class="x&gt;Hello <b>world</b>'],
    ['<b>Bring</b>:\na pen\n\n<u>paper</u>\n', '<b>Bring</b>:<br />\na pen<br />\n<br />\n<u>paper</u>'],
    ['<p>One\ntwo</p>\n<p>Three</p>', '<p>One\ntwo</p>\n<p>Three</p>'],
    ['One<br>\ntwo', 'One<br />\ntwo'],
    ['<span style="color:red">Tom & Ana</span>', 'Tom &amp; Ana'],
    ['<font color="red">https://a.example</font>', link('https://a.example')],
    ['<a href="https://a.example">open', '<a href="https://a.example">open</a>'],
    ['<P>Old<BR>HTML <CENTER>text</CENTER>', '<p>Old<br />HTML text</p>'],
    ['Word<o:p></o:p> and <o:p/>more', 'Word and more'],
    ['<!doctype html><html><body><p>Hi</p></body></html>', '<p>Hi</p>'],
    ['<![CDATA[<p>Tom & Ana</p>]]>', '<p>Tom &amp; Ana</p>'],
    ['<html-blob>Tom<br>Ana</html-blob>', 'Tom<br />Ana'],
    ['<table border><tr><td nowrap>x</td></tr></table>', '<table><tr><td>x</td></tr></table>'],
    ['<ul compact><li>one<li>two', '<ul><li>one</li><li>two</li></ul>'],
    [
      '<?xml:namespace prefix = o ns = "urn:x" /><xml><w:View>Normal</w:View></xml><p><![if !supportLists]>-<![endif]> <st1:place w:st="on">Rome</st1:place></p>',
      '<p>- Rome</p>',
    ],
    ['<i class="icon"/>Free', 'Free'],
    ['Hi <!-- note --> all', 'Hi all'],
  ])('%j', (text, html) => {
    expect(value(text)).toBe(html);
    expect(value(html)).toBe(html);
    expect(warned(text)).toEqual([]);
  });

  test('All texts are HTML with `html: sanitize`, which loses no address either', () => {
    const rule: FieldRule = { html: 'sanitize' };
    expect(value('Ana <ana@example.edu>\n5 <10', rule)).toBe('Ana &lt;ana@example.edu&gt;\n5 &lt;10');
    expect(value('a & b\nc https://a.example', rule)).toBe('a & b\nc https://a.example');
    expect(value('<p>a</p><h1>b <x></h1>', { html: { tags: ['h1'], attributes: {} } })).toBe('a<h1>b &lt;x&gt;</h1>');
  });

  test('All texts stay as they are with `html: keep`', () => {
    expect(value('a & b <x> <script>\n', { html: 'keep' })).toBe('a & b <x> <script>\n');
  });
});

describe('A title is plain text', () => {
  test.each([
    ['Arts &amp; Crafts &#8211; Kids', 'Arts & Crafts – Kids'],
    ['<b>Gala</b>', 'Gala'],
    ['<em>Hamlet</em> &amp; <i>Macbeth</i>', 'Hamlet & Macbeth'],
    ['R&amp;D &lt;3', 'R&D <3'],
    ['<b>Gala</b> <ana@example.edu> 5 <10', 'Gala <ana@example.edu> 5 <10'],
    ['<![CDATA[Tom & Ana]]>', 'Tom & Ana'],
    ['&lt;script&gt;alert(1)&lt;/script&gt;', '&lt;script>alert(1)&lt;/script>'],
    ['Talk<script>alert(1)</script>', 'Talk'],
  ])('%j', (text, title) => expect(value(text, {}, 'title')).toBe(title));

  test.each([
    'AT&T',
    '5 <10',
    'I <3 NY',
    'a &copy b',
    'a<b and c>d',
    '<Name>',
    'a  b',
    'a & b',
    'Q&A: <b> or <i>?',
    '&&amp',
    '-> x',
  ])('%j stays exactly', (text) => expect(value(text, {}, 'title')).toBe(text));

  test('Plain text keeps its lines with `html: text`, HTML gets a line for each block', () => {
    expect(value('Hall 3 &amp; 4\n<ana@example.edu>', { html: 'text' }, 'location')).toBe(
      'Hall 3 & 4\n<ana@example.edu>',
    );
    expect(value('<p>Hall 3 &amp; 4</p>\n<p><ana@example.edu></p>', { html: 'text' }, 'location')).toBe(
      'Hall 3 & 4\n<ana@example.edu>',
    );
  });

  test('Where the site shows HTML, no address may look like a tag with `html: text`', () => {
    expect(value('Write to <ana@example.edu>, 5 <10', { html: 'text' })).toBe('Write to &lt;ana@example.edu>, 5 <10');
  });
});

describe('What is treated', () => {
  const special = 'Tom & <ana@example.edu>';
  const html = `Tom &amp; &lt;${link('mailto:ana@example.edu')}&gt;`;

  test('is the result of a template, a lookup, a default, a list or a constant', () => {
    const described = (rule: FieldRule) =>
      payload(withRule('description', rule), { ...event, text: special, code: 'A' });
    expect(described({ template: '{{ text }}' }).description).toBe(html);
    expect(described({ template: '<p>{{ text }}</p>' }).description).toBe('<p>Tom &amp; &lt;ana@example.edu&gt;</p>');
    expect(described({ field: 'code', lookup: { A: special } }).description).toBe(html);
    expect(described({ field: 'none', default: special }).description).toBe(html);
    expect(value(['a & b', 'c'])).toBe('a &amp; b, c');
    expect(described({ value: special }).description).toBe(html);
    expect(described({ value: '<p>Our <video src="x"></video></p>' }).description).toBe(
      '<p>Our <video src="x"></video></p>',
    );
  });

  test('is the result of a map function', () => {
    const sync = eventSync({
      map: undefined,
      mapFunction: ({ text }) => ({ title: 'Arts &amp; Crafts', start: event.start, description: text, custom: text }),
    });
    expect(payload(sync, { ...event, text: special })).toMatchObject({
      title: 'Arts & Crafts',
      description: html,
      custom: special,
    });
  });

  test('are neither keys, nor source values, nor custom attributes, nor passwords', () => {
    const record = { ...event, id: 'a &amp; <b>b</b>', code: 'A &amp; B' };
    const sync = withRule('custom', { field: 'id' });
    expect(desired({ ...sync, when: { field: 'code', is: ['A &amp; B'] } }, record)).toMatchObject({
      key: 'a &amp; <b>b</b>',
      payload: { custom: 'a &amp; <b>b</b>' },
    });
    expect(value('A &amp; B', { lookup: { 'A &amp; B': 'found' } }, 'title')).toBe('found');
    const accounts = accountSync({ map: { ...accountSync().map, password: { field: 'password' } } });
    expect(desired(accounts, { email: 'ana@example.edu', password: '<b>&amp;</b>' }).password).toBe('<b>&amp;</b>');
  });

  test.each([
    ['jsonfeed', 'content', { content: 'a\nb', content_html: 'a\nb' }, 'a\nb'],
    ['jsonfeed', 'content', { content: 'a\nb', content_text: 'a\nb' }, 'a<br />\nb'],
    ['jsonfeed', 'content_html', { content_html: '<b>a</b>\nb' }, '<b>a</b>\nb'],
    ['ical', 'description', { description: 'a\nb' }, 'a<br />\nb'],
    [
      ...(['ical', 'description'] as const),
      { description: 'a\nb', 'x-alt-desc': 'a\nb', params: { 'x-alt-desc': { fmttype: 'text/html' } } },
      'a\nb',
    ],
    ['ical', 'x-alt-desc', { 'x-alt-desc': 'a\nb', params: { 'x-alt-desc': { fmttype: 'text/plain' } } }, 'a<br />\nb'],
    [
      'ical',
      'styled-description',
      { 'styled-description': 'a\nb', params: { 'styled-description': [{ fmttype: 'TEXT/HTML' }] } },
      'a\nb',
    ],
  ])('A field of %s is HTML if the format says so: %s of %j', (connector, field, fields, expected) => {
    const { isHtmlField } = connectorOf({ source: { connector } } as Parameters<typeof connectorOf>[0]);
    const sync = withRule('description', { field });
    expect(payload(sync, { ...event, ...fields }, { isHtmlField }).description).toBe(expected);
  });
});

describe('A warning names what was removed', () => {
  test.each([
    ['a<script>alert(1)</script>b', ['description: removed <script>']],
    ['a<iframe src="https://v.example/1"></iframe>', ['description: removed <iframe src="https://v.example/1">']],
    ['a<script>alert(1) b', ['description: removed <script> and the text after it']],
    ['<svg/onload=alert(1)> b', ['description: removed <svg/onload=alert(1)>']],
    [
      '<form action="https://f.example"><input name=q>Text</form><img src="a.png">',
      [
        'description: removed 3 elements that are not allowed: <form action="https://f.example">, <input>, <img src="a.png">',
      ],
    ],
    [
      '<img src=1><img src=2><img src=3><img src=4>',
      ['description: removed 4 elements that are not allowed: <img src="1">, <img src="2">, <img src="3">, …'],
    ],
    ['<svg><a><img src=x></a></svg>', ['description: removed <svg>']],
    ['<a href="javascript:alert(1)">x</a>', ['description: removed the address of a link: javascript:alert(1)']],
    ['<a href="tel:1">x</a><a href="ftp://a">y</a>', ['description: removed the addresses of 2 links: tel:1, ftp://a']],
    ['<div><span style="x">a</span><h1>b</h1></div><style>p{}</style><!-- c --><meta name="a" content="b">', []],
  ])('%j', (text, messages) => expect(warned(text)).toEqual(messages));

  test('and what visitors see as text although it may be meant as HTML', () => {
    const escaped = '&lt;p&gt;Hi&lt;/p&gt;';
    expect(value(escaped)).toBe(escaped);
    const message = 'shows escaped HTML as text, such as &lt;p&gt;; the source may escape it twice';
    expect(warned(escaped)).toEqual([`description: ${message}`]);
    expect(warned(escaped, {}, 'title')).toEqual([`title: ${message}`]);
    expect(warned('5 &lt; 10 &lt;ana@example.edu&gt;')).toEqual([]);
  });

  test('also for other attributes', () => {
    expect(warned('<b>T</b><img src=a.png>', {}, 'title')).toEqual(['title: removed <img src="a.png">']);
    expect(warned('<a href="https://a.example">T</a>', { html: 'text' }, 'custom')).toEqual([]);
  });
});

test.each([
  ['strays', '<x '.repeat(40_000)],
  ['tags without ends', '<b a="'.repeat(20_000)],
  ['names', '<a'.repeat(40_000)],
  ['comments', '<!--'.repeat(20_000)],
  ['CDATA', '<![CDATA['.repeat(20_000)],
  ['end tags', '</b '.repeat(20_000)],
  ['references', '&amp'.repeat(20_000)],
  ['addresses', 'https://a.example/( '.repeat(8_000)],
  ['an address', `https://a.example/${'('.repeat(100_000)}`],
  ['at signs', 'a@'.repeat(40_000)],
  ['line breaks', '\n \n'.repeat(40_000)],
])('A long text of %s takes linear time', { timeout: 120_000 }, (_, text) => {
  // CPU time, because other processes may use most of the machine.
  const before = process.cpuUsage();
  for (const attribute of ['description', 'title']) value(`x${text}`, {}, attribute);
  expect(process.cpuUsage(before).user).toBeLessThan(15_000_000);
});
