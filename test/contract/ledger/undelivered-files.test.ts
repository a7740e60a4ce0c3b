import { describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import type { ClaimedRecord } from '../../../src/ledger/records/claimed-record.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const failed = {
  code: 'FF_ATTACHMENT_UNREADABLE',
  reason: 'a.png returned status 404.',
  file: 'f1',
  since: 0,
  tries: 2,
} as const;
const incomplete = (retryAfterMs: number) => ({ files: { image: failed }, retryAfterMs });
const shown = {
  attribute: 'image',
  code: failed.code,
  reason: failed.reason,
  since: '1970-01-01T00:00:00.000Z',
  tries: 2,
};

describe.each(ledgerEngines.filter(hasEngine))(
  'Files that records were delivered without, in a ledger on %s',
  (engine) => {
    const opened = withLedger(engine);

    /** Stages a row, delivers it, and ends the run with the result. */
    async function deliver(
      sync: string,
      row: object,
      result: object,
    ): Promise<{ claimed: ClaimedRecord; keys: string[]; run: string }> {
      const { runs, plans, records } = opened.ledger;
      const run = await runs.begin(sync, 'run');
      const common = {
        run,
        key: 'a',
        place: 'line 2',
        resource: 'events',
        attachments: '[]',
        changed: '[]',
        hash: 'h',
      } as const;
      await plans.add([{ ...common, op: 'create', desired: '{"title":"A"}', ...row }]);
      const keys = await plans.apply(run, sync);
      const [claimed] = await records.claim(sync, ['a'], 60_000);
      if (!claimed) throw new Error('nothing to claim');
      const delivered = {
        is: 'created',
        cmsId: sync.length,
        delivered: { title: 'A' },
        deliveredAttachments: {},
      } as const;
      await records.settle(claimed, { ...delivered, ...result });
      const receipt = { complete: true } as never;
      await runs.record(run, { counts: zeroCounts(), receipt, warnings: [] });
      await runs.finish(run);
      return { claimed, keys, run };
    }

    test('A difference in such a file is no open difference, and one that was delivered since neither', async () => {
      const { alerts, verifications } = opened.ledger;
      await deliver('not-counted-twice', {}, { incomplete: incomplete(0) });
      const found = { key: 'a', cmsId: 7, cause: 'fileMissing', attributes: ['image'] };
      const verify = async (differences: Array<typeof found>) => {
        await verifications.beginVerification('not-counted-twice');
        const end = {
          sync: 'not-counted-twice',
          isCertain: true,
          differences,
          summary: 'all',
          result: { proven: true },
        };
        await verifications.finishVerification(end);
        const [drift] = await verifications.drifts();
        expect((await alerts.health('not-counted-twice')).drift?.differences).toBe(drift?.differences);
        const page = await verifications.differencePage('not-counted-twice', -1, 9);
        return { drift, since: page.map(({ since }) => since) };
      };
      expect(await verify([found])).toEqual({ drift: undefined, since: ['undelivered'] });
      const edited = { ...found, cause: 'edited', attributes: ['title'] };
      expect(await verify([edited, found])).toMatchObject({
        drift: { differences: 1, summary: '1 edited' },
        since: ['open', 'undelivered'],
      });
      await deliver('not-counted-twice', { op: 'update', hash: 'h1' }, { is: 'updated', incomplete: incomplete(0) });
      expect(await verifications.differencePage('not-counted-twice', -1, 9)).toMatchObject([
        { since: 'repaired' },
        { since: 'undelivered' },
      ]);
      await deliver('not-counted-twice', { op: 'update', desired: '{"title":"B"}', hash: 'h2' }, { is: 'updated' });
      expect(await verifications.drifts()).toEqual([]);
      expect(await verifications.differencePage('not-counted-twice', -1, 9)).toMatchObject([
        { since: 'repaired' },
        { since: 'repaired' },
      ]);
    });

    test('They are listed and counted until they are delivered, and wait for their next try', async () => {
      const { runs, plans, records } = opened.ledger;
      const { run } = await deliver('waits', {}, { incomplete: incomplete(3_600_000) });
      const retryAt = expect.any(String);
      expect(await runs.report(run)).toMatchObject({
        ...{ status: 'success', withoutFiles: 1 },
        undeliveredFiles: [{ key: 'a', ...shown, retryAt }],
      });
      expect(await runs.get(run)).toMatchObject({ withoutFiles: 1 });
      expect(await records.withoutFiles('waits')).toMatchObject({
        records: 1,
        first: [{ key: 'a', ...shown, retryAt }],
      });
      expect(await records.state('waits', 'a')).toMatchObject({
        status: 'delivered',
        undeliveredFiles: [{ ...shown, retryAt }],
      });
      const known = (await plans.known('waits', ['a'])).get('a');
      expect(known).toMatchObject({ undeliveredFiles: { image: failed }, waitingFiles: { image: 'f1' } });

      // Another change does not end the wait.
      const changed = { op: 'update', desired: '{"title":"B"}', hash: 'h2' };
      const { claimed } = await deliver('waits', changed, { is: 'updated', incomplete: incomplete(3_500_000) });
      const waits = 'item' in claimed ? claimed.item.incomplete : undefined;
      expect(waits).toMatchObject({ files: { image: failed } });
      expect(waits?.retryAfterMs).toBeGreaterThan(3_000_000);
      const second = await deliver('waits', { op: 'update', retries_files: 'only' }, { is: 'updated' });
      expect('item' in second.claimed && second.claimed.item.incomplete).toMatchObject({ retryAfterMs: 0 });
      expect(await records.withoutFiles('waits')).toEqual({ records: 0, first: [] });
      expect(await runs.report(second.run)).not.toHaveProperty('withoutFiles');
    });

    test('A retry makes them due, and an item that is removed lacks none', async () => {
      const { runs, plans, records } = opened.ledger;
      await deliver('retried', {}, { incomplete: incomplete(3_600_000) });
      expect(await plans.retryable('retried')).toEqual(['a']);
      expect(await plans.retryable('retried', ['b'])).toEqual([]);
      const run = await runs.begin('retried', 'retry');
      await plans.stageRetries(run, 'retried');
      expect(await plans.summarise(run)).toMatchObject({ updates: 1, fileRetries: 1 });
      await plans.apply(run, 'retried');
      expect((await plans.known('retried', ['a'])).get('a')).not.toHaveProperty('waitingFiles');
      await runs.finish(run);
      await deliver('retried', { op: 'delete' }, { is: 'removed' });
      expect(await records.countWithoutFiles(['retried', 'waits'])).toEqual(new Map());
    });
  },
);
