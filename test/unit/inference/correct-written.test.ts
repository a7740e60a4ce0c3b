import { describe, expect, test } from 'vitest';
import { correct, parseCorrection } from '../../../src/inference/correct/correct.ts';
import { NO_CORRECTIONS } from '../../../src/inference/correct/corrections.ts';
import { correctWritten, renamedIn } from '../../../src/inference/written/correct-written.ts';
import { editYaml } from '../../../src/inference/written/edit-yaml.ts';
import { writtenSync } from '../../../src/inference/written/written-sync.ts';
import { sampleOf, table } from './setup.ts';

const columns = ['Nr', 'Name', 'Datum', 'Uhrzeit', 'Bis', 'Ort', 'Saal', 'Status'];
const rows = table(
  columns,
  [101, 'Requiem', '13.04.2027', '19:30', '14.04.2027', 'Dom', 'Krypta', 'frei'],
  [102, 'Messe', '20.05.2027', '20:00', '21.05.2027', 'Aula', '', 'aus'],
  [103, 'Lieder', '21.06.2027', '18:00', '22.06.2027', '', 'Foyer', 'frei'],
);
const file = `resource: events
source: { connector: csv, url: ./a.csv, delimiter: ";" } # booking
key: Nr
map:
  title: Name # printed
  start: { field: Datum, format: dd.MM.yyyy }
  time.start: Uhrzeit
  location: { template: "{{ Ort }}, \${HOUSE}" }
`;

function edited(...texts: string[]): string {
  const corrections = texts.map(parseCorrection).reduce((all, one) => correct(all, one, columns), NO_CORRECTIONS);
  return editYaml(file, correctWritten(writtenSync(file), sampleOf(rows), corrections).changes);
}

describe('A correction of a sync file', () => {
  test.each<[correction: string, from: string, to: string]>([
    ['title: Ort', 'title: Name', 'title: Ort'],
    ['title: { field: Name, trim: true }', 'title: Name', 'title: { field: Name, trim: true }'],
    ['start.format: d.M.yyyy', 'dd.MM.yyyy', 'd.M.yyyy'],
    ['start: { field: Bis, format: dd.MM.yyyy }', 'field: Datum', 'field: Bis'],
    [
      'start: { field: Bis, format: yyyy-MM-dd HH:mm }',
      'start: { field: Datum, format: dd.MM.yyyy }\n  time.start: Uhrzeit',
      'start: { field: Bis, format: yyyy-MM-dd HH:mm }',
    ],
    [
      'end: { field: Bis, format: dd.MM.yyyy }',
      '${HOUSE}" }\n',
      '${HOUSE}" }\n  end: { field: Bis, format: dd.MM.yyyy }\n',
    ],
    ['time.start: null', '  time.start: Uhrzeit\n', ''],
    ['location: Saal', '{ template: "{{ Ort }}, ${HOUSE}" }', 'Saal'],
    ['category: { value: Musik }', '${HOUSE}" }\n', '${HOUSE}" }\n  category: { value: Musik }\n'],
    ["category: { value: '${HOUSE}' }", '${HOUSE}" }\n', '${HOUSE}" }\n  category: { value: "$${HOUSE}" }\n'],
    ['when: { field: Status, is: frei }', '${HOUSE}" }\n', '${HOUSE}" }\nwhen: { field: Status, is: frei }\n'],
    ['key: [Nr, Datum]', 'key: Nr', 'key: [ Nr, Datum ]'],
    ['source.delimiter: ","', '";"', '","'],
    ['source.delimiter: null', ', delimiter: ";"', ''],
    ['attachments.image: Saal', '${HOUSE}" }\n', '${HOUSE}" }\nattachments:\n  image: Saal\n'],
  ])('%s changes its part of the file only', (correction, from, to) => {
    expect(edited(correction)).toBe(file.replace(from, () => to));
  });

  test('a format is set where the line has one, and adds nothing else', () => {
    const pair = 'resource: events\nkey: Nr\nmap:\n  date: Datum\n  time.start: Uhrzeit\n';
    const corrections = correct(NO_CORRECTIONS, parseCorrection('start.format: dd.MM.yyyy'), columns);
    const { changes } = correctWritten(writtenSync(pair), sampleOf(rows), corrections);
    expect(editYaml(pair, changes)).toBe(pair.replace('date: Datum', 'date: { field: Datum, format: dd.MM.yyyy }'));
    const moment = pair.replace('  date: Datum\n  time.start: Uhrzeit', '  start: Datum');
    const one = correctWritten(writtenSync(moment), sampleOf(rows), corrections).changes;
    expect(editYaml(moment, one)).toBe(moment.replace('start: Datum', 'start: { field: Datum, format: dd.MM.yyyy }'));
  });

  test('a new key of one source of several is written there', () => {
    const both =
      'resource: events\nsources:\n  a: { connector: csv, url: ./a.csv }\n  b: { connector: csv, url: ./b.csv }\nkey: Nr\nmap: { title: Name }\n';
    const written = writtenSync(both, { name: 'a', ownKeys: ['key', 'map', 'when'] });
    const lines = ['when: { field: Status, is: frei }', 'location: Ort'].map(parseCorrection);
    const corrections = lines.reduce((all, line) => correct(all, line, columns), NO_CORRECTIONS);
    expect(editYaml(both, correctWritten(written, sampleOf(rows), corrections).changes)).toBe(
      both
        .replace('./a.csv }', './a.csv, when: { field: Status, is: frei } }')
        .replace('title: Name }', 'title: Name, location: Ort }'),
    );
  });

  test('fields that were chosen for a line get a rule from their values', () => {
    expect(edited('end: Bis')).toBe(`${file}  endDate: { field: Bis, format: d.M.yyyy }\n`);
    expect(edited('start: [Bis, Uhrzeit]')).toContain('start: { field: Bis, format: ');
  });

  test('leaves a file as it is that nobody has corrected, whatever inference would propose', () => {
    expect(edited()).toBe(file);
  });

  test('a renamed field is renamed wherever it is read by its name', () => {
    expect(renamedIn(writtenSync(file.replace('key: Nr', 'key: [Nr, Name]')), 'Name', 'Titel')).toEqual({
      title: { field: 'Titel' },
      key: ['Nr', 'Titel'],
    });
  });
});
