import { describe, expect, test } from 'vitest';
import { splitRange } from '../../../src/core/dates/ranges.ts';

describe('A range', () => {
  test.each([
    ['19:00 - 21:00', ['19:00', '21:00']],
    ['19:00–21:00', ['19:00', '21:00']],
    ['14:00-15:30 Uhr', ['14:00 Uhr', '15:30 Uhr']],
    ['19 bis 21 Uhr', ['19 Uhr', '21 Uhr']],
    ['1 May to 3 June 2027', ['1 May 2027', '3 June 2027']],
    ['19 October -14 November 2027', ['19 October 2027', '14 November 2027']],
    ['May 30 - June 2, 2027', ['May 30, 2027', 'June 2, 2027']],
    ['9 December - 23 January 2027', ['9 December', '23 January 2027']],
    ['5/1/2027-5/3/2027', ['5/1/2027', '5/3/2027']],
    ['2027-03-01 – 2027-03-03', ['2027-03-01', '2027-03-03']],
    ['9am-12pm', ['9am', '12pm']],
    ['2027-03-01/2027-03-03', ['2027-03-01', '2027-03-03']],
    ['10p-2:10a', ['10p', '2:10a']],
    ['20 a 22/09/2027', ['20/09/2027', '22/09/2027']],
    ['12.–14. Mai 2027', ['12. Mai 2027', '14. Mai 2027']],
    ['3-5 May 2027', ['3 May 2027', '5 May 2027']],
    ['May 3-5, 2027', ['May 3, 2027', 'May 5, 2027']],
    ['3/21-3/23/27', ['3/21/27', '3/23/27']],
    ['28.3.-2.4.2027', ['28.3.2027', '2.4.2027']],
    ['12/28-1/3/27', ['12/28', '1/3/27']],
    ['5/9-7/2/27', ['5/9', '7/2/27']],
    ['2027.3.15-16', ['2027.3.15', '2027.3.16']],
  ])('%j has two ends', (text, ends) => {
    expect(splitRange(text)).toEqual(ends);
  });

  test.each([
    ['1-3 PM', '1 pm'],
    ['7:30 – 9 p.m.', '7:30 pm'],
    ['11-1 PM', '11 am'],
    ['10:30-12:00 pm', '10:30 am'],
    ['12-1pm', '12 pm'],
    ['10-1 am', '10 pm'],
    ['9-11 am', '9 am'],
  ])('%j begins at %j: before its end', (text, first) => {
    expect(splitRange(text)[0]).toBe(first);
  });

  test.each(['2027-03-01', '19:30', 'a - b - c', 'Tea-time-dance', '-', '5 pm -', ''])('%j is none', (text) => {
    expect(splitRange(text)).toEqual([text.trim()]);
  });
});
