import { expect, test } from 'vitest';
import { checkExternalId } from '../../../src/doctor/cms/external-id.ts';

const list = { name: 'events' } as Parameters<typeof checkExternalId>[0];
const sent = 'a-very-long-sync-name:T1';
const check = (shown: string | undefined) =>
  checkExternalId(list, 'source_key', [{ id: 1, source_key: shown }], new Map([[1, { source_key: sent }]]));

test('External ids that the CMS has cut are a warning, with the length that is needed', () => {
  expect(check(sent.slice(0, 20))).toMatchObject({
    is: 'warning',
    message: expect.stringContaining('cut the external ids of 1 of the 1 items'),
    remedy: expect.stringContaining(`at least ${sent.length} characters`),
  });
});

test.each([sent, 'others:T1'])('The external id %j is not cut', (shown) => {
  expect(check(shown)).toMatchObject({ is: 'ok' });
});
