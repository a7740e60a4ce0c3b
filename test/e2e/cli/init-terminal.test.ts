import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderOf } from '../../support/folder.ts';
import { start } from '../feedferry.ts';
import { converse } from '../terminal.ts';

const ENTER = '\r';
const DOWN = '\x1b[B';
const CTRL_C = '\x03';

const ambiguous = `id,title,date
1,Maps,03/04/2027
2,Ships,05/06/2027
3,Tides,07/08/2027
`;

const read = (dir: string, path: string) => readFileSync(join(dir, path), 'utf8');

test('On a terminal, init shows what it found, asks what is open, and writes what was answered', async () => {
  const dir = folderOf({ 'talks.csv': ambiguous });
  const { exitCode, shown, answered } = await converse(
    ['init', 'talks.csv'],
    [
      ['In which time zone', `\x15Europe/Berlin${ENTER}`],
      ['is the day?', DOWN + ENTER],
      ['Where should', ENTER],
      ['Write the files?', ENTER],
    ],
    { cwd: dir },
  );
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 0, answered: 4 });
  expect(shown).toMatch(/talks\.csv: 3 records[\s\S]*Maps[\s\S]*feedferry plan talks/);
  expect(shown).not.toContain('Please check');
  expect(read(dir, 'config/feedferry.yaml')).toContain('timezone: Europe/Berlin');
  expect(existsSync(join(dir, '.env'))).toBe(false);
  const preview = await start(['preview', 'talks', '--json'], {}, dir).finished;
  expect(preview.exitCode).toBe(0);
  const [first = ''] = preview.stdout.split('\n');
  expect(['2027-04-03', '2027-03-04']).toContain(JSON.parse(first).payload.date);
  expect((await start(['test'], {}, dir).finished).stdout).toContain('3 tests, 0 failed');
});

test('The address and the token of a CMS get into .env, and into no other file', async () => {
  const dir = folderOf({ 'talks.csv': 'id,title,date\n1,Maps,2027-03-04\n2,Ships,2027-05-06\n' });
  const { exitCode, shown } = await converse(
    ['init', 'talks.csv'],
    [
      ['In which time zone', ENTER],
      ['Where should', DOWN + ENTER],
      ['Address of the site', `https://www.example.org${ENTER}`],
      ['API token', `very-secret${ENTER}`],
      ['Write the files?', ENTER],
    ],
    { cwd: dir },
  );
  expect(exitCode, shown).toBe(0);
  expect(read(dir, '.env')).toBe('CMS_BASE_URL=https://www.example.org\nCMS_API_TOKEN=very-secret\n');
  expect(statSync(join(dir, '.env')).mode & 0o777).toBe(0o600);
  expect(shown).not.toContain('very-secret');
  expect(read(dir, 'config/feedferry.yaml')).not.toContain('very-secret');
});

test('A line can be changed before the files are written, and what is not possible changes nothing', async () => {
  const dir = folderOf({
    'talks.csv': 'id,title,subtitle,date,hall,code\n1,Maps,Old ones,2027-03-04,A,x\n2,Ships,New,2027-05-06,B,y\n',
  });
  const { exitCode, shown, answered } = await converse(
    ['init', 'talks.csv'],
    [
      ['In which time zone', `\x15Europe/Berlin${ENTER}`],
      ['Where should', ENTER],
      ['Write the files?', DOWN + ENTER],
      ['Which line?', ENTER],
      ['What about title?', ENTER],
      ['Which fields?', `${DOWN}${DOWN} ${ENTER}`],
      ['Write the files?', DOWN + ENTER],
      ['Which line?', `${DOWN}${ENTER}`],
      ['What about start?', `${DOWN}${ENTER}`],
      ['Format, such as', `QQQ${ENTER}`],
      ['Write the files?', ENTER],
    ],
    { cwd: dir },
  );
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 0, answered: 11 });
  expect(shown).toMatch(/Not used:[\s\S]*code[\s\S]*All 2 records can be published/);
  expect(shown).toContain('Maps – Old ones');
  const file = read(dir, 'config/syncs/talks.yaml');
  expect(file).toMatch(/title: \{ template: .*\{\{ subtitle \}\}/);
  expect(file).not.toContain('QQQ');
});

test('init without a source asks for it', async () => {
  const dir = folderOf({ 'talks.csv': ambiguous });
  const steps: Array<[string, string]> = [
    ['Where is the feed?', `talks.csv${ENTER}`],
    ['In which time zone', CTRL_C],
  ];
  const { exitCode, answered } = await converse(['init'], steps, { cwd: dir });
  expect({ exitCode, answered }).toEqual({ exitCode: 130, answered: 2 });
});

test.each([
  ['the first question', 1],
  ['the second question', 2],
  ['the last question', 4],
])('Ctrl-C at %s writes nothing', async (_, last) => {
  const dir = folderOf({ 'talks.csv': ambiguous });
  const questions = ['In which time zone', 'is the day?', 'Where should', 'Write the files?'];
  const steps = questions.slice(0, last).map((text, index): [string, string] => {
    return [text, index === last - 1 ? CTRL_C : ENTER];
  });
  const { exitCode, shown, answered } = await converse(['init', 'talks.csv'], steps, { cwd: dir });
  expect({ exitCode, answered }, shown).toEqual({ exitCode: 130, answered: last });
  expect(shown).toContain('Nothing was written.');
  expect(existsSync(join(dir, 'config'))).toBe(false);
  expect(existsSync(join(dir, '.env.example'))).toBe(false);
});
