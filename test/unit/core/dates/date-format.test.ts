import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileDateFormat } from '../../../../src/core/dates/date-format.ts';

describe('Dates in a format', () => {
  test.each([
    ['dd/MM/yyyy', '03/04/2026', { date: '2026-04-03' }],
    ['MM/dd/yyyy', '03/04/2026', { date: '2026-03-04' }],
    ['d.M.yy', '3.4.26', { date: '2026-04-03' }],
    ['d.M.yy', '3.4.69', { date: '1969-04-03' }],
    ['dd/MM/yyyy HH:mm', ' 29/02/2028  23:59 ', { date: '2028-02-29', time: '23:59:00' }],
    ['M/d/yyyy h:mm a', '1/2/2026 12:05 a.m.', { date: '2026-01-02', time: '00:05:00' }],
    ['M/d/yyyy ha', '1/2/2026 12PM', { date: '2026-01-02', time: '12:00:00' }],
    ['EEE d MMM yyyy', 'Tue 3 Sept 2024', { date: '2024-09-03' }],
    ["d MMMM yyyy 'at' H:mm", '3 September 2024 at 9:30', { date: '2024-09-03', time: '09:30:00' }],
    [
      'yyyy-MM-dd HH:mm:ss XXX',
      '2026-07-01 10:00:00 +02:00',
      { date: '2026-07-01', time: '10:00:00', offset: '+02:00' },
    ],
    ['HH:mm', '19:30', { time: '19:30:00' }],
    ['H.mm', '9.05', { time: '09:05:00' }],
    ['yyyy/M/d', '٢٠٢٦/١٢/٠٧', { date: '2026-12-07' }],
    ['yyyy年M月d日', '２０２６年１１月３日', { date: '2026-11-03' }],
    ['excel', '46396', { date: '2027-01-09' }],
    ['excel', '0,75', { time: '18:00:00' }],
    ['excel', '46396.8125', { date: '2027-01-09', time: '19:30:00' }],
    ['unix', '1767225600', { date: '2026-01-01', time: '00:00:00', offset: 'Z' }],
    ['unix-ms', '1767225600500', { date: '2026-01-01', time: '00:00:00', offset: 'Z' }],
  ])('The format %s reads %s', (format, text, expected) => expect(compileDateFormat(format)(text)).toEqual(expected));

  test.each([
    ['de', 'd. MMMM yyyy', '14. März 2026', '2026-03-14'],
    ['de', 'EEEE, d. MMM yyyy', 'Samstag, 14. Mär. 2026', '2026-03-14'],
    ['fr', 'd MMM yyyy', '1 août 2026', '2026-08-01'],
    ['fr', 'd MMM yyyy', '1 juil. 2026', '2026-07-01'],
    ['es', "d 'de' MMMM 'de' yyyy", '2 de enero de 2026', '2026-01-02'],
    ['pl', 'd MMMM yyyy', '5 maja 2026', '2026-05-05'],
    ['cs', 'd. MMMM yyyy', '5. července 2026', '2026-07-05'],
  ])('In the language %s, the format %s reads %s', (language, format, text, date) =>
    expect(compileDateFormat(format, language)(text)).toEqual({ date }),
  );

  test.each([
    ['el', 'h:mm a', '6:30 μ.μ.', '18:30:00'],
    ['ar', 'h:mm a', '٩:٠٠ ص', '09:00:00'],
    ['ko', 'a h시 mm분', '오후 7시 30분', '19:30:00'],
    ['ja', 'ah時mm分', '午前11時05分', '11:05:00'],
    ['zh', 'ah:mm', '晚上7:00', '19:00:00'],
    ['es', 'h:mm a', '7:30 de la tarde', '19:30:00'],
    ['es', 'h:mm a', '7:30 p. m.', '19:30:00'],
    ['de', 'h a', '8 abends', '20:00:00'],
    ['de', 'h a', '5 abends', '17:00:00'],
    ['ar', 'h:mm a', '7:30 مساءً', '19:30:00'],
    ['ar', 'h:mm a', '5:00 مساء', '17:00:00'],
    ['ar', 'h:mm a', '10:00 صباحاً', '10:00:00'],
    ['ar', 'h:mm a', '10:00 صباحًا', '10:00:00'],
  ])('In the language %s, the format %s reads %s', (language, format, text, time) =>
    expect(compileDateFormat(format, language)(text)).toEqual({ time }),
  );

  test.each([
    ['h:mm a', '6:30 μ.μ.'],
    ['excel', 'tomorrow'],
    ['dd/MM/yyyy', '3/4/2026'],
    ['dd/MM/yyyy', '30/02/2026'],
    ['dd/MM/yyyy', '29/02/2026'],
    ['dd/MM/yyyy', '01/13/2026'],
    ['dd/MM/yyyy', '01/01/0026'],
    ['dd/MM/yyyy', '01/01/2026 10:00'],
    ['d MMM yyyy', '1 Ju 2026'],
    ['d MMM yyyy', '1 Foo 2026'],
    ['EEE d MMM yyyy', 'Mon 3 Sep 2024'],
    ['HH:mm', '24:01'],
    ['HH:mm', '25:00'],
    ['HH:mm', '10:60'],
    ['h:mm a', '13:00 pm'],
    ['unix', 'tomorrow'],
    ['unix', '999999999999999'],
  ])('The format %s does not read %s', (format, text) => expect(compileDateFormat(format)(text)).toBeUndefined());

  test.each([
    ['dd/mm/yyyy', 'a date needs year, month and day, such as dd/MM/yyyy'],
    ['DD/MM/YYYY', '"DD" is not a part of a date; did you mean "dd/MM/yyyy"?'],
    ['yyyy-MM-dd M', 'a part of the date appears twice'],
    ['h:mm', 'h and hh need a (am or pm), H and HH do not allow it'],
    ['HH:ss', 'seconds need minutes'],
    ["'only text'", 'it contains neither a date nor a time'],
    ['', 'it contains neither a date nor a time'],
  ])('The format %j is refused', (format, message) => expect(() => compileDateFormat(format)).toThrow(message));

  test.each([
    ['2027', '12. März', '2027-03-12'],
    ['2026-09', '12. März', '2027-03-12'],
    ['2026-09', '1. September', '2026-09-01'],
    ['2026-09', '29. Februar', undefined],
  ])('A date without a year is in the twelve months from %s: %s', (year, text, date) =>
    expect(compileDateFormat('d. MMMM', 'de', year)(text)).toEqual(date && { date }),
  );

  test('A format without a year needs one beside it', () => {
    expect(() => compileDateFormat('d. MMMM')).toThrow('or the year beside the format');
  });

  test('A format reads every day that it writes', () => {
    const read = compileDateFormat('EEEE d MMMM yyyy', 'en');
    const days = fc.date({ min: new Date('1000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
    const written = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeZone: 'UTC' });
    fc.assert(
      fc.property(days, (day) => {
        expect(read(written.format(day).replace(',', ''))).toEqual({ date: day.toISOString().slice(0, 10) });
      }),
    );
  });
});
