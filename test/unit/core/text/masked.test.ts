import { expect, test } from 'vitest';
import { masked, maskedIn } from '../../../../src/core/text/masked.ts';

test.each([
  ['ada.lovelace@example.edu', 'a***@example.edu'],
  ['staff/<Ada+1@mail.example.edu>, ö@example.edu', 'staff/<A***@mail.example.edu>, ö***@example.edu'],
  ['no address @ all', 'no address @ all'],
  ['EVT-12', 'EVT-12'],
  ["o'brien@example.edu, 'ada@example.edu'", "o***@example.edu, 'a***@example.edu'"],
  ['ada.lovelace@@example.edu', 'a***@example.edu'],
  ['ada.lovelace@', 'a***@'],
  ['ada.lovelace ＠ example.edu', 'a***@example.edu'],
  ['ada.lovelace (at) example.edu or ada[AT]example.edu', 'a***@example.edu or a***@example.edu'],
  ['follow us @museum', 'follow us @museum'],
])('The key %s is shown as %s', (text, shown) => {
  expect(masked(text)).toBe(shown);
});

test.each([
  'ada lovelace@example.edu',
  'ada.lovelace',
  'ada,lovelace@example.edu',
  'lovelace',
  'ada at example.edu',
  '"Ada" lovelace',
])('What a value calls an e-mail address is masked wherever the value has it: %s', (email) => {
  const reason = `email: ${JSON.stringify(email)} is not an e-mail address`;
  const values = [
    { reason },
    { is: 'unknown', desired: { email }, differences: [{ attribute: 'email', from: 'eve@example.edu', to: email }] },
    { fields: { Name: 'Ada', 'E-Mail': [email] }, reason, problem: { message: `"${email}" is refused` } },
    { field: 'Mail', example: email },
  ];
  for (const value of values) {
    const shown = JSON.stringify(maskedIn(value));
    expect(shown).not.toContain('lovelace');
    expect(shown).not.toContain('at example');
  }
  expect(maskedIn(values[1])).toMatchObject({ is: 'unknown' });
});

test('A key that is an address is masked as a whole, wherever the value has it', () => {
  const key = 'ada lovelace@example.edu';
  const shown = maskedIn({ key, name: key, reason: `2 records have the key "${key}"` });
  expect(shown).toEqual({
    key: 'a***@example.edu',
    name: 'a***@example.edu',
    reason: '2 records have the key "a***@example.edu"',
  });
});

test('A placeholder in the place of an address changes no other text', () => {
  const shown = maskedIn({ is: 'unknown', title: 'Talk - unknown', email: 'unknown', work_email: '-' });
  expect(shown).toMatchObject({ is: 'unknown', title: 'Talk - unknown' });
});
