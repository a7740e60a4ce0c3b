import { expect, test } from 'vitest';
import type { SyncConfig } from '../../../../src/config/types.ts';
import type { DesiredRecord } from '../../../../src/core/record.ts';
import { randomPassword, sealedPassword } from '../../../../src/sync/passwords/password.ts';

const readable = { seal: (text: string, owner: string) => `${owner}=${text}`, open: (sealed: string) => sealed };
const account: DesiredRecord = {
  at: 'line 1',
  key: 'ada',
  resource: 'accounts',
  payload: {},
  attachments: [],
};
const people = { name: 'people' } as SyncConfig;

test('A password of the source takes precedence over a generated one', () => {
  const generating = { ...people, generatePassword: true };
  expect(sealedPassword(account, people, readable)).toBeNull();
  expect(sealedPassword({ ...account, password: '' }, people, readable)).toBeNull();
  expect(sealedPassword({ ...account, password: 'hers' }, generating, readable)).toBe('people:ada=hers');
  expect(sealedPassword(account, generating, readable)).toMatch(/^people:ada=[\w-]{24}$/);
  expect(sealedPassword({ ...account, resource: 'events' }, generating, readable)).toBeNull();
});

test('Generated passwords have capitals, small letters and digits, and are unique', () => {
  const passwords = Array.from({ length: 500 }, randomPassword);
  for (const password of passwords) {
    expect(password).toMatch(/^[\w-]{24}$/);
    for (const kind of [/[a-z]/, /[A-Z]/, /\d/]) expect(password).toMatch(kind);
  }
  expect(new Set(passwords).size).toBe(500);
});
