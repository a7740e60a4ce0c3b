import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { CmsClient } from '../../../../src/cms/client.ts';
import type { Payload } from '../../../../src/core/record.ts';
import type { Ledger } from '../../../../src/ledger/ledger.ts';
import type { ClaimedRecord } from '../../../../src/ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../../../../src/sync/context/delivery-context.ts';
import { deliverRecord } from '../../../../src/sync/deliver/deliver-record.ts';
import { externalIdRoom } from '../../../../src/sync/evidence/external-id-room.ts';
import { createPasswordCipher } from '../../../../src/sync/passwords/password-cipher.ts';

const record: ClaimedRecord = {
  ...{ id: 1, sync: 'people', key: 'ada', run: 'run', claim: 'claim', resource: 'accounts', goal: { is: 'have' } },
  ...{ wanted: 1, desired: { username: 'ada' }, attachments: [], hash: '', attempts: 0, knows: 'none' },
  password: createPasswordCipher({ secret: 'words', dataDir: '/nowhere' }).seal('her password', 'people:ada'),
};

function contextWith(secret: string) {
  const created: Payload[] = [];
  const create = async (payload: Payload) => {
    created.push(payload);
    return { id: 7, ...payload };
  };
  const context = {
    sync: { name: 'people', resource: 'accounts' },
    target: {},
    cms: { accounts: () => ({ create }) } as unknown as CmsClient,
    habits: { learn: async () => {}, refusesAlt: () => false, ...externalIdRoom({} as Ledger, 'site', 'accounts') },
    passwordCipher: createPasswordCipher({ secret, dataDir: '/nowhere' }),
    log: pino({ level: 'silent' }),
  } as unknown as DeliveryContext;
  return { created, context };
}

test('The password is sent with the create, and is not stored with its payload', async () => {
  const { created, context } = contextWith('words');
  const result = await deliverRecord(record, context);
  expect(created).toEqual([{ username: 'ada', password: 'her password' }]);
  expect(result).toMatchObject({ is: 'created', cmsId: 7, delivered: { username: 'ada' } });
  expect(JSON.stringify(result)).not.toContain('her password');
});

test('A password that this process cannot decrypt holds the record, and no request is sent', async () => {
  const { created, context } = contextWith('other words');
  const result = await deliverRecord(record, context);
  expect(created).toEqual([]);
  expect(result).toMatchObject({ is: 'held', code: 'FF_SECRET_UNREADABLE' });
  expect(result).not.toHaveProperty('doubt');
  expect(result).not.toHaveProperty('sent');
});
