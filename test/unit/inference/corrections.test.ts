import { describe, expect, test } from 'vitest';
import { correct, parseCorrection, withoutCorrection } from '../../../src/inference/correct/correct.ts';
import { NO_CORRECTIONS } from '../../../src/inference/correct/corrections.ts';
import { proposalFor, rulesOf, table } from './setup.ts';

const columns = ['Nr', 'Name', 'Untertitel', 'Datum', 'Bis', 'Uhrzeit', 'Ende', 'Ort', 'Saal', 'Frei'];
const rows = table(
  columns,
  [101, 'Requiem', 'Verdi', '13.04.2027', '14.04.2027', '19:30', '21:00', 'Dom', 'Krypta', 'ja'],
  [102, 'Messe', 'Bach', '20.05.2027', '21.05.2027', '20:00', '22:00', 'Aula', '', 'nein'],
  [103, 'Lieder', 'Schubert', '21.06.2027', '22.06.2027', '18:00', '19:00', '', 'Foyer', 'ja'],
);
const format = 'd.M.yyyy';

function corrected(...texts: string[]) {
  const corrections = texts.map(parseCorrection).reduce((all, one) => correct(all, one, columns), NO_CORRECTIONS);
  return proposalFor(rows, corrections.answers, corrections.lines);
}

describe('A correction of a line', () => {
  test('is not needed for what is inferred', () => {
    expect(rulesOf(proposalFor(rows))).toMatchObject({
      title: 'Name',
      start: { field: 'Datum' },
      'time.start': 'Uhrzeit',
      endDate: { field: 'Bis' },
      location: 'Ort',
    });
  });

  test.each<[string, Record<string, unknown>]>([
    ['title: Untertitel', { title: 'Untertitel' }],
    ['title: [Name, Untertitel]', { title: { template: expect.stringContaining(' – ') } }],
    ['location: [Ort, Saal]', { location: { template: expect.stringContaining('{{ Saal }}') } }],
    ['location: { field: Saal, default: Dom }', { location: { field: 'Saal', default: 'Dom' } }],
    ['category: { value: Musik }', { category: { value: 'Musik' } }],
    ['isFeatured: Frei', { isFeatured: { field: 'Frei', true: ['ja'], false: ['nein'] } }],
    ['audience: Saal', { audience: 'Saal' }],
    ['start: Bis', { start: { field: 'Bis' }, 'time.start': undefined }],
    ['start: [Bis, Uhrzeit]', { start: { field: 'Bis' }, 'time.start': 'Uhrzeit' }],
    ['start: { field: Datum, format: d.M.yyyy, zone: UTC }', { start: { field: 'Datum', format, zone: 'UTC' } }],
    ['start.format: dd.MM.yyyy', { start: { field: 'Datum', format: 'dd.MM.yyyy' } }],
    ['start: { field: Datum, format: d.M.yyyy }', { start: { field: 'Datum' }, 'time.start': 'Uhrzeit' }],
    ['start: { template: "{{ Datum }} 20:00", format: d.M.yyyy H:mm }', { 'time.start': undefined }],
    ['end: { field: Bis, format: d.M.yyyy }', { end: { field: 'Bis' }, endDate: undefined, 'time.end': 'Ende' }],
    ['end: null', { endDate: undefined, end: undefined }],
    ['end: Ende', { endDate: undefined, 'time.end': 'Ende' }],
    ['time.start: null', { 'time.start': undefined }],
    ['location: null', { location: undefined }],
    ['location=', { location: undefined }],
    ['title=Untertitel', { title: 'Untertitel' }],
    ['start = Bis, Uhrzeit', { start: { field: 'Bis' }, 'time.start': 'Uhrzeit' }],
    ['category={ value: "a, b" }', { category: { value: 'a, b' } }],
  ])('%s', (text, expected) => {
    const rules = rulesOf(corrected(text));
    for (const [attribute, rule] of Object.entries(expected)) {
      if (rule === undefined) expect(rules).not.toHaveProperty([attribute]);
      else if (typeof rule === 'string') expect(rules[attribute]).toBe(rule);
      else expect(rules[attribute]).toMatchObject(rule as object);
    }
  });

  test('gives the field to one attribute only', () => {
    const rules = rulesOf(corrected('category: Ort'));
    expect(rules).toMatchObject({ category: 'Ort' });
    expect(rules.location).not.toBe('Ort');
  });

  test.each<[string, object]>([
    ['key: [Name, Datum]', { key: { value: ['Name', 'Datum'] } }],
    ['when: { field: Frei, is: ja }', { when: { value: { field: 'Frei', is: 'ja' } } }],
    ['schedule: { every: 1h }', { schedule: { value: { every: '1h' } } }],
    ['missing: { policy: delete }', { missing: { value: { policy: 'delete' } } }],
    ['source.timezone: Europe/Berlin', { source: { timezone: { value: 'Europe/Berlin' } } }],
    ['resource: accounts', { resource: { value: 'accounts' } }],
    ['attachments.poster: Saal', { attachments: { poster: { value: 'Saal' } } }],
    [
      'attachments.poster: { field: Saal, alt: Ort }',
      { attachments: { poster: { value: { field: 'Saal', alt: 'Ort' } } } },
    ],
  ])('%s', (text, expected) => {
    expect(corrected(text)).toMatchObject(expected);
  });

  test('replaces an earlier one, and can be taken back', () => {
    const lines = ['title: Ort', 'title: Saal'].map(parseCorrection);
    const both = lines.reduce((all, one) => correct(all, one, columns), NO_CORRECTIONS);
    expect(both.lines).toEqual({ title: 'Saal' });
    expect(withoutCorrection(both, 'title')).toEqual(NO_CORRECTIONS);
  });

  test('ends the warning that no field is a title, and the question for the start', () => {
    const unnamed = table(['a', 'b', 'c'], ['x', '2027-05-01', 1], ['y', '2027-05-02', 2]);
    const before = proposalFor(unnamed);
    const after = proposalFor(unnamed, {}, { title: 'a', start: 'b' });
    expect(rulesOf(after)).toEqual({ title: 'a', start: 'b' });
    expect(after.open.filter(({ line }) => line === 'start')).toEqual([]);
    expect(after.warnings.join()).not.toContain('choose one for');
    expect(before).toBeDefined();
  });

  test('warns of a field that no rule reads', () => {
    const odd = table(
      ['Name', 'Datum', 'Beginn'],
      ['Requiem', '2027-05-01', 'abends'],
      ['Messe', '2027-05-02', 'später'],
    );
    const { warnings } = proposalFor(odd, {}, { start: ['Datum', 'Beginn'] });
    expect(warnings).toContainEqual(expect.stringContaining('start: Beginn is not read'));
  });

  test('warns of an end that vanishes', () => {
    const odd = table(['Name', 'Datum', 'Ende'], ['Requiem', '2027-05-01', 'spät'], ['Messe', '2027-05-02', 'spät']);
    const { warnings } = proposalFor(odd, {}, { end: 'Ende' });
    expect(warnings).toContainEqual(expect.stringContaining('end: Ende is not read'));
  });

  test('of names that are joined leaves each its own attribute', () => {
    const people = table(
      ['Vorname', 'Nachname', 'Mail'],
      ['Ada', 'Byron', 'a@example.org'],
      ['Max', 'Frei', 'm@example.org'],
    );
    expect(rulesOf(proposalFor(people, {}, { displayName: ['Vorname', 'Nachname'] }))).toMatchObject({
      firstName: 'Vorname',
      lastName: 'Nachname',
      displayName: {
        template:
          '{{ Vorname }}{% if Nachname != blank %}{% if Vorname != blank %} {% endif %}{{ Nachname }}{% endif %}',
      },
    });
  });

  test('of the start says that the records are events', () => {
    const open = table(
      ['Name', 'Mail', 'wann'],
      ['Ada Byron', 'a@example.org', '2027-05-01'],
      ['Max Frei', 'm@example.org', '2027-05-02'],
    );
    expect(proposalFor(open, {}, { start: 'wann' })).toMatchObject({ resource: { value: 'events' } });
  });

  test('keeps the question which number is the day of a field that was only chosen', () => {
    const open = table(
      ['id', 'name', 'date', 'other'],
      [1, 'a', '2027-05-01', '03/04/2027'],
      [2, 'b', '2027-05-02', '05/06/2027'],
    );
    expect(proposalFor(open).open).toEqual([]);
    expect(proposalFor(open, {}, { start: 'other' }).open).toContainEqual(
      expect.objectContaining({ id: 'order of dates', line: 'start' }),
    );
  });
});

describe('Dates without a year', () => {
  test.each([
    ['12. März', '13. April', 'd. MMMM'],
    ['12.3.', '13.4.', 'd.M.'],
    ['13/04', '14/04', 'd/M'],
    ['ven. 12 mars', 'mar. 13 avr.', 'EEEE d MMMM'],
    ['Fri 12 Mar, 7.30pm', 'Tue 13 Apr, 8.00pm', 'EEEE d MMMM, h.mma'],
  ])('%s is read in the year that a person gives', (first, second, format) => {
    const rows = table(['Name', 'Datum'], ['Requiem', first], ['Messe', second], ['Lieder', second]);
    expect(rulesOf(proposalFor(rows))).not.toHaveProperty('start');
    expect(proposalFor(rows).warnings.join()).toContain('have no year');
    expect(rulesOf(proposalFor(rows, {}, { year: 2027 })).start).toMatchObject({
      field: 'Datum',
      format,
      year: '2027',
    });
    expect(rulesOf(proposalFor(rows, {}, { year: '2026-09' })).start).toMatchObject({ format, year: '2026-09' });
  });

  test('may be the end of a range', () => {
    const rows = table(
      ['Saison', 'Titre', 'Quand'],
      ['2026-2027', 'Requiem', 'ven. 9 oct.'],
      ['2026-2027', 'Messe', 'mar. 2 févr.'],
      ['2026-2027', 'Lieder', 'du mer. 9 au ven. 11 juin'],
    );
    const rule = { field: 'Quand', format: 'EEEE d MMMM', language: 'fr', year: '2026-10' };
    expect(rulesOf(proposalFor(rows, {}, { year: '2026-10' }))).toMatchObject({
      start: { ...rule, range: 'first' },
      endDate: { ...rule, range: 'last' },
    });
  });

  test('is not guessed if the weekdays are those of no mentioned year', () => {
    const rows = table(
      ['Saison', 'Titre', 'Quand'],
      ['2031', 'Requiem', 'ven. 9 oct.'],
      ['2031', 'Messe', 'mar. 2 févr.'],
    );
    expect(rulesOf(proposalFor(rows))).not.toHaveProperty('start');
  });
});

describe('A correction that is not possible', () => {
  test.each([
    ['title: Untertittel', 'title: the feed has no field "Untertittel".', 'Did you mean "Untertitel"?'],
    ['key: [Name, Tag]', 'key: the feed has no field "Tag".', 'Its fields are Nr, Name'],
    ['title: 5', 'title: 5 is neither a field nor a rule.', '{ value: Concert }'],
    ['title: [[Name]]', 'title: [["Name"]] is neither', 'Write a field'],
    ['ti/tle: Name', '"ti/tle" cannot be a line', ''],
    ['title', '"title" is not a line with a value.', '--set'],
  ])('%s', (text, message, remedy) => {
    expect(() => corrected(text)).toThrowError(
      expect.objectContaining({ code: 'FF_USAGE', message: expect.stringContaining(message) }),
    );
    if (remedy === '') return;
    expect(() => corrected(text)).toThrowError(expect.objectContaining({ remedy: expect.stringContaining(remedy) }));
  });
});

test('A field with quotes in its name is joined with another one', async () => {
  const names = ['Nr', 'Titel "kurz"', 'Ort'];
  const quoted = table(names, [1, 'Maps', 'Hall'], [2, 'Ships', 'Park']);
  const corrections = correct(NO_CORRECTIONS, parseCorrection(`location: ['Titel "kurz"', Ort]`), names);
  expect(rulesOf(proposalFor(quoted, {}, corrections.lines)).location).toEqual({
    template: expect.stringContaining(`{{ ['Titel "kurz"'] }}`),
  });
});
