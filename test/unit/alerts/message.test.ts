import { describe, expect, test } from 'vitest';
import { composeMessage } from '../../../src/alerts/message.ts';
import type { PlannedDeletes } from '../../../src/alerts/problems.ts';
import { errorTable } from '../../../src/core/errors.ts';
import { type RunReport, zeroCounts } from '../../../src/core/run.ts';
import type { ClaimedAlert } from '../../../src/ledger/alerts/alerts.ts';

const ABOUT = { timezone: 'America/New_York' };

const alert: ClaimedAlert = {
  sync: 'staff',
  kind: 'partial',
  channel: 'webhook',
  claim: 'c',
  run: 'r7',
  since: Date.parse('2027-03-01T08:00:00Z'),
  isOver: false,
  pendingCount: 1,
  sentCount: 0,
  attempts: 0,
  reported: new Set<string>(),
};

const report: RunReport = {
  run: 'r7',
  sync: 'staff',
  status: 'partial',
  counts: { ...zeroCounts(), read: 9, created: 1, rejected: 6, failed: 2 },
  complete: true,
  durationMs: 1234,
  rejections: Array.from({ length: 6 }, (_, index) => ({
    at: `line ${index + 2}`,
    code: 'FF_RECORD_VALUE' as const,
    reason: 'phone is "+1 555 0100", which is none',
    key: `ada.${index}@example.edu`,
  })),
  problems: [{ key: 'bob@example.edu', code: 'FF_CMS_UNPROCESSABLE', reason: 'Robert Smith is taken' }],
  warnings: [],
};

describe('Messages', () => {
  test('A message says what happened, with counts, first problems, remedies and where to look', () => {
    const { text, title, problems } = composeMessage([alert], report, { now: 0 }, ABOUT);
    expect(title).toBe('staff: some records were not delivered');
    expect(text.split('\n')).toEqual([
      'Run r7: partial; 9 read, 1 created, 6 rejected, 2 failed.',
      ...[2, 3, 4, 5, 6].flatMap((line) => [
        `- line ${line}, "a***@example.edu": FF_RECORD_VALUE A value does not fit its attribute.`,
        '  Correct the value in the source, or convert it with a rule in `map`.',
      ]),
      '- … and 2 more',
      'For details, run:',
      '  feedferry status staff',
      '  feedferry rejects staff',
    ]);
    expect(problems).toHaveLength(5);
  });

  test('A message about differences in the CMS counts them by their causes', () => {
    const drift = { id: 'v1', summary: '2 edited, 1 deleted', differences: 3 };
    const message = composeMessage([{ ...alert, kind: 'drift', run: 'v1' }], report, { now: 0, drift }, ABOUT);
    expect(message).toMatchObject({ title: 'staff: the CMS differs from what was delivered', problems: [] });
    expect(message.run).toBeUndefined();
    expect(message.text.split('\n')).toEqual([
      'Differences: 2 edited, 1 deleted.',
      'For details, run:',
      '  feedferry verify staff',
    ]);
  });

  test('A message shows no content of records except masked keys', () => {
    const whole = JSON.stringify(composeMessage([alert], report, { now: 0 }, ABOUT));
    for (const personal of ['ada', 'bob', 'Robert', '555']) expect(whole).not.toContain(personal);
  });

  test('A message about a held plan names what it would delete: events by their titles, people by their masked addresses', () => {
    const first: PlannedDeletes['first'] = [
      { key: 'E1', title: 'Jazz Night, 2027-03-05', resource: 'events', payload: {} },
      {
        key: 'ada',
        title: 'Ada Li, ada@example.edu',
        resource: 'accounts',
        payload: { email: 'ada@example.edu' },
      },
    ];
    const about = { ...ABOUT, deletes: { total: 3, first } };
    const { text, deletes } = composeMessage([{ ...alert, kind: 'held' }], report, { now: 0 }, about);
    expect(text).toContain(
      'It would delete 3 items:\n- Jazz Night, 2027-03-05 (E1)\n- a***@example.edu (ada)\n- … and 1 more',
    );
    expect(JSON.stringify(deletes)).not.toContain('Ada');
  });

  test('A problem whose key is masked leads to the list of records, and each page is linked once', () => {
    const problems = [{ key: 't1@town.example', title: 'Maps', code: 'FF_RECORD_REVIEW', reason: '' }];
    const about = { ...ABOUT, consoleUrl: 'https://console.example.edu', resource: 'events' } as const;
    const { text } = composeMessage([alert], { ...report, rejections: [], problems }, { now: 0 }, about);
    const record = 'https://console.example.edu/syncs/staff/records';
    expect(text).toContain('- Maps (t***@town.example): FF_RECORD_REVIEW ');
    expect(text).toContain(
      '\n  All that wait: the questions (https://console.example.edu/syncs/staff/questions). ' +
        `To publish: answer “Publish it” (${record}#answer). To leave it out for good: answer “Leave it out”.\n`,
    );
  });

  test('A problem of an event has its title, one of a person has not', () => {
    const named = {
      ...report,
      rejections: [],
      problems: [{ key: 'E1', title: 'Jazz Night', code: 'FF_CMS_TIMEOUT', reason: '' }],
    };
    const textFor = (resource: 'events' | 'accounts') =>
      composeMessage([alert], named, { now: 0 }, { ...ABOUT, resource }).text;
    expect(textFor('events')).toContain('- Jazz Night (E1): FF_CMS_TIMEOUT');
    expect(textFor('accounts')).toContain('- "E1": FF_CMS_TIMEOUT');
  });

  test('A message about a failed run gives the reason unless the error is unexpected', () => {
    const failed = { ...report, rejections: [], problems: [], status: 'failed' as const };
    const because = (code: string) => ({ code, message: 'no mail from eve@example.edu', remedy: 'Look.' });
    const messageOf = (code: string) =>
      composeMessage([{ ...alert, kind: 'failed' }], { ...failed, error: because(code) }, { now: 0 }, ABOUT);
    expect(messageOf('FF_FEED_STATUS').text).toContain('FF_FEED_STATUS no mail from e***@example.edu Look.');
    expect(messageOf('FF_BUG').text).toContain('FF_BUG An unexpected error occurred. Look.');
    expect(JSON.stringify(messageOf('FF_BUG'))).not.toContain('mail');
  });

  test('A message counts the suppressed alerts', () => {
    const { text, times } = composeMessage([{ ...alert, pendingCount: 4, sentCount: 1 }], report, { now: 0 }, ABOUT);
    expect(times).toBe(4);
    expect(text).toContain('Occurred 4 times since the last message.');
  });

  test('A message about a stale sync names its last good run', () => {
    const stale: ClaimedAlert = { ...alert, kind: 'stale', run: 'r3' };
    const finishedAt = Date.parse('2027-02-27T06:00:00Z');
    expect(composeMessage([stale], undefined, { now: 0, good: { run: 'r3', finishedAt } }, ABOUT).text).toContain(
      'The last good run ended at 2027-02-27 01:00 EST.',
    );
    expect(composeMessage([stale], undefined, { now: 0, firstAt: finishedAt }, ABOUT).text).toContain(
      'No run has succeeded since the first one at 2027-02-27 01:00 EST.',
    );
  });

  test('A recovery message names the problem and its beginning', () => {
    const over = { ...alert, isOver: true, sentCount: 1 };
    const earlier = { ...over, kind: 'failed' as const, since: Date.parse('2027-02-28T08:00:00Z') };
    const well = { ...report, status: 'success' as const, rejections: [], problems: [] };
    const { type, kinds, title, since, text } = composeMessage([over, earlier], well, { now: 0 }, ABOUT);
    expect({ type, kinds, title, since }).toEqual({
      type: 'recovery',
      kinds: ['partial', 'failed'],
      title: 'staff: working again',
      since: '2027-02-28T08:00:00.000Z',
    });
    expect(text).toContain('Resolved: partial, failed (since 2027-02-28 03:00 EST).');
  });

  test('A repeated message keeps its id, and the next one has another', () => {
    const id = (changed: Partial<ClaimedAlert>) =>
      composeMessage([{ ...alert, ...changed }], report, { now: 0 }, ABOUT).id;
    expect(id({ claim: 'other', attempts: 3 })).toBe(id({}));
    expect(id({ sentCount: 1, run: 'r8' })).not.toBe(id({}));
  });

  test.each([
    ['held', 'https://feeds.example.edu/runs/r7/plan'],
    ['failed', 'https://feeds.example.edu/runs/r7'],
    ['partial', 'https://feeds.example.edu/runs/r7'],
    ['empty', 'https://feeds.example.edu/syncs/staff'],
    ['stale', 'https://feeds.example.edu/syncs/staff'],
    ['drift', 'https://feeds.example.edu/syncs/staff'],
  ] as const)('A message about a sync that is %s links to %s', (kind, link) => {
    const about = { ...ABOUT, consoleUrl: 'https://feeds.example.edu' };
    const { links, text } = composeMessage([{ ...alert, kind }], report, { now: 0 }, about);
    expect(links).toEqual([link]);
    expect(text.split('\n')).toContain(`Open: ${link}`);
    // Those who can open the console need no commands.
    expect(text).not.toContain('For details, run:');
  });

  test('A remedy names the page of the console where a person can act, or else the command', () => {
    const error = {
      code: 'FF_GUARD_MISSING',
      message: '40 are missing.',
      remedy: errorTable.FF_GUARD_MISSING.remedy,
    } as const;
    const textWith = (about: object) =>
      composeMessage([{ ...alert, kind: 'held' }], { ...report, error }, { now: 0 }, { ...ABOUT, ...about }).text;
    expect(textWith({ consoleUrl: 'https://feeds.example.edu' })).toContain(
      `If they should go: approve the plan (https://feeds.example.edu/runs/${report.run}/plan#decision).`,
    );
    expect(textWith({})).toContain(`If they should go: \`feedferry approve ${report.run}\`.`);
  });

  test('A message has no links if the address of the console is unknown', () => {
    const message = composeMessage([{ ...alert, kind: 'held' }], report, { now: 0 }, ABOUT);
    expect(message.links).toBeUndefined();
    expect(message.text).not.toContain('Open:');
  });
});
