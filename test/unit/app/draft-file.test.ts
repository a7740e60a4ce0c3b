import { expect, test } from 'vitest';
import { draftText } from '../../../src/app/drafts/draft.ts';
import type { TargetConfig } from '../../../src/config/types.ts';

const target = { baseUrl: 'https://cms.example.edu', token: 'token', timezone: 'UTC' } as TargetConfig;
const text = `resource: events
source: { connector: csv, url: talks.csv }
key: id
map: { title: title, start: start }
`;
const record = (line: number, id: string, title: string) => ({
  at: `line ${line}`,
  fields: { id, title, start: '2027-03-01 18:00' },
});

test('A sample is judged as a run judges its records: what repeats another record counts once, other doubles are rejected', () => {
  const records = [record(2, '1', 'Maps'), record(3, '1', 'Maps'), record(4, '2', 'Ships'), record(5, '2', 'Tides')];
  const sample = { url: 'talks.csv', connector: 'csv', options: {}, records, isWhole: true, head: '' };
  const { judgement } = draftText('syncs/talks.yaml', text, sample, { target, variables: {} });
  expect(judgement).toMatchObject({
    first: [{ payload: { title: 'Maps' } }],
    accepted: 1,
    rejected: 2,
    repeated: 1,
    reasons: [{ at: 'line 4', reason: expect.stringContaining('The key "2" is also used at line 5.') }],
  });
});
