import { expect, test } from 'vitest';
import { readEnvironment } from '../../../src/app/environment.ts';

test.each([
  ['https://feeds.example.edu/', 'https://feeds.example.edu'],
  ['http://10.0.0.5:8420', 'http://10.0.0.5:8420'],
  ['https://example.edu/feedferry/', 'https://example.edu/feedferry'],
  ['', undefined],
])('HTTP_URL=%s is the address %s', (text, address) => {
  expect(readEnvironment({ HTTP_URL: text }).publicUrl).toBe(address);
});

test.each(['feeds.example.edu', 'javascript:alert(1)', 'https://u:p@example.edu', 'https://example.edu/?a=1'])(
  'HTTP_URL=%s is refused',
  (text) => {
    expect(() => readEnvironment({ HTTP_URL: text })).toThrow(expect.objectContaining({ code: 'FF_USAGE' }));
  },
);
