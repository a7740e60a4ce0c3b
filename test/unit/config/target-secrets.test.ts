import { describe, expect, test } from 'vitest';
import { env, events, failure, folder, problems, syncProblems, target } from './setup.ts';

const token = env.CMS_API_TOKEN;
const refused = (name: string) => `would send ${name} of the target to the server of the feed`;
const withSource = (more: string) =>
  `resource: events\nsource: { connector: csv, url: "https://x.edu/a", ${more} }\nkey: id\n`;

describe('A source takes no variable of the target', () => {
  test.each([
    ['query: { t: "${CMS_API_TOKEN}" }', '2:63', 'source.query.t', 'CMS_API_TOKEN'],
    ['headers: { X-Key: "a ${CMS_API_TOKEN} b" }', '2:69', 'source.headers.X-Key', 'CMS_API_TOKEN'],
    ['headers: { X-Site: "${CMS_BASE_URL}" }', '2:70', 'source.headers.X-Site', 'CMS_BASE_URL'],
    ['auth: { bearer: "${CMS_OTHER:-x}" }', '2:67', 'source.auth.bearer', 'CMS_OTHER'],
    ['auth: { user: me, password: "${CMS_API_TOKEN}" }', '2:79', 'source.auth.password', 'CMS_API_TOKEN'],
    ['body: { a: [{ b: "${CMS_API_TOKEN}" }] }', '2:68', 'source.body.a[0].b', 'CMS_API_TOKEN'],
    ['delimiter: "${CMS_BASE_URL}"', '2:62', 'source.delimiter', 'CMS_BASE_URL'],
  ])('in %s', (more, position, path, name) => {
    const found = syncProblems(withSource(more));
    const refusal = expect.stringMatching(/write a variable of the feed, such as \$\{FEED_TOKEN\}/);
    expect(found).toContainEqual(refusal);
    expect(found.join('\n')).toContain(`${position}: ${path} ${refused(name)}`);
    expect(found.join('\n')).not.toContain(token);
  });

  test('in the address', () => {
    const sync = events.replace('./feeds/events.csv', '"${CMS_BASE_URL}/events.csv"');
    expect(syncProblems(sync)).toEqual([expect.stringContaining(`2:32: source.url ${refused('CMS_BASE_URL')}`)]);
  });

  test('in one of several sources', () => {
    const source = (more: string) => `{ connector: csv, url: "https://x.edu/a", key: id${more} }`;
    const sync = `resource: events\nsources:\n  a: ${source('')}\n  b: ${source(', headers: { K: "${CMS_API_TOKEN}" }')}\n`;
    expect(syncProblems(sync)).toEqual([expect.stringContaining(`sources.b.headers.K ${refused('CMS_API_TOKEN')}`)]);
  });

  test('through an alias', () => {
    const sync = `resource: events\nkey: id\nmap: { title: { value: &t "\${CMS_API_TOKEN}" } }\nsource: { connector: csv, url: "https://x.edu/a", query: { q: *t } }\n`;
    expect(syncProblems(sync)).toEqual([expect.stringContaining(`4:63: source.query.q ${refused('CMS_API_TOKEN')}`)]);
  });

  test('that a secret of feedferry.yaml refers to, whatever its name', () => {
    const files = {
      'feedferry.yaml': `target:
  baseUrl: https://www.example.edu
  token: \${SITE_TOKEN}
  auth: { header: "\${SITE_HEADER}" }
  timezone: \${ZONE}
alerts:
  webhook: { url: "https://chat.example.edu/\${HOOK}" }
  email: { from: a@example.edu, to: b@example.edu, smtp: "smtp://me:\${MAIL}@mail.example.edu" }
`,
      'syncs/a.yaml': withSource(
        'timezone: "${ZONE}", query: { a: "${SITE_TOKEN}", b: "${SITE_HEADER}", c: "${HOOK}", d: "${MAIL}", e: "${FEED}" }',
      ),
    };
    const variables = { SITE_TOKEN: 'site-token', SITE_HEADER: 'h', ZONE: 'UTC', HOOK: 'k', MAIL: 'm', FEED: 'f' };
    const names = problems(files, variables).map((line) => /(source\.\S+) would send (\S+)/.exec(line)?.slice(1));
    expect(names).toEqual([
      ['source.query.a', 'SITE_TOKEN'],
      ['source.query.b', 'SITE_HEADER'],
      ['source.query.c', 'HOOK'],
      ['source.query.d', 'MAIL'],
    ]);
  });
});

describe('A source does not contain the token of the target', () => {
  test.each([
    ['under another name', 'query: { t: "${COPY}" }'],
    ['as a part of a text', 'headers: { Authorization: "Bearer ${COPY}" }'],
    ['written out', `query: { t: ${token} }`],
  ])('%s', (_, more) => {
    const found = problems({ 'feedferry.yaml': target, 'syncs/a.yaml': withSource(more) }, { ...env, COPY: token });
    expect(found).toEqual([expect.stringContaining(refused('the token'))]);
    expect(found[0]).not.toContain(token);
  });

  test('in a TypeScript file', () => {
    const sync = `const token = ${JSON.stringify(token)};
export default {
  resource: 'events', key: 'id',
  source: { connector: 'csv', url: 'https://x.edu/a?t=' + token, headers: { 'X-Key': token } },
};
`;
    const error = failure(folder({ 'feedferry.yaml': target, 'syncs/a.ts': sync }));
    expect(error.problems.map(({ line, message }) => [line, message.split(';')[0]])).toEqual([
      [4, `source.url ${refused('the token')}`],
      [4, `source.headers.X-Key ${refused('the token')}`],
    ]);
    expect(error.message).not.toContain(token);
  });

  test('unless the token is so short that it is part of any text', () => {
    const files = { 'feedferry.yaml': target, 'syncs/a.yaml': withSource('query: { a: xy, b: x, c: "x y" }') };
    const found = problems(files, { ...env, CMS_API_TOKEN: 'x' });
    expect(found).toEqual([expect.stringContaining(`source.query.b ${refused('the token')}`)]);
  });
});
