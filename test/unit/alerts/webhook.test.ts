import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { webhookSignature } from '../../../src/alerts/webhook.ts';
import { temporaryDir } from '../../support/engines.ts';

type Check = (headers: Record<string, string>, body: string, secret: string) => boolean;

/** The function that docs/alerts.md offers to receivers. */
async function documentedCheck(folder: string): Promise<Check> {
  const docs = readFileSync(join(import.meta.dirname, '../../../docs/alerts.md'), 'utf8');
  const [, snippet = ''] = /```js\n(.*?)```/s.exec(docs) ?? [];
  const file = join(folder, 'check.mjs');
  writeFileSync(file, snippet);
  return ((await import(/* @vite-ignore */ file)) as { isFromFeedferry: Check }).isFromFeedferry;
}

test('The documented check accepts signed messages and no others', async () => {
  using dir = temporaryDir();
  const isFromFeedferry = await documentedCheck(dir.path);
  const body = '{"sync":"Ödön"}';
  const headers = webhookSignature(body, 'secret', Date.now());
  expect(isFromFeedferry(headers, body, 'secret')).toBe(true);
  expect(isFromFeedferry(headers, `${body} `, 'secret')).toBe(false);
  expect(isFromFeedferry(headers, body, 'other')).toBe(false);
  expect(isFromFeedferry({ ...headers, 'feedferry-timestamp': '1' }, body, 'secret')).toBe(false);
  expect(isFromFeedferry(webhookSignature(body, 'secret', Date.now() - 301_000), body, 'secret')).toBe(false);
  expect(isFromFeedferry({}, body, 'secret')).toBe(false);
});

test('A signature is HMAC-SHA256 over seconds, a dot and the body', () => {
  // printf '1700000000.{}' | openssl dgst -sha256 -hmac key
  expect(webhookSignature('{}', 'key', 1_700_000_000_999)).toEqual({
    'feedferry-timestamp': '1700000000',
    'feedferry-signature': 'sha256=9d713ed406bb7076d4123f0dc2c39d2df5c654ed4b0cd56b52c8b4c940bd63ae',
  });
});
