import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { writeSandboxVariables } from '../../../../../src/cli/commands/sandbox/sandbox-env-file.ts';
import { folderOf } from '../../../../support/folder.ts';

const sandbox = { CMS_BASE_URL: 'http://127.0.0.1:8080', CMS_API_TOKEN: 'new-token' };

/** Writes the variables to a file with this text. */
function write(text: string, variables = sandbox) {
  const file = join(folderOf({ '.env': text }), '.env');
  const problem = writeSandboxVariables(file, variables);
  return { problem, text: readFileSync(file, 'utf8'), mode: statSync(file).mode & 0o777 };
}

describe('The sandbox writes its address and token', () => {
  test('to a new file, which only its user can read', () => {
    const file = join(folderOf({}), '.env');
    expect(writeSandboxVariables(file, sandbox)).toBeUndefined();
    expect(parseEnv(readFileSync(file, 'utf8'))).toEqual(sandbox);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('to the lines of an earlier sandbox, and leaves the others as they are', () => {
    const before = '# mine\nA="1 # 2"\nexport CMS_BASE_URL=http://localhost:1/ # old\n\nCMS_API_TOKEN="old"\nB=2';
    const after = write(before);
    expect(after).toEqual({
      problem: undefined,
      text: '# mine\nA="1 # 2"\nexport CMS_BASE_URL=http://127.0.0.1:8080\n\nCMS_API_TOKEN=new-token\nB=2',
      mode: 0o600,
    });
    expect(write(after.text).text).toBe(after.text);
  });

  test('behind other lines, and in place of empty values', () => {
    expect(write('A=1').text).toBe('A=1\nCMS_BASE_URL=http://127.0.0.1:8080\nCMS_API_TOKEN=new-token\n');
    expect(write('CMS_API_TOKEN=\nCMS_BASE_URL=\n').text).toBe(
      'CMS_API_TOKEN=new-token\nCMS_BASE_URL=http://127.0.0.1:8080\n',
    );
  });

  test.each(['a#b', `a"b'c`, '$&', '\\n', 'a\'b"c`d', "\\n'`", 'a "b\' `c` d'])('with a token such as %s', (token) => {
    const { problem, text } = write('', { ...sandbox, CMS_API_TOKEN: token });
    expect(problem).toBeUndefined();
    expect(parseEnv(text).CMS_API_TOKEN).toBe(token);
  });
});

describe('A file is left as it is', () => {
  test.each([
    ['that names another site', 'CMS_BASE_URL=https://www.example.edu\nCMS_API_TOKEN=secret\n', 'names another site'],
    ['that names one without a scheme', 'CMS_BASE_URL=www.example.edu\n', 'names another site'],
    ['that has a token without an address', 'CMS_API_TOKEN=secret\n', 'has a CMS_API_TOKEN'],
    ['whose lines are not what they seem', 'A="\nCMS_BASE_URL=http://127.0.0.1:1\n"\n', 'cannot be replaced safely'],
  ])('%s', (_, before, problem) => {
    const after = write(before);
    expect(after.text).toBe(before);
    expect(after.problem).toContain(problem);
    expect(after.problem).not.toContain('secret');
  });

  test.each([`'a"b\`c`, `a'b"c\`d#e`, ` a'b"c\``])('if no quotes keep the token: %s', (token) => {
    const { problem, text } = write('A=1\n', { ...sandbox, CMS_API_TOKEN: token });
    expect(problem).toContain('cannot be replaced safely');
    expect(text).toBe('A=1\n');
  });

  test('if it cannot be written', () => {
    const file = join(folderOf({ file: '' }), 'file', '.env');
    expect(writeSandboxVariables(file, sandbox)).toContain('cannot be written');
    expect(existsSync(file)).toBe(false);
  });
});
