import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';
import { temporaryDir } from '../../support/engines.ts';

describe('HTTP settings', () => {
  test('HTTP is served on loopback by default, on a named port or none', () => {
    const usual = { host: '127.0.0.1', tokens: {}, edit: 'off', feedVariables: [] };
    expect(readEnvironment({}).http).toEqual({ port: undefined, ...usual });
    expect(readEnvironment({ HTTP_PORT: '8420' }).http).toEqual({ port: 8420, ...usual });
    expect(readEnvironment({ HTTP_PORT: 'off', HTTP_HOST: '0.0.0.0' }).http.port).toBe('off');
  });

  test.each(['127.0.0.1', '127.8.8.8', 'localhost', '::1'])('%s needs no token', (host) => {
    expect(readEnvironment({ HTTP_PORT: '0', HTTP_HOST: host }).http).toMatchObject({ port: 0, host });
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.org', '127.example.org', '1270.0.0.1'])('%s needs one', (host) => {
    expect(() => readEnvironment({ HTTP_HOST: host })).toThrow(
      expect.objectContaining({ code: 'FF_HTTP_OPEN', message: expect.stringContaining(host) }),
    );
    expect(() => readEnvironment({ HTTP_PORT: '0', HTTP_HOST: host, HTTP_TOKEN: '' })).toThrow('HTTP_TOKEN');
    expect(readEnvironment({ HTTP_HOST: host, HTTP_VIEW_TOKEN: 'a' }).http.tokens).toEqual({ view: 'a' });
  });

  test('Syncs are drafted only if HTTP_EDIT says so', () => {
    expect(readEnvironment({ HTTP_EDIT: 'draft' }).http.edit).toBe('draft');
    expect(readEnvironment({ HTTP_EDIT: 'off' }).http.edit).toBe('off');
    expect(() => readEnvironment({ HTTP_EDIT: 'yes' })).toThrow(
      'HTTP_EDIT must be off, draft, on or shared, not "yes".',
    );
  });

  test('Syncs are saved only if one process reads the folder, or if somebody says that all do', () => {
    const REDIS_URL = 'redis://127.0.0.1';
    expect(readEnvironment({ HTTP_EDIT: 'on' }).http.edit).toBe('save');
    expect(readEnvironment({ HTTP_EDIT: 'shared', REDIS_URL }).http.edit).toBe('save');
    expect(() => readEnvironment({ HTTP_EDIT: 'on', REDIS_URL })).toThrow(
      'with REDIS_URL there may be several processes',
    );
  });

  test('Each role has a token, which may be in a file', () => {
    using dir = temporaryDir();
    const file = join(dir.path, 'token');
    writeFileSync(file, 'from-a-file\n');
    const variables = {
      HTTP_HOST: '0.0.0.0',
      HTTP_TOKEN_FILE: file,
      HTTP_OPERATE_TOKEN: 'b',
      HTTP_VIEW_TOKEN_FILE: file,
    };
    expect(readEnvironment(variables).http.tokens).toEqual({
      approve: 'from-a-file',
      operate: 'b',
      view: 'from-a-file',
    });
  });

  test('A file of tokens opens the server to other machines, too', () => {
    const { http } = readEnvironment({ HTTP_HOST: '0.0.0.0', HTTP_TOKENS_FILE: 'tokens.yaml' });
    expect(http.tokensFile).toBe('tokens.yaml');
  });

  test.each([
    ['127.0.0.1', ['127.0.0.1', '::ffff:127.0.0.1'], ['127.0.0.2', '::1', '']],
    ['10.1.0.0/16, ::1', ['10.1.2.3', '::1'], ['10.2.0.1', '::2']],
    ['2001:db8::/32', ['2001:db8:1::1'], ['2001:db9::1', '192.0.2.1']],
  ])('The proxies %s are trusted, and no others', (list, inside, outside) => {
    const { isTrustedProxy } = readEnvironment({ HTTP_TRUSTED_PROXIES: list }).http;
    expect(inside.map((address) => isTrustedProxy?.(address))).toEqual(inside.map(() => true));
    expect(outside.map((address) => isTrustedProxy?.(address))).toEqual(outside.map(() => false));
  });

  test.each(['proxy.example.edu', '10.0.0.0/0', '::/0', '10.0.0.0/33', '10.0.0', 'all', '10.0.0.0/-1'])(
    '%s is no trusted proxy',
    (entry) => {
      const read = () => readEnvironment({ HTTP_TRUSTED_PROXIES: `127.0.0.1, ${entry}` });
      expect(read).toThrow(expect.objectContaining({ code: 'FF_USAGE', message: expect.stringContaining(entry) }));
    },
  );

  test.each([
    [{ HTTP_TOKENS_FILE: 'tokens.yaml' }, 'HTTP_TRUSTED_PROXIES'],
    [{ HTTP_TRUSTED_PROXIES: '127.0.0.1' }, 'HTTP_TOKENS_FILE'],
  ])('A header of a proxy needs more than %j', (given, lacking) => {
    const read = () => readEnvironment({ HTTP_USER_HEADER: 'X-Forwarded-User', ...given });
    expect(read).toThrow(expect.objectContaining({ code: 'FF_USAGE', message: expect.stringContaining(lacking) }));
  });

  test.each(['-1', '65536', 'eighty', '1.5'])('%s is no port', (port) => {
    expect(() => readEnvironment({ HTTP_PORT: port })).toThrow(expect.objectContaining({ code: 'FF_USAGE' }));
  });
});
