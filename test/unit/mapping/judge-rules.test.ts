// biome-ignore-all lint/suspicious/noThenProperty: a key of rules
import { describe, expect, test } from 'vitest';
import type { SyncRule } from '../../../src/config/types.ts';
import type { Attachment, Payload } from '../../../src/core/record.ts';
import { compileRules, judgePicture, withBrokenRules } from '../../../src/mapping/judge-rules.ts';

const event: Payload = {
  title: 'Old Maps',
  description: '<p>Maps <b>of</b> the sea</p>',
  date: '2027-03-01',
  endDate: '2027-03-02',
  time: { start: '18:00:00', end: '20:00:00', type: 'timed' },
};
const picture = (location: string, alt?: string): Attachment => ({
  ...{ attribute: 'image', source: { is: 'location', location } },
  ...(alt !== undefined && { alt }),
});

function reasons(name: string, rule: Partial<SyncRule>, more: Payload = {}, attachments: Attachment[] = []): string[] {
  const judge = compileRules({ [name]: [{ then: 'warn', ...rule }] });
  const record = { resource: 'events' as const, payload: { ...event, ...more }, attachments };
  return judge(record, () => '2027-03-01').map(({ reason }) => reason);
}

describe('A rule', () => {
  test.each<[string, Partial<SyncRule>, Payload]>([
    ['title', { required: true, minLength: 8, maxLength: 8 }, {}],
    ['description', { maxLength: 15, minLength: 15 }, {}],
    ['title', { matches: '^old', noneOf: ['Test'] }, {}],
    ['category', { oneOf: ['Music', 'Film'] }, { category: 'music ' }],
    ['category', { oneOf: ['Music', 'Film'] }, { category: ['Film', 'Music'] }],
    ['category', { oneOf: ['Music'], minLength: 3, matches: 'x', https: true }, { category: '' }],
    ['category', { oneOf: ['Music'] }, {}],
    ['date', { after: 'today', before: '2027-03-01' }, {}],
    ['start', { before: 'end' }, {}],
    ['start', { after: 'today' }, {}],
    ['deadline', { before: 'start' }, { deadline: '2027-03-01' }],
    ['deadline', { before: 'start' }, { deadline: '2027-03-01T17:00:00' }],
    ['deadline', { before: 'missing' }, { deadline: '2027-03-01' }],
    ['link', { https: true }, { link: 'HTTPS://example.edu' }],
    [
      'description',
      { https: true },
      { description: '<a href="https://example.edu">a</a> <a href="mailto:x@y.z">m</a>' },
    ],
    ['time.start', { matches: '^18' }, {}],
  ])('is kept: %s %j %j', (name, rule, more) => {
    expect(reasons(name, rule, more)).toEqual([]);
  });

  test.each<[string, Partial<SyncRule>, Payload, string]>([
    ['category', { required: true }, {}, 'category: has no value, and needs one'],
    ['description', { required: true }, { description: '<p> </p>' }, 'description: has no value, and needs one'],
    ['tags', { required: true }, { tags: [] }, 'tags: has no value, and needs one'],
    ['title', { maxLength: 3 }, {}, 'title: "Old Maps" has 8 characters, more than 3'],
    ['title', { minLength: 9 }, {}, 'title: "Old Maps" has 8 characters, less than 9'],
    ['title', { maxLength: 1 }, { title: '👩‍🚀' }, 'title: "👩‍🚀" has 3 characters, more than 1'],
    [
      'description',
      { minLength: 16 },
      {},
      'description: "<p>Maps <b>of</b> the sea</p>" has 15 characters, less than 16',
    ],
    ['price', { matches: '^\\d+$' }, { price: 'free' }, 'price: "free" does not match "^\\\\d+$"'],
    ['price', { matches: '^\\d$' }, { price: 12 }, 'price: 12 does not match "^\\\\d$"'],
    [
      'category',
      { oneOf: ['Music', 'Film'] },
      { category: ['Film', 'Art'] },
      'category: "Art" is not one of Music, Film',
    ],
    ['title', { noneOf: ['old maps'] }, {}, 'title: "Old Maps" is not allowed'],
    ['date', { before: '2027-02-28' }, {}, 'date: "2027-03-01" is later than 2027-02-28'],
    ['date', { after: 'today' }, { date: '2027-02-28' }, 'date: "2027-02-28" is earlier than today'],
    [
      'deadline',
      { before: 'start' },
      { deadline: '2027-03-01T19:00:00' },
      'deadline: "2027-03-01T19:00:00" is later than start, 2027-03-01T18:00:00',
    ],
    [
      'link',
      { https: true },
      { link: 'http://example.edu' },
      'link: "http://example.edu" has an address without https://',
    ],
    [
      'link',
      { https: true, message: 'Use the secure address.' },
      { link: 'example.edu' },
      'link: "example.edu" has an address without https://. Use the secure address.',
    ],
    [
      'description',
      { https: true },
      { description: "<a href='http://a.b'>a</a>" },
      'description: "<a href=\'http://a.b\'>a</a>" has an address without https://',
    ],
  ])('is broken: %s %j %j', (name, rule, more, reason) => {
    expect(reasons(name, rule, more)).toEqual([reason]);
  });

  test.each<[Partial<SyncRule>, Attachment[], string[]]>([
    [{ required: true, https: true }, [picture('/feeds/a.png')], []],
    [{ required: true }, [], ['image: has no value, and needs one']],
    [
      { https: true },
      [picture('http://a.b/x.png?token=1')],
      ['image: the picture "x.png" has an address without https://'],
    ],
    [{ image: { alt: true } }, [picture('/a.png')], ['image: the picture "a.png" has no alternative text']],
    [{ image: { alt: true } }, [picture('/a.png', 'A map')], []],
    [{ image: { alt: true } }, [], []],
  ])('about a file: %j %j', (rule, attachments, expected) => {
    expect(reasons('image', rule, {}, attachments)).toEqual(expected);
  });

  test.each<[SyncRule['image'], string[]]>([
    [{ minWidth: 400, maxBytes: 5000, type: ['png', 'jpeg'] }, []],
    [{ minWidth: 800 }, ['image: the picture "a.png" is 400 pixels wide, less than 800']],
    [{ maxBytes: 4999 }, ['image: the picture "a.png" has 5,000 bytes, more than 4,999']],
    [{ type: ['jpeg', 'webp'] }, ['image: the picture "a.png" is of the type image/png, not jpeg or webp']],
  ])('about the content of a picture: %j', (image, expected) => {
    const facts = { mediaType: 'image/png', bytes: 5000, width: 400 };
    const broken = judgePicture(picture('/a.png'), facts, { image: [{ then: 'warn', image }] });
    expect(broken.map(({ reason }) => reason)).toEqual(expected);
  });
});

test('A record that breaks several rules is rejected for those that reject, else held, and warned of the others', () => {
  const record = { at: 'line 2', key: 'T1', resource: 'events' as const, payload: event, attachments: [] };
  const mapped = { is: 'desired' as const, record, warnings: [], sourceHash: 'x' };
  const rule = (then: SyncRule['then']) => ({ then, reason: then, kind: 'k' });
  expect(withBrokenRules(mapped, [])).toBe(mapped);
  expect(withBrokenRules(mapped, [rule('warn'), rule('reject'), rule('hold')])).toEqual({
    is: 'rejected',
    rejection: { at: 'line 2', key: 'T1', code: 'FF_RECORD_RULE', reason: 'reject', fields: undefined },
  });
  const both = withBrokenRules(mapped, [{ ...rule('hold'), reason: 'title: is long. Shorten it.' }, rule('hold')]);
  expect(both).toMatchObject({ hold: 'title: is long. Shorten it. hold' });
  const warnings = [{ at: 'line 2', message: 'warn', kind: 'k' }];
  expect(withBrokenRules(mapped, [rule('warn'), rule('hold')])).toEqual({
    is: 'desired',
    record,
    warnings,
    hold: 'hold',
  });
});
