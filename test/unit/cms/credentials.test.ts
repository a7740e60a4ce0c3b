import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { checkedUserAgent, readToken } from '../../../src/cms/credentials.ts';
import { temporaryDir } from '../../support/engines.ts';

function fileWith(content: string): string {
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  const path = join(dir.path, 'token');
  writeFileSync(path, content);
  return path;
}

describe('Tokens', () => {
  test('The token is the given one, or that of the file, the variable, or the file that the variable names', () => {
    const [mine, named] = [fileWith('mine\n'), fileWith('\tnamed\r\n')];
    const environment = { CMS_API_TOKEN: 'variable', CMS_API_TOKEN_FILE: named };
    expect(readToken({ token: 'given', tokenFile: mine }, environment)).toBe('given');
    expect(readToken({ tokenFile: mine }, environment)).toBe('mine');
    expect(readToken({}, environment)).toBe('variable');
    expect(readToken({}, { CMS_API_TOKEN: '', CMS_API_TOKEN_FILE: named })).toBe('named');
  });

  test.each(['', 'two words', 'two\nlines', 'ü'])(
    'The token %j is refused in every place, and not repeated',
    (unusable) => {
      for (const read of [
        () => readToken({ token: unusable }, {}),
        () => readToken({ tokenFile: fileWith(unusable) }, { CMS_API_TOKEN: 'good' }),
        () => readToken({}, { CMS_API_TOKEN: unusable }),
      ]) {
        expect(read).toThrow(expect.objectContaining({ code: 'FF_CONFIG_INVALID' }));
        if (unusable) expect(read).not.toThrow(unusable);
      }
    },
  );

  test('A missing token file is reported by its path', () => {
    expect(() => readToken({ tokenFile: '/nowhere/token' }, {})).toThrow(
      expect.objectContaining({ code: 'FF_CONFIG_MISSING', message: expect.stringContaining('/nowhere/token') }),
    );
  });
});

test.each(['', ' ', 'a\r\nX: y', 'ü'])('The user agent %j is refused', (unusable) => {
  expect(() => checkedUserAgent(unusable)).toThrow(expect.objectContaining({ code: 'FF_CONFIG_INVALID' }));
});
