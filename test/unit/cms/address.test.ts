import { describe, expect, test } from 'vitest';
import { apiAddress } from '../../../src/cms/address.ts';
import { CodedError } from '../../../src/core/errors.ts';

const codeOf = (baseUrl: string, allowHttp = false) => {
  try {
    apiAddress(baseUrl, allowHttp);
  } catch (error) {
    return error instanceof CodedError ? error.code : error;
  }
  return 'accepted';
};

describe('The address of the API', () => {
  test.each([
    ['https://www.example.edu', 'https://www.example.edu', '/api/v1/'],
    ['https://www.example.edu/', 'https://www.example.edu', '/api/v1/'],
    ['https://www.example.edu:8443/site//', 'https://www.example.edu:8443', '/site/api/v1/'],
    ['https://www.example.edu/a/b', 'https://www.example.edu', '/a/b/api/v1/'],
  ])('The address %s has an origin and a path', (baseUrl, origin, path) => {
    expect(apiAddress(baseUrl, false)).toMatchObject({ origin, path });
  });

  test.each(['http://localhost:1', 'http://cms.localhost', 'http://127.0.0.1:1', 'http://127.8.9.1', 'http://[::1]:1'])(
    'HTTP to this machine is allowed: %s',
    (baseUrl) => expect(codeOf(baseUrl)).toBe('accepted'),
  );

  test.each([
    'http://www.example.edu',
    'http://10.0.0.1',
    'http://127.0.0.1.example.edu',
    'http://[::2]',
    'http://localhost.example.edu',
  ])('HTTP to another machine needs permission: %s', (baseUrl) => {
    expect(codeOf(baseUrl)).toBe('FF_CMS_INSECURE');
    expect(codeOf(baseUrl, true)).toBe('accepted');
  });

  test.each([
    '',
    'www.example.edu',
    'ftp://example.edu',
    'https://u:p@example.edu',
    'https://example.edu?x=1',
    'https://example.edu#x',
    'https://example.edu/api/v1',
    'https://example.edu/site/api/v1/',
  ])('The address %j is refused', (baseUrl) => expect(codeOf(baseUrl, true)).toBe('FF_CONFIG_INVALID'));

  test('A refusal does not repeat a secret in the address', () => {
    expect(() => apiAddress('https://user:hunter2@example.edu', false)).not.toThrow('hunter2');
  });
});
