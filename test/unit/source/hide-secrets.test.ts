import { expect, test } from 'vitest';
import { hideSecrets } from '../../../src/source/sample/hide-secrets.ts';

const secret = `a/b+c "d'&é<é`;
const json = JSON.stringify(secret).slice(1, -1);

test.each([
  ['itself', secret],
  ['in JSON', json],
  ['in a path or query', encodeURIComponent(secret)],
  ['in a query as forms write it', new URLSearchParams({ x: secret }).toString().slice(2)],
  ['in lower case', encodeURIComponent(secret).toLowerCase()],
  ['in a query that was decoded once too often', encodeURIComponent(secret.replace('+', ' '))],
  [
    'in HTML',
    secret.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll("'", '&#39;'),
  ],
])('A secret is hidden %s', (_, spelling) => {
  expect(hideSecrets(`before ${spelling} after`, [secret])).toBe('before *** after');
});

test('Secrets are hidden in all texts of a value, the longest first', () => {
  const value = { at: '$[0]', fields: { link: 'x?key=secret-key', list: ['secret', 7, null] } };
  expect(hideSecrets(value, ['secret', 'secret-key'])).toEqual({
    at: '$[0]',
    fields: { link: 'x?key=***', list: ['***', 7, null] },
  });
});
