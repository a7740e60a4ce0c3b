import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rounds } from '../../support/long.ts';
import { proposalFor, rulesOf, table } from './setup.ts';

const events = (...dates: string[]) => dates.map((date, index) => ({ id: index + 100, title: `Talk ${index}`, date }));
const startOf = (...dates: string[]) => rulesOf(proposalFor(events(...dates))).start;

describe('The format of dates', () => {
  test.each([
    [['2027-03-01', '2027-12-24'], 'date'],
    [['2027-03-01T19:30:00+01:00', '2027-12-24T18:00:00+01:00'], 'date'],
    [['1.3.2027', '24.12.2027'], { field: 'date', format: 'd.M.yyyy' }],
    [['3/1/2027', '12/24/2027'], { field: 'date', format: 'M/d/yyyy' }],
    [['3/1/27 7:30 PM', '12/24/27 6:00 PM'], { field: 'date', format: 'M/d/yy h:mm a' }],
    [['01-03-27', '24-12-27', '12-03-27', '13-03-27', '14-03-27', '15-03-27'], { field: 'date', format: 'd-M-yy' }],
    [['1 March 2027', '24 Dec 2027'], { field: 'date', format: 'd MMMM yyyy' }],
    [['Monday, March 1st, 2027'], { field: 'date', format: "EEEE, MMMM d'st', yyyy" }],
    [['1. März 2027', '24. Dezember 2027'], { field: 'date', format: 'd. MMMM yyyy', language: 'de' }],
    [
      ['1er mars 2027', '24 décembre 2027'],
      { field: 'date', format: ["d'er' MMMM yyyy", 'd MMMM yyyy'], language: 'fr' },
    ],
    [
      ['1 de marzo de 2027', '24 de diciembre de 2027'],
      { field: 'date', format: "d 'de' MMMM 'de' yyyy", language: 'es' },
    ],
    [['20270301', '20271224'], { field: 'date', format: 'yyyyMMdd' }],
    [['1803924600', '1829671200'], { field: 'date', format: 'unix' }],
    [['1803924600000', '1829671200000'], { field: 'date', format: 'unix-ms' }],
    [['2027/3/1 19:30', '2027/12/24 18:00'], { field: 'date', format: 'yyyy/M/d H:mm' }],
    [['24.12.2027, 18:00 Uhr', '1.3.2027, 19:30 Uhr'], { field: 'date', format: "d.M.yyyy, H:mm 'Uhr'" }],
    [['2027年3月1日', '2027年12月24日'], { field: 'date', format: 'yyyy年M月d日' }],
    [['1.3.2027 (Montag)', '24.12.2027 (Freitag)'], { field: 'date', format: 'd.M.yyyy (EEEE)', language: 'de' }],
    [['le 1 mars 2027', 'le 24 décembre 2027'], { field: 'date', format: "'le' d MMMM yyyy", language: 'fr' }],
    [['2027 March 1', '2027 Dec 24'], { field: 'date', format: 'yyyy MMMM d' }],
    [['19:30, 1.3.2027', '18:00, 24.12.2027'], { field: 'date', format: 'H:mm, d.M.yyyy' }],
    [['26 декабря 2026 г.', '7 января 2027 г.'], { field: 'date', format: 'd MMMM yyyy г.', language: 'ru' }],
    [['Sa., 3. Okt. 2026, 19 Uhr'], { field: 'date', format: "EEEE, d. MMMM yyyy, H 'Uhr'", language: 'de' }],
    [['2026年11月3日（火）'], { field: 'date', format: 'yyyy年M月d日(EEEE)', language: 'ja' }],
    [['2026.12.29(화) 오후 7:30'], { field: 'date', format: 'yyyy.M.d(EEEE) a h:mm', language: 'ko' }],
    [['٢٠٢٦/١٢/٠٧', '٢٠٢٦/١٢/١٣'], { field: 'date', format: 'yyyy/M/d' }],
    [['20270113T183000Z'], { field: 'date', format: "yyyyMMdd'T'HHmmssXXX" }],
    [['46396', '46417'], { field: 'date', format: 'excel' }],
    [['vendredi 9 octobre 2026 à 20h30'], { field: 'date', format: "EEEE d MMMM yyyy à H'h'mm", language: 'fr' }],
  ])('%j', (dates, rule) => {
    const proposal = proposalFor(events(...dates));
    expect(rulesOf(proposal).start).toEqual(rule);
    expect(proposal.open).toEqual([]);
  });

  test('is told with its evidence', () => {
    const { map } = proposalFor(events('1.3.2027', '24.12.2027', '31.12.2027'));
    expect(map.start?.evidence).toBe('3 of 3 values are dates in d.M.yyyy; 2 decide the order');
  });

  test('covers several ways of writing in one column', () => {
    expect(startOf('24.12.2027', '24.12.2027 19:30', '25.12.2027')).toEqual({
      field: 'date',
      format: ['d.M.yyyy', 'd.M.yyyy H:mm'],
    });
  });

  test('leaves out values that are no dates, and warns', () => {
    const { warnings } = proposalFor(events('24.12.2027', '25.12.2027', '26.12.2027', 'next spring'));
    expect(warnings).toContain('1 of 4 values of date is no date, such as "next spring": this record is rejected.');
  });

  test('shows the different values that are no dates, with their number', () => {
    const dates = [1, 2, 3, 4, 5, 6].map((day) => `${day + 20}.12.2027`);
    expect(proposalFor(events(...dates, 'ask', 'ask', 'soon')).warnings.join()).toContain(
      '3 of 9 values of date are no dates, such as "ask" (2), "soon"',
    );
  });

  test('is not taken from titles that have dates', () => {
    const rows = table(
      ['what', 'date'],
      ['Concert on 1.3.2027', '2027-03-01'],
      ['Reading on 2.3.2027', '2027-03-02'],
      ['Walk on 3.3.2027', '2027-03-03'],
    );
    expect(rulesOf(proposalFor(rows))).toMatchObject({ title: 'what', start: 'date' });
  });

  test('takes the ends of ranges, also of those that are rare', () => {
    const rows = table(
      ['title', 'date'],
      ['Exhibition', 'Del 3 al 28 de febrero de 2027'],
      ['Talk', '4 de febrero de 2027'],
      ['Film', '9 de febrero de 2027'],
    );
    const format = "d 'de' MMMM 'de' yyyy";
    expect(rulesOf(proposalFor(rows))).toMatchObject({
      start: { field: 'date', range: 'first', format, language: 'es' },
      endDate: { field: 'date', range: 'last', format },
    });
  });
});

describe('The order of day and month', () => {
  const open = [{ id: 'order of dates' }];

  test.each([[['03/04/2027', '05/06/2027']], [['3.4.2027']], [['03-04-27', '05-06-27']], [['01-03-27', '24-12-27']]])(
    '%j is asked for',
    (dates) => {
      expect(proposalFor(events(...dates)).open).toMatchObject(open);
    },
  );

  test('takes no date that can be read as two days until it is answered', () => {
    const rows = events('03/04/2027', '05/06/2027');
    expect(rulesOf(proposalFor(rows)).start).toEqual({ field: 'date', format: ['d/M/yyyy', 'M/d/yyyy'] });
    const answered = proposalFor(rows, { 'order of dates': 'month first' });
    expect(answered.open).toEqual([]);
    expect(rulesOf(answered).start).toEqual({ field: 'date', format: 'M/d/yyyy' });
  });

  test('is asked for although another column, its header or a weekday suggests it', () => {
    const rows = table(
      ['title', 'Date (dd/mm/yyyy)', 'day', 'end'],
      ['A', '03/04/2027', 'Saturday', '13/04/2027'],
      ['B', '01/02/2027', 'Monday', '02/02/2027'],
    );
    expect(proposalFor(rows).open).toMatchObject(open);
  });

  test('is never wrong without a question', () => {
    const day = fc.date({ min: new Date('2001-01-01'), max: new Date('2068-12-31'), noInvalidDate: true });
    const two = (number: number) => String(number).padStart(2, '0');
    const writers: Array<(date: Date) => string> = [
      (date) => `${date.getUTCDate()}.${date.getUTCMonth() + 1}.${date.getUTCFullYear()}`,
      (date) => `${two(date.getUTCMonth() + 1)}/${two(date.getUTCDate())}/${date.getUTCFullYear()}`,
      (date) => `${two(date.getUTCDate())}/${two(date.getUTCMonth() + 1)}/${two(date.getUTCFullYear() % 100)}`,
      (date) => `${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}-${two(date.getUTCFullYear() % 100)}`,
      (date) => `${two(date.getUTCFullYear() % 100)}-${two(date.getUTCMonth() + 1)}-${two(date.getUTCDate())}`,
    ];
    const orders = ['d', 'M', 'd', 'M', 'y'];
    const property = fc.property(
      fc.array(day, { minLength: 1, maxLength: 8 }),
      fc.nat(writers.length - 1),
      (days, index) => {
        const write = writers[index] ?? String;
        const proposal = proposalFor(events(...days.map(write)));
        if (proposal.open.some(({ id }) => id === 'order of dates')) return;
        const { format } = rulesOf(proposal).start as { format: string };
        expect([format].flat()[0]?.charAt(0)).toBe(orders[index]);
      },
    );
    fc.assert(property, { numRuns: rounds(100, 6_000) });
  });
});
