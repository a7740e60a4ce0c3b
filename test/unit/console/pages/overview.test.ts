import { expect, test } from 'vitest';
import { overviewContent } from '../../../../src/console/pages/overview.ts';
import { syncContent } from '../../../../src/console/pages/sync.ts';
import type { OverviewView } from '../../../../src/queries/views/overview.ts';
import { ATTACK, aContext, aSync, aSyncRow, onlyViewer } from '../sample-views.ts';

const overview: OverviewView = {
  at: '2027-03-01T15:00:00.000Z',
  timezone: 'America/New_York',
  target: { baseUrl: 'https://cms.example.edu', state: 'stopped', reason: ATTACK },
  syncs: [aSyncRow(), aSyncRow({ sync: 'tours', health: 'broken', why: ATTACK, mistakes: [ATTACK] })],
  attention: [{ is: 'held', sync: 'talks', run: 'r1', text: '40 of 90 records are missing.' }],
  orphans: [{ sync: 'old-talks', items: 12 }],
};

test('The overview leads to the plan that waits, and shows the state of the CMS, mistakes and orphans as text', () => {
  const page = String(overviewContent(overview, aContext()).body);
  expect(page).toContain('/runs/r1/plan');
  expect(page).toContain('old-talks');
  expect(page).not.toContain('<script>');
  expect(page).toContain('&lt;script&gt;');
});

test('Only those who may run a sync are offered to', () => {
  const shown = (viewer = aContext().viewer) => {
    const { aside, body } = syncContent(aSync(), [], aContext({ viewer }));
    return `${aside}${body}`;
  };
  expect(shown()).toContain('Run now');
  expect(shown()).toContain('/syncs/talks/purge');
  expect(shown(onlyViewer)).not.toContain('Run now');
  expect(shown(onlyViewer)).not.toContain('/syncs/talks/purge');
});
