import { describe, expect, test } from 'vitest';
import { looksSecret, looksSecretParameter, withoutSecretFields } from '../../../../src/core/text/secret-names.ts';

describe('Names of secrets', () => {
  test.each([
    ...['password', 'Password', 'initial_password', 'userPassword', 'PASSWD', 'pwd', 'login pass', 'passphrase'],
    ...['secret', 'clientSecret', 'client-secrets', 'token', 'access_token', 'apiKey', 'api-key', 'X-Api-Key'],
    ...['credentials', 'private key', 'Authorization', 'Passwort', 'Kennwort', 'Mot de passe', 'contraseña'],
    ...['PIN', 'door pin', 'SSN', 'Social Security Number', 'IBAN'],
  ])('The name %s is that of a secret', (name) => expect(looksSecret(name)).toBe(true));

  test.each([
    'passenger',
    'passport',
    'compass',
    'secretary',
    'Sekretariat',
    'key',
    'title',
    'keynote',
    'bypass',
    'pinned',
    '',
  ])('The name "%s" is not that of a secret', (name) => expect(looksSecret(name)).toBe(false));

  test.each(['key', 'apikey', 'sessionKey', 'signature', 'X-Amz-Signature', 'access_token'])(
    'The parameter %s of an address is that of a secret',
    (name) => expect(looksSecretParameter(name)).toBe(true),
  );

  test.each(['keyword', 'q', 'signatures', 'id'])('The parameter %s of an address is not that of a secret', (name) =>
    expect(looksSecretParameter(name)).toBe(false),
  );
});

test('The values of secrets are hidden at any depth; whether there are any stays', () => {
  const fields = {
    Password: 'hunter2',
    pin: 1234,
    name: 'Ann',
    user: [{ token: { a: 'b' }, protected: false }],
    pwd: '',
  };
  expect(withoutSecretFields(fields)).toEqual({
    Password: '[redacted]',
    pin: '[redacted]',
    name: 'Ann',
    user: [{ token: { a: '[redacted]' }, protected: false }],
    pwd: '',
  });
});
