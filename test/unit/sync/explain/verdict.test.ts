import { describe, expect, test } from 'vitest';
import type { RecordState } from '../../../../src/ledger/records/record-state.ts';
import { waitingVerdict } from '../../../../src/sync/explain/explain-record.ts';
import type { FoundRecord, SourceFinding } from '../../../../src/sync/explain/verdict.ts';
import { verdictOn } from '../../../../src/sync/explain/verdict.ts';

const desired: FoundRecord = { is: 'desired', at: 'line 2', payload: {}, files: [], warnings: [] };
const create = { op: 'create', changed: ['title'] } as const;
const update = { op: 'update', changed: ['title', 'image'] } as const;

function source(parts: Partial<SourceFinding> = {}): SourceFinding {
  return { location: 'talks.csv', complete: true, found: [desired], ...parts };
}

function record(parts: Partial<RecordState> = {}): RecordState {
  const known = { hash: null, payload: null, fingerprints: {}, isUnconfirmed: false, cmsId: null, editorState: {} };
  return { status: 'delivered', run: 'R1', attempts: 0, maybeSent: false, marked: false, known, ...parts };
}

const error = { code: 'FF_CMS_UNPROCESSABLE', reason: 'title: too long' } as const;

describe('Verdicts on a record', () => {
  test('A due record has a verdict', () => {
    expect(verdictOn(source(), undefined, create)).toMatchObject({ is: 'create', next: 'The next run creates it.' });
    expect(verdictOn(source(), undefined, { ...create, adopts: true }).next).toMatch(/looks it up in the CMS/);
    expect(verdictOn(source(), record({ cmsId: 7 }), update)).toMatchObject({
      is: 'update',
      next: 'The next run updates title, image.',
    });
  });

  test('The verdict on an undelivered record gives reason, remedy and next step', () => {
    expect(verdictOn(source(), record({ status: 'failed', error }), create)).toEqual({
      is: 'create',
      why: 'Its delivery failed: FF_CMS_UNPROCESSABLE title: too long',
      next: 'Read the detail, then correct the record in the source or the map. The next run creates it.',
    });
    const pending = record({ status: 'pending', error, retryAt: '2027-01-01T00:00:00.000Z' });
    expect(verdictOn(source(), pending, create).next).toBe('The next attempt, at 2027-01-01 00:00 UTC, creates it.');
    expect(verdictOn(source(), record({ status: 'pending' }), create).why).toMatch(/Run R1 is delivering it/);
    expect(verdictOn(source(), record({ status: 'held', error, maybeSent: true }), create).next).toMatch(/looks it up/);
  });

  test('A change that a plan holds back waits for a decision', () => {
    const absent = verdictOn(source({ found: [] }), record({ cmsId: 7 }), undefined, { policy: 'delete' });
    expect(waitingVerdict(absent, { run: 'R9', op: 'delete' })).toEqual({
      ...absent,
      next: 'A plan that deletes its item waits for a decision. To apply it: `feedferry approve R9`.',
    });
    expect(waitingVerdict(absent, undefined)).toBe(absent);
  });

  test('A delivered or skipped record has a verdict', () => {
    const since = '2027-01-01T00:00:00.000Z';
    const plan = { op: 'unchanged', changed: [] } as const;
    expect(verdictOn(source(), record({ cmsId: 7, deliveredAt: since }), plan)).toEqual({
      is: 'unchanged',
      why: 'The last delivery (2027-01-01 00:00 UTC) matches the source.',
      next: 'Nothing is sent.',
    });
    const overruled = { op: 'unchanged', changed: [], withheld: ['title', 'image'] } as const;
    expect(verdictOn(source(), record({ cmsId: 7 }), overruled).why).toMatch(
      /except title, image, where edits in the CMS/,
    );
    const skipped: FoundRecord = { is: 'skipped', at: 'line 2', reason: 'outside the window' };
    expect(verdictOn(source({ found: [skipped] }), record({ cmsId: 7 }))).toMatchObject({
      is: 'skipped',
      why: 'The record is skipped: outside the window',
      next: 'Its item in the CMS (id 7) stays.',
    });
  });

  test('A record that the source does not have has a verdict', () => {
    const gone = verdictOn(source({ found: [] }), record({ cmsId: 7 }));
    expect(gone).toMatchObject({ is: 'absent', why: 'The record is missing from the feed.' });
    expect(verdictOn(source({ found: [] }), record()).next).toMatch(/never reached the CMS/);
    expect(verdictOn(source({ found: [] }), record({ status: 'failed', error })).next).toBe(
      'It was not created, and is no longer sent: FF_CMS_UNPROCESSABLE title: too long',
    );
    expect(verdictOn(source({ found: [] }), record({ maybeSent: true, error })).next).toMatch(/may be in the CMS/);
    const cut = verdictOn(source({ found: [], complete: false, reason: 'it broke off' }), record({ cmsId: 7 }));
    expect(cut).toMatchObject({ is: 'absent', why: expect.stringMatching(/it broke off/) });
    expect(cut.next).toMatch(/does not prove that the record is missing/);
    const unread = source({ found: [], complete: false, error: { code: 'FF_FEED_STATUS', reason: 'status 500' } });
    expect(verdictOn(unread, undefined)).toMatchObject({ is: 'unread', why: expect.stringMatching(/FF_FEED_STATUS/) });
  });
});
