import { describe, expect, test } from 'vitest';
import type { MissingRule } from '../../../../src/config/types.ts';
import type { Member } from '../../../../src/ledger/members/members.ts';
import { type Cluster, judgeCluster } from '../../../../src/sync/merge/judge-cluster.ts';

const CONCERT = { title: 'Requiem', date: '2031-03-01', time: { start: '19:00:00' }, location: 'Hall' };
const DELETE: MissingRule = { policy: 'delete', after: { runs: 2 }, threshold: {}, includePast: false };

function member(source: string, more: Partial<Member> = {}): Member {
  const { payload = {} } = more;
  return {
    ...{ key: `${source}/1`, source, cluster: 'central/1', place: 'line 2', attachments: [], sourceHash: source },
    ...{ eventHash: String(payload.date ?? CONCERT.date), missedReadings: 0, readNo: 1 },
    ...more,
    payload: { ...CONCERT, ...payload },
  };
}

interface Options {
  missing?: MissingRule;
  proven?: string[];
  answers?: Array<[string, 'same' | 'distinct']>;
  isCovered?: boolean;
  publishedBy?: string;
}

function judge(members: Cluster, options: Options = {}) {
  const { missing = DELETE, proven = ['central', 'music'], answers = [], isCovered = true, publishedBy } = options;
  const rules = {
    ...{ places: ['location'], answers: new Map(answers), sources: ['central', 'music'] },
    ...{ fill: { description: ['music'] }, maps: new Map() },
  };
  const before = publishedBy === undefined ? undefined : { payload: CONCERT, files: [], givenBy: { '': publishedBy } };
  const leaving = { missingOf: () => missing, keeps: () => false, isCovered: () => isCovered, now: 0 };
  const verdict = judgeCluster({ members, before, proven: new Set(proven) }, rules, leaving);
  if (verdict.is === 'withdrawn') return verdict.as;
  if (verdict.is !== 'published') return verdict.is;
  const { record, leaving: left, strangers } = verdict;
  return [record.publisher.source, left ? `instead of ${left}` : '', ...strangers.map(({ key }) => `without ${key}`)]
    .filter(Boolean)
    .join(' ');
}

const gone = (source: string, missedReadings = 2) => member(source, { missedReadings });
const moved = (source: string) => member(source, { payload: { date: '2031-03-09' } });

describe('A cluster', () => {
  test.each<[string, string, Cluster, Options?]>([
    ['is published by the best source', 'central', [member('music'), member('central')]],
    ['is published by the best source that has not left', 'music', [gone('central'), member('music')]],
    ['stays with a source that has not been missing for long enough', 'central', [gone('central', 1), member('music')]],
    ['stays with a source that was not read', 'central', [gone('central'), member('music')], { proven: ['music'] }],
    [
      'does not return to a source that has left, while that is not read',
      'music',
      [gone('central'), member('music')],
      { proven: ['music'], publishedBy: 'music' },
    ],
    [
      'is missing once its source has left after one that is not read now',
      'missing',
      [gone('central'), gone('music')],
      { proven: ['music'], publishedBy: 'music' },
    ],
    ['stays as it is for past events', 'central', [gone('central'), member('music')], { isCovered: false }],
    [
      'stays with its source under policy keep',
      'central',
      [gone('central'), member('music')],
      { missing: { policy: 'keep' } },
    ],
    [
      'names the source that it leaves',
      'music instead of central',
      [gone('central'), member('music')],
      { publishedBy: 'central' },
    ],
    ['is missing once no source has it', 'missing', [gone('central', 1), gone('music', 1)]],
    [
      'is not missing while one source is unknown',
      'central',
      [gone('central', 1), gone('music', 1)],
      { proven: ['music'] },
    ],
    ['stays once its last days have left a window', 'outside', [gone('central'), gone('music')], { isCovered: false }],
    ['is deleted by its source', 'deleted', [member('central', { state: 'deleted' })]],
    ['passes on what one source has deleted', 'music', [member('central', { state: 'deleted' }), member('music')]],
    ['stays if all its records are rejected', 'rejected', [member('central', { state: 'rejected' })]],
    [
      'keeps the last good values of a rejected record',
      'central',
      [member('central', { state: 'rejected' }), member('music')],
    ],
    [
      'stays if the values may be those of another record',
      'rejected',
      [member('central'), member('music', { state: 'duplicate' })],
    ],
    ['is not carried on by another source', 'missing', [member('central', { state: 'withdrawn' }), member('music')]],
    [
      'is carried on if a person says so',
      'music',
      [member('central', { state: 'withdrawn' }), member('music')],
      { answers: [['withdrawn: central/1 ~ music/1', 'distinct']] },
    ],
    ['ignores what a worse source withdraws', 'central', [member('central'), member('music', { state: 'withdrawn' })]],
    ['follows its publisher', 'central', [moved('central'), member('music')]],
    [
      'loses a member that is elsewhere, as a person has said',
      'central without music/1',
      [member('central'), member('music', { payload: { location: 'Club' } })],
      { answers: [['places: club ~ hall', 'distinct']] },
    ],
    [
      'loses a moved member whose place another record of its source has taken',
      'central without music/1',
      [member('central'), moved('music'), member('music', { key: 'music/2' })],
    ],
    [
      'loses a member that is another event',
      'central without music/1',
      [member('central'), moved('music')],
      { answers: [['moved: central/1 ~ music/1', 'distinct']] },
    ],
  ])('%s: %s', (_, expected, members, options) => {
    expect(judge(members, options)).toBe(expected);
    expect(judge(members.toReversed() as unknown as Cluster, options)).toBe(expected);
  });
});
