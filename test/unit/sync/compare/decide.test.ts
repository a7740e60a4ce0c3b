import { describe, expect, test } from 'vitest';
import type { KnownRecord } from '../../../../src/ledger/records/known-record.ts';
import { desiredHash, refusalHash } from '../../../../src/sync/compare/changes.ts';
import { type DecisionContext, decide } from '../../../../src/sync/compare/decide.ts';
import { createPasswordCipher } from '../../../../src/sync/passwords/password-cipher.ts';

const passwordCipher = createPasswordCipher({ secret: 'for tests', dataDir: '/nowhere' });
const context: DecisionContext = {
  sync: { name: 'people', onDeletedInCms: 'leave' },
  configHash: 'c1',
  passwordCipher,
};
const desired = { payload: { title: 'Maps' }, fingerprints: { image: 'f1' } };
const record = { key: 'a', ...desired };
const deleted = { code: 'FF_CMS_DELETED', reason: 'gone' } as const;

const known = (more: Partial<KnownRecord> = {}): KnownRecord => ({
  payload: null,
  fingerprints: {},
  isUnconfirmed: false,
  cmsId: null,
  editorState: {},
  ...more,
});

const refusal = (password: string | null = null) => ({
  hash: refusalHash(desiredHash(desired), 'c1'),
  code: 'FF_CMS_UNPROCESSABLE' as const,
  reason: 'no',
  password,
});
const refused = { op: 'failed', refusal: { code: 'FF_CMS_UNPROCESSABLE', reason: 'no' } };

describe('Decisions about a record', () => {
  test('A record that the ledger does not know is created', () => {
    expect(decide(record, undefined, context)).toMatchObject({ op: 'create' });
    expect(decide(record, known(), context)).toMatchObject({ op: 'create' });
  });

  test('What became of a change without an answer is looked at even if the item is as desired', () => {
    const same = known({ ...desired, cmsId: 7 });
    expect(decide(record, same, context)).toEqual({ op: 'unchanged', changed: [] });
    expect(decide(record, { ...same, isUnconfirmed: true }, context)).toEqual({ op: 'update', changed: [] });
  });

  test('A record deleted in the CMS is skipped whatever its content, or created again', () => {
    const other = { ...record, payload: { title: 'Ships' } };
    for (const each of [record, other]) expect(decide(each, known({ deleted }), context)).toEqual({ op: 'skipped' });
    const recreating = { ...context, sync: { ...context.sync, onDeletedInCms: 'recreate' as const } };
    expect(decide(record, known({ deleted }), recreating)).toMatchObject({ op: 'create' });
  });

  test('A refused record is not sent while content and config are the same', () => {
    expect(decide(record, known({ refusal: refusal() }), context)).toMatchObject(refused);
    const update = known({ refusal: refusal(), cmsId: 7, payload: { title: 'Old' } });
    expect(decide(record, update, context)).toMatchObject(refused);
    expect(decide({ ...record, payload: { title: 'Ships' } }, update, context)).toMatchObject({ op: 'update' });
    expect(decide({ ...record, fingerprints: { image: 'f2' } }, update, context)).toMatchObject({ op: 'update' });
    expect(decide(record, update, { ...context, configHash: 'c2' })).toMatchObject({ op: 'update' });
  });

  test('A refused change that the source reverts leaves no change', () => {
    const delivered = { cmsId: 7, payload: desired.payload, fingerprints: desired.fingerprints };
    expect(decide(record, known({ refusal: refusal(), ...delivered }), context)).toMatchObject({ op: 'unchanged' });
  });

  test('A new password changes a refused create, but no update', () => {
    const sealed = passwordCipher.seal('old', 'people:a');
    const before = known({ refusal: refusal(sealed) });
    expect(decide({ ...record, password: 'old' }, before, context)).toMatchObject(refused);
    expect(decide({ ...record, password: 'new' }, before, context)).toMatchObject({ op: 'create' });
    expect(decide({ ...record, password: 'new' }, known({ refusal: refusal() }), context)).toMatchObject({
      op: 'create',
    });
    const foreign = createPasswordCipher({ secret: 'another', dataDir: '/nowhere' }).seal('old', 'people:a');
    const unreadable = known({ refusal: refusal(foreign) });
    expect(decide({ ...record, password: 'old' }, unreadable, context)).toMatchObject({ op: 'create' });
    const update = known({ refusal: refusal(), cmsId: 7, payload: { title: 'Old' } });
    expect(decide({ ...record, password: 'new' }, update, context)).toMatchObject(refused);
  });
});
