import { describe, expect, test } from 'vitest';
import { UNKNOWN } from '../../../../src/core/record.ts';
import { recordTitle } from '../../../../src/core/text/record-title.ts';

describe('The title of a record', () => {
  test.each([
    [
      'title, day, time and place',
      { title: 'Jazz  Night', date: '2027-03-05', time: { start: '18:00:00' }, eventLocation: 'Main hall' },
      'Jazz Night, 2027-03-05 18:00, Main hall',
    ],
    [
      'no time if it lasts whole days',
      { title: 'Fair', date: '2027-03-05', time: { start: '00:00:00', end: '23:59:59' } },
      'Fair, 2027-03-05',
    ],
    [
      'the first text of a place in parts',
      { title: 'Fair', venue: { name: 'Old barn', street: 'Mill Road 1' } },
      'Fair, Old barn',
    ],
    ['no unknown value', { title: 'Fair', date: UNKNOWN }, 'Fair'],
    ['nothing', {}, ''],
  ])('An event has its %s', (_, payload, title) => {
    expect(recordTitle(payload, 'events')).toBe(title);
  });

  test.each([
    [
      'display name and e-mail address',
      { title: 'Professor', displayName: 'Ada Li', firstName: 'A', email: 'ada@x.edu' },
      'Ada Li, ada@x.edu',
    ],
    ['first and last name', { title: 'Lecturer', firstName: 'Ada', lastName: 'Li' }, 'Ada Li'],
    ['username, if it has no name', { username: 'ali', email: 'ada@x.edu' }, 'ali, ada@x.edu'],
    ['address once, if that is also the username', { username: 'ada@x.edu', email: 'ada@x.edu' }, 'ada@x.edu'],
  ])('A person has the %s; the academic title is no name', (_, payload, title) => {
    expect(recordTitle(payload, 'accounts')).toBe(title);
  });
});
