import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { watchPeople } from '../../../src/app/people.ts';
import { loadPeople } from '../../../src/config/people-file.ts';
import { sha256 } from '../../../src/core/hash.ts';
import { temporaryDir } from '../../support/engines.ts';

function written(text: string) {
  const dir = temporaryDir();
  onTestFinished(() => dir[Symbol.dispose]());
  const file = join(dir.path, 'tokens.yaml');
  writeFileSync(file, text);
  return file;
}

describe('The file of the tokens', () => {
  test('has names, roles, and tokens or their hashes', () => {
    const file = written(`
- { name: Ann Smith, role: approve, token: "\${ANN}" }
- { name: prometheus, role: view, token: "sha256:${sha256('metrics-metrics-metrics').toUpperCase()}" }
- { name: "*", role: view }
`);
    expect(loadPeople(file, { ANN: 'a-token-of-length' })).toEqual([
      { name: 'Ann Smith', role: 'approve', tokenHash: sha256('a-token-of-length') },
      { name: 'prometheus', role: 'view', tokenHash: sha256('metrics-metrics-metrics') },
      { name: '*', role: 'view' },
    ]);
  });

  test.each([
    ['- { name: Ann, role: approve, token: hidden }', 'tokens.yaml:1:38: [0].token must have at least 16 characters'],
    ['- { name: Ann, role: boss }', 'tokens.yaml:1:22: [0].role must be one of view, operate, approve, not "boss"'],
    ['- { name: Ann, role: view, tokens: hidden-hidden-hidden }', 'tokens.yaml:1:28: [0].tokens is not a known key'],
    [
      '- { name: Ann, role: view, token: "sha256:hidden-hidden-hidden" }',
      'must have at least 16 characters, or be sha256:',
    ],
    ['- { name: Ann, role: view }\n- { name: Ann, role: approve }', 'tokens.yaml:2:11: [1].name is in the file twice'],
    ['- { name: "*", role: view, token: hidden-hidden-hidden }', '[0].token must be absent: "*" has no token'],
    [
      '- { name: A, role: view, token: hidden-hidden-hidden }\n- { name: B, role: view, token: hidden-hidden-hidden }',
      'tokens.yaml:2:33: [1].token must be different for each name',
    ],
    ['- { name: Ann, role: view, token: hidden-hidden-hidden', 'tokens.yaml:1:'],
    ['ann: hidden-hidden-hidden', 'the file must be a list'],
    ['[]', 'must not be empty'],
  ])('%j is refused with its place, and no token is repeated', (text, message) => {
    const load = () => loadPeople(written(text), {});
    expect(load).toThrow(message);
    expect(load).not.toThrow('hidden');
  });

  test('is followed; the people of before stay if it has mistakes', () => {
    const file = written('- { name: Ann, role: view }');
    const lines: string[] = [];
    const people = watchPeople(file, {}, pino({ base: null }, { write: (line) => lines.push(JSON.parse(line).msg) }));
    const later = (text: string, seconds: number) => {
      writeFileSync(file, text);
      vi.spyOn(performance, 'now').mockReturnValue(performance.now() + seconds * 1000);
      return people().map(({ name }) => name);
    };
    onTestFinished(() => void vi.restoreAllMocks());
    expect(later('- { name: Ann, role: view }\n- { name: Otto, role: view }', 3)).toEqual(['Ann', 'Otto']);
    expect(later('- { name: Eve }', 3)).toEqual(['Ann', 'Otto']);
    expect(lines).toEqual([
      expect.stringContaining('has changed'),
      expect.stringContaining('tokens.yaml:1:3: [0].role must be one of view, operate, approve'),
      expect.stringContaining('The previous one stays in force'),
    ]);
  });
});
