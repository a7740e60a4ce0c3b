import { describe, expect, test } from 'vitest';
import { zeroCounts } from '../../../src/core/run.ts';
import { openDatabase } from '../../../src/ledger/database/open.ts';
import { hasEngine, ledgerEngines } from '../../support/engines.ts';
import { withLedger } from '../../support/ledger.ts';

const DAY = 86_400_000;
const RETENTION = { runsMs: DAY, rejectsMs: DAY, filesMs: DAY, beforeImagesMs: DAY };
const KIM = { person: 'Kim', note: 'the term begins in May' };
const date = (key: string | undefined, reason: string) => {
  return { at: 'line 5', code: 'FF_RECORD_DATE', reason, fields: {}, ...(key !== undefined && { key }) } as const;
};

// What a person knows of and leaves as it is, on SQLite and on PostgreSQL.
describe.each(ledgerEngines.filter(hasEngine))('Acknowledged problems in a ledger on %s', (engine) => {
  const opened = withLedger(engine);

  /** A partial run that has read the feed whole, and rejected these records. */
  async function runWith(sync: string, rejections: Array<ReturnType<typeof date>>): Promise<string> {
    const { runs } = opened.ledger;
    const run = await runs.begin(sync, 'run');
    await runs.addRejections(run, 0, rejections);
    const counts = { ...zeroCounts(), read: 10, unchanged: 10 - rejections.length, rejected: rejections.length };
    await runs.record(run, {
      fingerprint: 'f1',
      counts,
      receipt: { location: 'talks.csv', complete: true, bytes: 1, sha256: '', durationMs: 1 },
    });
    await runs.finish(run);
    return run;
  }

  const keysOf = async (sync: string) =>
    (await opened.ledger.acknowledgements.acknowledged(sync)).map(({ kind, key }) => `${kind} ${key}`);

  test('A rejection is acknowledged until its reason changes', async () => {
    const { acknowledgements, alerts, runs } = opened.ledger;
    const run = await runWith('talks', [date('a', 'no date'), date('b', 'bad date')]);
    expect(await runs.firstRejections(run, 5, 'b')).toEqual([date('b', 'bad date')]);
    expect(await acknowledgements.acknowledge('talks', ['a', 'none'], KIM)).toEqual(['a']);
    expect(await acknowledgements.acknowledged('talks')).toEqual([
      { kind: 'rejected', key: 'a', count: 1, by: 'Kim', at: expect.stringMatching(/Z$/), note: KIM.note },
    ]);
    expect((await alerts.health('talks')).latest).not.toHaveProperty('isAcknowledged');
    await acknowledgements.acknowledge('talks', ['b'], { person: 'Ann' });
    expect((await alerts.health('talks')).latest).toMatchObject({ status: 'partial', isAcknowledged: true });
    expect(await acknowledgements.countAcknowledged([{ sync: 'talks' }, { sync: 'none' }])).toEqual(
      new Map([['talks', { rejected: 2, withoutFile: 0, differs: 0 }]]),
    );

    const next = await runWith('talks', [date('a', 'no date'), date('b', 'another bad date')]);
    expect(await keysOf('talks')).toEqual(['rejected a']);
    expect((await alerts.health('talks')).latest).toEqual(
      expect.objectContaining({ run: next, status: 'partial' }) &&
        expect.not.objectContaining({ isAcknowledged: true }),
    );
    // The reason of an earlier run is not the present one.
    await runWith('talks', [date('b', 'bad date')]);
    expect(await keysOf('talks')).toEqual(['rejected b']);
  });

  test('Records that have no key are acknowledged by their code, and all problems taken back', async () => {
    const { acknowledgements } = opened.ledger;
    await runWith('walks', [date(undefined, 'no date'), date('c', 'bad date')]);
    const names = await acknowledgements.keysRejectedFor('walks', 'FF_RECORD_DATE');
    expect(names).toEqual([expect.stringMatching(/^\?[0-9a-f]{12}$/), 'c']);
    expect(await acknowledgements.keysRejectedFor('walks', 'FF_RECORD_KEY')).toEqual([]);
    await acknowledgements.acknowledge('walks', names, KIM);
    expect(await keysOf('walks')).toEqual([`rejected ${names[0]}`, 'rejected c'].sort());
    expect(await acknowledgements.takeBack('walks', [names[0] ?? '', 'none'])).toEqual([names[0]]);
    expect(await keysOf('walks')).toEqual(['rejected c']);
  });

  test('A difference is acknowledged until it is another one', async () => {
    const { acknowledgements, alerts, verifications } = opened.ledger;
    const verified = async (liveHash: string) => {
      await verifications.beginVerification('tours');
      await verifications.finishVerification({
        ...{ sync: 'tours', isCertain: true, summary: '1 edited', result: {} },
        differences: [{ key: 'a', cmsId: 7, cause: 'edited', attributes: ['title'], liveHash }],
      });
    };
    const { run } = await opened.ledger.runs.lead('tours', 'run', { targetId: 't', resource: 'events' });
    const content = { resource: 'events', desired: '{}', attachments: '[]', hash: 'h' } as const;
    await opened.ledger.plans.add([{ run, key: 'a', op: 'update', place: 'line 2', ...content }]);
    await opened.ledger.plans.apply(run, 'tours');
    await opened.ledger.plans.discard(run);
    await opened.ledger.runs.finish(run);
    await verified('h1');
    expect(await acknowledgements.acknowledge('tours', ['a'], KIM)).toEqual(['a']);
    expect(await alerts.health('tours')).not.toHaveProperty('drift');
    await verified('h1');
    expect(await keysOf('tours')).toEqual(['differs a']);
    await verified('h2');
    expect(await keysOf('tours')).toEqual([]);
    expect((await alerts.health('tours')).drift).toMatchObject({ differences: 1 });
  });

  test('Acknowledgements of present problems do not expire', async () => {
    const { acknowledgements, retention } = opened.ledger;
    await runWith('shows', [date('a', 'no date'), date('b', 'no date')]);
    await acknowledgements.acknowledge('shows', ['a', 'b'], KIM);
    await runWith('shows', [date('a', 'no date')]);
    const { dataDir, databaseUrl } = opened;
    const { db } = await openDatabase({ dataDir, ...(databaseUrl ? { databaseUrl } : {}) });
    await db.updateTable('acknowledgements').set({ used_at: 0 }).where('sync', '=', 'shows').execute();
    await acknowledgements.keepAcknowledged('shows');
    await retention.run(RETENTION, new AbortController().signal);
    const left = db.selectFrom('acknowledgements').select('reject').where('sync', '=', 'shows');
    expect(await left.execute()).toEqual([{ reject: 'a' }]);
    await db.destroy();
  });
});
