import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { CmsRequest } from '../../../src/cms/request.ts';
import { readResponse } from '../../../src/cms/response.ts';
import { retryAfterMs } from '../../../src/core/retry.ts';

const now = Date.UTC(2030, 0, 1, 12, 0, 0);

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['7', 7_000],
    ['Tue, 01 Jan 2030 12:00:30 GMT', 30_000],
    ['Tuesday, 01-Jan-30 12:00:30 GMT', 30_000],
    ['Tue Jan  1 12:00:30 2030', 30_000],
    ['Tue, 01 Jan 2030 11:00:00 GMT', 0],
    ['999999999999', 900_000],
    ['-5', undefined],
    ['1.5', undefined],
    ['soon', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('The header %j is a pause of %j ms', (value, ms) => {
    expect(retryAfterMs(value, now)).toBe(ms);
  });
});

describe('Messages of responses', () => {
  const request: CmsRequest<unknown> = {
    method: 'POST',
    operation: 'events.create',
    path: 'calendar/events',
    schema: z.object({ id: z.int() }),
  };
  const read = (status: number, text: string, headers: Record<string, string> = {}, secrets: string[] = []) =>
    readResponse(request, { status, text, headers }, secrets, now);

  test.each([
    ['as it is', 'sent p&"ß/w'],
    ['escaped for HTML', 'sent p&amp;&quot;&#223;/w and p&#x26;&#34;ß/w'],
    ['in JSON', String.raw`{"password":"p&\"\u00df\/w"}`],
    ['in an address', 'sent /?password=p%26%22%C3%9F%2Fw'],
    ['in base64', Buffer.from('user:p&"ß/w').toString('base64')],
    ['in base64 for addresses', Buffer.from('p&"ß/w').toString('base64url')],
  ])('A password that the CMS repeats %s is not in the message', (_, detail) => {
    const body = JSON.stringify({ errors: [{ code: 422, title: 'Unprocessable Entity', detail }] });
    const messageOf = () => read(422, body, {}, ['p&"ß/w']);
    expect(messageOf).toThrow(/\[secret\]/);
    expect(messageOf).not.toThrow(/amp;|u00df|%26|dXNl|cCYi|ß/);
  });

  test('A message has every detail of the error body on one line', () => {
    const body = JSON.stringify({
      errors: [{ code: 422, title: 'Unprocessable Entity', detail: 'title:\nmissing' }, { title: 'No date' }, {}],
    });
    expect(() => read(422, body)).toThrow('POST calendar/events returned 422: title: missing; No date');
  });

  test('A message is never long', () => {
    const body = JSON.stringify({ errors: [{ detail: 'x'.repeat(10_000) }] });
    expect(() => read(400, body)).toThrow(/^.{500,600}$/);
  });

  test.each(['{"errors":[{"detail":"s3cr3t is wrong"}]}', '<html><title>s3cr3t</title></html>'])(
    'A message hides secrets: %s',
    (body) => {
      expect(() => read(401, body, {}, ['s3cr3t'])).toThrow('[secret]');
      expect(() => read(401, body, {}, ['s3cr3t'])).not.toThrow('s3cr3t');
    },
  );

  test('A message hides secrets in a content type', () => {
    const headers = { 'content-type': 'text/s3cr3t' };
    expect(() => read(502, 'x', headers, ['s3cr3t'])).toThrow('(text/[secret], ');
  });

  test.each([
    ['', 'no body'],
    [
      '<html><title>502 Bad\n Gateway</title>',
      'a body that is not JSON (text/html, 37 characters, titled "502 Bad Gateway")',
    ],
    ['{"errors":"none"}', 'JSON without details'],
    ['null', 'JSON without details'],
    ['[{"errors":[]}]', 'JSON without details'],
  ])('A message describes a body that is not from the API: %s', (body, said) => {
    expect(() => read(502, body, { 'content-type': 'text/html' })).toThrow(said);
  });

  test('A message names only the host of a redirect', () => {
    const redirect = () => read(302, '', { location: 'https://login.example.edu/sso?session=abc' });
    expect(redirect).toThrow('a redirect to login.example.edu');
    expect(redirect).not.toThrow('abc');
    expect(() => read(302, '', { location: '/elsewhere' })).toThrow('another path of the same host');
  });

  test('A message says what a success lacks', () => {
    expect(() => read(201, '{"title":"x"}')).toThrow('unlike a response of the API: id: ');
    expect(() => read(201, '{"id":')).toThrow('a body that is not JSON');
  });
});
