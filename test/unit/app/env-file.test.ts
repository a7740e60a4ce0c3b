import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { envFileOf, readEnvironmentWithFile } from '../../../src/app/env-file.ts';
import { folderOf } from '../../support/folder.ts';

/** The variables that a command gets in a folder with this `.env` file. */
function variablesFrom(envFile: string, variables: Record<string, string> = {}) {
  const dir = folderOf({ '.env': envFile });
  return readEnvironmentWithFile(variables, join(dir, 'config')).variables;
}

describe('The .env file', () => {
  test('is beside the config folder, wherever the command is started', () => {
    expect(envFileOf({})).toBe('.env');
    expect(envFileOf({ FEEDFERRY_CONFIG: '/srv/site/config/' })).toBe('/srv/site/.env');
    expect(envFileOf({ FEEDFERRY_CONFIG: '/srv/site/config/' }, '/srv/other/config')).toBe('/srv/other/.env');
    expect(variablesFrom('A=1\n')).toEqual({ A: '1' });
  });

  test('has a variable on each line, as Node reads them', () => {
    const text =
      '\uFEFF# comment\r\n\r\nA=1\r\nexport B = two words # comment\nC="a # b" # comment\nD=\'1\n2\'\nE=\nF=a"b"\n';
    expect(variablesFrom(text)).toEqual({ A: '1', B: 'two words', C: 'a # b', D: '1\n2', E: '', F: 'a"b"' });
  });

  test('gives way to variables that are set, also as a file, and even if they are empty', () => {
    const set = { LOG_LEVEL: 'warn', CMS_BASE_URL: '', CMS_API_TOKEN_FILE: '/run/token' };
    const text = 'LOG_LEVEL=debug\nCMS_BASE_URL=https://x.example.edu\nCMS_API_TOKEN=abc\nSTOP_AFTER=3\n';
    expect(variablesFrom(text, set)).toEqual({ ...set, STOP_AFTER: '3' });
  });

  test.each([
    ['no equals sign', 'A=1\nCMS_API_TOKEN hush-hush\n', 2],
    ['a colon', 'CMS_API_TOKEN: hush-hush', 1],
    ['an unclosed quote', 'A=1\n\nB="hush-hush\nC=3\n', 3],
    ['text after a quote', 'A="hush-hush"x\n', 1],
    ['UTF-16', Buffer.from('A=hush-hush\n', 'utf16le').toString('latin1'), 1],
  ])('with %s is refused by its line, without its text', (_, text, line) => {
    const refusal = expect.objectContaining({
      code: 'FF_ENV_FILE',
      message: expect.stringContaining(`.env:${line} is`),
    });
    expect(() => variablesFrom(text)).toThrow(refusal);
    expect(() => variablesFrom(text)).not.toThrow('hush');
  });

  test('that cannot be read is an error; a folder of that name, or none, is not', () => {
    const dir = folderOf({ 'loop/config/x': '', 'python/.env/bin/x': '' });
    symlinkSync('.env', join(dir, 'loop/.env'));
    const refusal = expect.objectContaining({
      code: 'FF_ENV_FILE',
      message: expect.stringContaining('cannot be read'),
    });
    expect(() => readEnvironmentWithFile({}, join(dir, 'loop/config'))).toThrow(refusal);
    expect(readEnvironmentWithFile({}, join(dir, 'python/config')).variables).toEqual({});
    expect(readEnvironmentWithFile({}, join(dir, 'nowhere/config')).variables).toEqual({});
  });
});
