import { expect, test } from 'vitest';
import { CodedError } from '../../../../src/core/errors.ts';
import { createCmsHabits } from '../../../../src/sync/evidence/cms-habits.ts';
import { withLedger } from '../../../support/ledger.ts';

const opened = withLedger('sqlite');

test('After a PATCH that emptied what it did not send, a run sends only PATCHes that can empty nothing', async () => {
  const habits = createCmsHabits(opened.ledger)('https://cms.example', 'events');
  await habits.load();
  const error = new CodedError('FF_CMS_PATCH_REPLACES', 'emptied note');
  await habits.replaces('run', error, ['note']);
  const send = () => Promise.resolve('sent');
  await expect(habits.afterFirstPatch('run', ['note'], send)).rejects.toBe(error);
  expect(await habits.afterFirstPatch('run', [], send)).toBe('sent');
  expect(await habits.afterFirstPatch('next run', ['note'], send)).toBe('sent');
});
