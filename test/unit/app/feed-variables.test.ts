import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';
import { knownVariables } from '../deploy/known-variables.ts';

function listed(list: string, variables: Record<string, string> = {}) {
  return readEnvironment({ HTTP_EDIT_VARIABLES: list, ...variables }).http.feedVariables;
}

describe('Variables with the keys of feeds that people open in the browser', () => {
  test.each<[entry: string, may: string[], mayNot: string[]]>([
    [
      'FEED_KEY@api.example.edu',
      ['https://api.example.edu/a', 'https://API.example.edu:443/'],
      [
        ...['http://api.example.edu/', 'https://api.example.edu:8443/', 'https://api.example.edu.evil.example/'],
        ...['https://evil.example/api.example.edu', 'https://x.api.example.edu/', 'https://api.example.edu./'],
        ...['https://api.example.edu@evil.example/', 'https://apiXexample.edu/'],
      ],
    ],
    [
      'FEED_KEY@*.example.edu',
      ['https://api.example.edu/', 'https://a.b.example.edu/'],
      ['https://example.edu/', 'https://evilexample.edu/', 'https://example.edu.evil.example/'],
    ],
    ['FEED_KEY@http://api.example.edu', ['http://api.example.edu/'], ['https://api.example.edu/']],
    ['FEED_KEY@api.example.edu:8443', ['https://api.example.edu:8443/'], ['https://api.example.edu/']],
    ['FEED_KEY@bücher.example', ['https://bücher.example/', 'https://xn--bcher-kva.example/'], []],
  ])('%s is for its host only', (entry, may, mayNot) => {
    const [variable] = listed(entry);
    expect(variable).toMatchObject({ name: 'FEED_KEY', access: { auth: { bearer: '${FEED_KEY}' } } });
    expect(may.filter((url) => !variable?.isFor(new URL(url)))).toEqual([]);
    expect(mayNot.filter((url) => variable?.isFor(new URL(url)))).toEqual([]);
  });

  test.each([
    ['X-Api-Key: FEED_KEY@a.example', { headers: { 'X-Api-Key': '${FEED_KEY}' } }],
    ['X-Api-Key:FEED_KEY@*.a.example', { headers: { 'X-Api-Key': '${FEED_KEY}' } }],
    ['?key=FEED_KEY@http://a.example', { query: { key: '${FEED_KEY}' } }],
    ['basic reader:FEED_KEY@a.example', { auth: { user: 'reader', password: '${FEED_KEY}' } }],
    ['bearer FEED_KEY@a.example', { auth: { bearer: '${FEED_KEY}' } }],
  ])('%s says how the server receives it', (entry, access) => {
    expect(listed(entry)).toMatchObject([{ name: 'FEED_KEY', access }]);
  });

  test('several are separated by commas', () => {
    expect(listed(' A_KEY@a.example , B_KEY@*.b.example,').map(({ name }) => name)).toEqual(['A_KEY', 'B_KEY']);
    expect(listed('')).toEqual([]);
  });

  test.each([
    ...['FEED_KEY', 'FEED_KEY@', '@api.example.edu', 'FEED KEY@api.example.edu', '${FEED_KEY}@api.example.edu', '*'],
    ...['FEED_KEY@*', 'FEED_KEY@*.edu', 'FEED_KEY@a.*.edu', 'FEED_KEY@ftp://api.example.edu', 'FEED_KEY@a b'],
    ...[
      'FEED_KEY@api.example.edu/path',
      'FEED_KEY@user@api.example.edu',
      'FEED_KEY@api.example.edu:x',
      '1KEY@a.example',
      ...['X Key: FEED_KEY@a.example', 'X-Key: @a.example', '?=FEED_KEY@a.example', 'basic ${X}:FEED_KEY@a.example'],
    ],
  ])('%s is no such entry', (entry) => {
    expect(() => listed(entry)).toThrow(
      expect.objectContaining({ code: 'FF_USAGE', message: expect.stringContaining('HTTP_EDIT_VARIABLES') }),
    );
  });

  test('variables of feedferry and of the target are refused', () => {
    const more = ['CMS_ANYTHING', 'cms_api_token', 'HTTP_EDIT_VARIABLES', 'HTTPS_PROXY', 'SMTP_PASSWORD', 'PGPASSWORD'];
    for (const name of [...knownVariables, ...more])
      expect(() => listed(`${name}@a.example`), name).toThrow('a variable of feedferry');
  });

  test('a value that is too short to be hidden is refused, without showing it', () => {
    expect(() => listed('FEED_KEY@a.example', { FEED_KEY: '1$2_3' })).toThrow(
      /FEED_KEY has fewer than 6 characters(?!.*1\$2_3)/,
    );
    expect(listed('FEED_KEY@a.example', { FEED_KEY: '' })).toHaveLength(1);
  });
});
