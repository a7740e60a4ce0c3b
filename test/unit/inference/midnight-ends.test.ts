import { describe, expect, test } from 'vitest';
import { proposalFor, rulesOf, table } from './setup.ts';

const names = ['Subject', 'Start Date', 'Start Time', 'End Date', 'End Time', 'All day event'];
const talk = ['Talk', '8/17/2027', '10:00:00 AM', '8/17/2027', '11:30:00 AM', 'False'];
const fair = ['Fair', '8/21/2027', '12:00:00 AM', '8/23/2027', '12:00:00 AM', 'True'];
const pair = { endDate: { field: 'End Date', format: 'M/d/yyyy' }, 'time.end': 'End Time' };
const joined = { end: { template: '{{ ["End Date"] }} {{ ["End Time"] }}', format: 'M/d/yyyy h:mm:ss a' } };
const endOf = (proposal: ReturnType<typeof proposalFor>) =>
  Object.fromEntries(Object.entries(rulesOf(proposal)).filter(([name]) => /^end|\.end$/.test(name)));

describe('An end whose day and time are two fields', () => {
  test('is one rule if whole days end at midnight of the next, and the meaning is asked for', () => {
    const proposal = proposalFor(table(names, talk, fair));
    expect(endOf(proposal)).toEqual(joined);
    expect(proposal.open).toMatchObject([{ id: 'meaning of End Date', line: 'end', safe: 'after' }]);
  });

  test.each([
    ['after', joined],
    ['last', pair],
  ])('means what a person has answered: %s', (answer, rules) => {
    const proposal = proposalFor(table(names, talk, fair), { 'meaning of End Date': answer });
    expect(endOf(proposal)).toEqual(rules);
    expect(proposal.open).toEqual([]);
  });

  test('is one rule without a question if only an evening ends at midnight', () => {
    const ball = ['Ball', '8/21/2027', '8:00:00 PM', '8/22/2027', '12:00:00 AM', 'False'];
    const proposal = proposalFor(table(names, talk, ball));
    expect(endOf(proposal)).toEqual(joined);
    expect(proposal.open).toEqual([]);
  });

  test.each([
    ['no end is midnight', ['Trip', '8/21/2027', '9:00:00 AM', '8/22/2027', '6:00:00 PM', 'False']],
    [
      'whole days end at midnight of their day',
      ['Sale', '8/21/2027', '12:00:00 AM', '8/21/2027', '12:00:00 AM', 'True'],
    ],
  ])('stays in two rules if %s', (reason, row) => {
    const others = reason.startsWith('no') ? [talk] : [talk, fair];
    const proposal = proposalFor(table(names, ...others, row));
    expect(endOf(proposal)).toEqual(pair);
    expect(proposal.open).toEqual([]);
    expect(proposal.warnings.join()).not.toContain('midnight');
  });

  test('is read in the order of day and month that the days decide', () => {
    const rows = [
      ['Talk', '17.8.2027', '10:00', '17.8.2027', '11:30', 'nein'],
      ['Fair', '5.8.2027', '00:00', '7.8.2027', '00:00', 'ja'],
    ];
    const proposal = proposalFor(
      table(['Titel', 'Beginnt am', 'Beginnt um', 'Endet am', 'Endet um', 'Ganztägiges Ereignis'], ...rows),
    );
    expect(rulesOf(proposal).end).toEqual({
      template: '{{ ["Endet am"] }} {{ ["Endet um"] }}',
      format: 'd.M.yyyy H:mm',
    });
  });

  test('needs no format in ISO 8601', () => {
    const columns = ['title', 'start_date', 'start_time', 'end_date', 'end_time'];
    const proposal = proposalFor(
      table(
        columns,
        ['Talk', '2027-08-17', '10:00', '2027-08-17', '11:30'],
        ['Fair', '2027-08-21', '00:00', '2027-08-23', '00:00'],
      ),
    );
    expect(rulesOf(proposal).end).toEqual({ template: '{{ end_date }} {{ end_time }}' });
  });

  test.each([
    ['a record lacks the time', [...names, 'Zone'], ['Walk', '8/18/2027', '10:00:00 AM', '8/18/2027', '', 'False', '']],
    [
      'the times are in a zone',
      [...names, 'Time zone'],
      ['Walk', '8/18/2027', '1:00:00 PM', '8/18/2027', '2:00:00 PM', 'False'],
    ],
  ])('stays in two rules with a warning if %s', (_, columns, row) => {
    const rows = [talk, fair, row].map((one) => [
      ...one.slice(0, 6),
      columns.includes('Time zone') ? 'Europe/Paris' : '',
    ]);
    const proposal = proposalFor(table(columns, ...rows));
    expect(endOf(proposal)).toEqual(pair);
    expect(proposal.warnings).toContainEqual(
      expect.stringContaining('1 event ends at midnight (End Time) of a later day'),
    );
  });
});

describe('Whole days among times in UTC', () => {
  const talk = { title: 'Talk', start: '2027-02-07T10:00:00Z', end: '2027-02-07T13:00:00Z' };
  const week = { title: 'Week', start: '2027-02-15T00:00:00Z', end: '2027-02-19T23:59:00Z' };
  const allDayOf = (...rows: Array<typeof talk & { fAllDayEvent?: boolean }>) => rulesOf(proposalFor(rows)).allDay;

  test('are those of the field that says so, as in SharePoint', () => {
    expect(allDayOf({ ...talk, fAllDayEvent: false }, { ...week, fAllDayEvent: true })).toBe('fAllDayEvent');
  });

  test.each([
    ['2027-02-15T00:00:00Z', '2027-02-19T23:59:00Z'],
    ['2027-02-15T00:00:00Z', '2027-02-20T00:00:00Z'],
    ['2027-02-15 00:00:00+00:00', '2027-02-15 23:59:59+00:00'],
  ])('are %s – %s without such a field', (start, end) => {
    expect(allDayOf(talk, { title: 'Week', start, end })).toHaveProperty('template');
  });

  test.each([
    ['2027-02-15T00:00:00Z', '2027-02-15T02:00:00Z'],
    ['2027-02-15T00:00:00Z', '2027-02-15T00:00:00Z'],
    ['2027-02-15T00:00:00+01:00', '2027-02-19T23:59:00+01:00'],
  ])('are not %s – %s', (start, end) => expect(allDayOf(talk, { title: 'Week', start, end })).toBeUndefined());
});
