import { pino } from 'pino';
import { expect, test } from 'vitest';
import type { CmsClient } from '../../../../src/cms/client.ts';
import type { Payload } from '../../../../src/core/record.ts';
import type { ClaimedRecord } from '../../../../src/ledger/records/claimed-record.ts';
import type { DeliveryContext } from '../../../../src/sync/context/delivery-context.ts';
import { deliverRecord } from '../../../../src/sync/deliver/deliver-record.ts';
import { createPasswordCipher } from '../../../../src/sync/passwords/password-cipher.ts';

const record: ClaimedRecord = {
  sync: 'people',
  key: 'ada',
  run: 'run',
  action: null,
  deleteUnconfirmed: false,
  attributesBeforeMark: null,
  beforeImage: null,
  expectedItemHash: null,
  claim: 'claim',
  resource: 'accounts',
  desired: { username: 'ada' },
  attachments: [],
  hash: '',
  delivered: null,
  deliveredAttachments: {},
  madeByCms: {},
  cmsId: null,
  editorState: {},
  password: createPasswordCipher({ secret: 'words', dataDir: '/nowhere' }).seal('her password', 'people:ada'),
  attempts: 0,
  createUnconfirmed: false,
  unconfirmedPayloads: null,
  quietSince: 0,
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
  expect(result).toMatchObject({
    is: 'held',
    code: 'FF_SECRET_UNREADABLE',
    createUnconfirmed: false,
  });
});
