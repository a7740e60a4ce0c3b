import { describe, expect, test } from 'vitest';
import { items, readAnswer } from './read-synced.ts';

const list = items(3);

describe('An answer that reports an error beside its data is incomplete, and the reason has the report', () => {
  test.each<[style: string, body: unknown, report: string, source?: string]>([
    [
      'GraphQL',
      { data: { events: list }, errors: [{ message: 'Timeout', path: ['events', 3] }] },
      'errors.0.message: Timeout',
    ],
    [
      'GraphQL, by code first',
      { errors: [{ code: 7, message: 'Timeout' }], data: { events: list } },
      'errors.0.message: Timeout',
    ],
    ['GraphQL, in the connection', { data: { events: { nodes: list, errors: ['x'] } } }, 'data.events.errors.0: x'],
    ['Google', { items: list, error: { code: 503, message: 'Backend Error' } }, 'error.message: Backend Error'],
    [
      'Stripe and GitHub',
      { data: list, message: 'Validation Failed', errors: [{ code: 'x' }] },
      'message: Validation Failed',
    ],
    ['OData, at the end', { value: list, error: { code: '', message: 'Broken' } }, 'error.message: Broken'],
    ['OData 3', { value: list, 'odata.error': { message: { value: 'Broken' } } }, 'odata.error.message.value: Broken'],
    [
      'SAP',
      { error: { code: 'X/1', message: { lang: 'en', value: 'Lock' } }, d: { results: list } },
      'error.message.value: Lock',
    ],
    ['WordPress', { code: 'x', message: 'y', data: { status: 500, events: list } }, 'data.status: 500'],
    ['JSON:API', { data: list, errors: [{ status: '500', title: 'Broken' }] }, 'errors.0.title: Broken'],
    [
      'Drupal',
      { data: list, meta: { omitted: { detail: 'Some resources have been omitted' } } },
      'meta.omitted.detail: Some',
    ],
    ['ProblemDetails', { type: 'about:blank', title: 'x', status: 503, events: list }, 'status: 503'],
    ['ASP.NET', { Message: 'An error has occurred.', events: list }, 'Message: An error has occurred.'],
    ['ASP.NET ModelState', { ModelState: { 'q.from': ['Wrong'] }, events: list }, 'ModelState.q.from.0: Wrong'],
    ['Elasticsearch timed_out', { timed_out: true, hits: { hits: list } }, 'timed_out: true'],
    ['Elasticsearch shards', { _shards: { total: 5, failed: 1 }, hits: { hits: list } }, '_shards.failed: 1'],
    ['Elasticsearch terminated_early', { terminated_early: true, hits: { hits: list } }, 'terminated_early: true'],
    ['Solr', { responseHeader: { status: 500 }, response: { docs: list } }, 'responseHeader.status: 500'],
    ['Facebook', { data: list, error: { message: 'Rate', type: 'OAuthException' } }, 'error.message: Rate'],
    ['success', { success: false, events: list }, 'success: false'],
    ['success as text', { success: 'false', events: list }, 'success: false'],
    ['status', { status: 'error', events: list }, 'status: error'],
    ['Google Maps', { status: 'OVER_QUERY_LIMIT', results: list }, 'status: OVER_QUERY_LIMIT'],
    ['an enumeration', { status: 'UNKNOWN_ERROR', results: list }, 'status: UNKNOWN_ERROR'],
    ['JSend', { status: 'fail', data: { events: list } }, 'status: fail'],
    ['Flickr', { stat: 'fail', events: list }, 'stat: fail'],
    ['Slack', { ok: false, events: list }, 'ok: false'],
    ['Slack warning', { ok: true, warning: 'missing_charset', events: list }, 'warning: missing_charset'],
    ['warnings', { warnings: { text: 'source B is down' }, events: list }, 'warnings.text: source B is down'],
    ['warnings as a list', { warnings: ['B is down'], events: list }, 'warnings.0: B is down', '\n  items: events'],
    ['error as true', { error: true, events: list }, 'error: true'],
    ['error as text', { meta: { error: 'upstream' }, events: list }, 'meta.error: upstream'],
    ['Chinese style', { errcode: 40001, errmsg: 'invalid credential', events: list }, 'errcode: 40001'],
    ['status object', { status: { error_code: 1008, error_message: null }, data: list }, 'status.error_code: 1008'],
    ['Overpass', { elements: list, remark: 'runtime error: Query timed out' }, 'remark: runtime error'],
    ['rate limit', { message: 'API rate limit exceeded', events: list }, 'message: API rate limit exceeded'],
    ['a record', [...list, { error: { code: 500, message: 'Broken' } }], '$[3]: {"error"'],
    ['a record in an object', { value: [...list, { error: 'Broken', status: 500 }] }, '$.value[3]: {"error"'],
  ])('%s', async (_, body, report, source = '') => {
    const result = await readAnswer(body, { source });
    expect(result.reason).toContain('the response reports an error (');
    expect(result.reason).toContain(report);
    expect(result.ids.slice(0, 3)).toEqual(['1', '2', '3']);
    const ignored = await readAnswer(body, { source: `${source}\n  ignoreSigns: [error]` });
    expect(ignored.complete).toBe(true);
  });

  test('JSON lines', async () => {
    const lines = [...list, { error: 'stream ended early' }].map((line) => `${JSON.stringify(line)}\n`).join('');
    const headers = { 'content-length': String(lines.length) };
    const result = await readAnswer(lines, { source: '\n  lines: true', headers });
    expect(result).toMatchObject({ complete: false, reason: expect.stringContaining('line 4: {"error"') });
  });

  test('JSON-LD', async () => {
    const event = { '@type': 'Event', '@id': 'x', name: 'Talk', startDate: '2027-03-01' };
    const body = { '@context': 'https://schema.org', '@graph': [event], errors: [{ message: 'Timeout' }] };
    const result = await readAnswer(body, { connector: 'jsonld' });
    expect(result).toMatchObject({ complete: false, reason: expect.stringContaining('errors.0.message: Timeout') });
  });
});

test.each<[string, unknown]>([
  ['no errors', { errors: [], error: null, events: list }],
  ['false and 0', { error: false, errors: 0, errorCount: 0, errcode: 0, errmsg: 'ok', warnings: {}, events: list }],
  ['empty texts', { error: '', error_description: '', errors: {}, events: list }],
  ['an error that says that all is well', { error: { code: 200, message: 'OK' }, events: list }],
  ['texts that say so', { error: 'none', errors: 'No errors', message: 'OK', events: list }],
  ['a success', { status: 'ok', success: true, code: 200, message: 'No error', events: list }],
  ['a message beside a success', { success: true, message: '3 events, error rate 0', events: list }],
  [
    'the error of an item',
    { events: items(3).map((item) => ({ ...item, error: 'E1', errors: [1], status: 'failed' })) },
  ],
  ['an item with nothing but an id and an error', { events: [{ id: 1, error: 'no picture' }] }],
  ['errors inside other data', { facets: { error: { count: 5 } }, labels: { error: 'Error' }, events: list }],
  [
    'shards that all answered',
    { _shards: { total: 5, successful: 5, failed: 0 }, timed_out: false, hits: { hits: list } },
  ],
  ['a status of no error', { status: 'NO_ERROR', result: 'no-error', events: list }],
  ['a status that is none', { status: 'published', state: 'NY', result: 'done', events: list }],
  ['Solr', { responseHeader: { status: 0, QTime: 3 }, response: { numFound: 3, start: 0, docs: list } }],
])('%s is no error', async (_, body) => {
  expect(await readAnswer(body)).toMatchObject({ complete: true });
});

test('A document of errors without a list is refused with the first of them', async () => {
  const body = { data: null, errors: [{ message: 'Not authorised' }] };
  await expect(readAnswer(body, { source: '\n  items: data.events' })).rejects.toThrow(
    'errors.0.message: "Not authorised"',
  );
});
