import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseYaml } from '../../../src/config/files/yaml-file.ts';
import { checkTestsText } from '../../../src/config/mapping-tests.ts';
import type { Guess, Proposal } from '../../../src/inference/proposal.ts';
import { flowText, literal, syncFileText } from '../../../src/inference/sync-file.ts';
import { testsFileText } from '../../../src/inference/tests-file.ts';
import { rounds } from '../../support/long.ts';

/** Texts that mean something to YAML, to variables or to a terminal. */
const odd = fc.constantFrom(
  ...[
    '',
    ' ',
    '-',
    '?',
    ':',
    '#',
    '# x',
    'a: b',
    'a #b',
    '- a',
    '${HOME}',
    '$${x}',
    '${',
    '{{ a }}',
    '*',
    '&a',
    '!b',
    '%',
  ],
  ...[
    'yes',
    'no',
    'null',
    '~',
    '1e3',
    '0x1f',
    '010',
    '12:30',
    '2027-01-01',
    '.inf',
    '<<',
    '|',
    '>',
    "'",
    '"',
    '\\',
    '\t',
    '\n',
  ],
  ...[
    ' a\nb ',
    'a\r\nb',
    '\u0085',
    '\u2028',
    '\ufeff',
    '\u0000',
    '\u007f',
    '---',
    '...',
    'constructor',
    '\ud800',
    '@',
    '`',
    '=',
    '[',
    '}',
  ],
);
const text = fc.oneof(
  odd,
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(odd, { maxLength: 4 }).map((parts) => parts.join('')),
);
const name = text.filter((key) => key !== '__proto__');
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).filter((number) => !Object.is(number, -0)),
    fc.constant(null),
    fc.array(tie('any'), { maxLength: 4 }),
    fc.dictionary(name, tie('any'), { maxKeys: 4 }),
  ),
})).any;
const guess = <Value>(values: fc.Arbitrary<Value>): fc.Arbitrary<Guess<Value>> =>
  fc.record({ value: values, evidence: text });
const rule = fc.oneof(text, fc.dictionary(name, value, { maxKeys: 3 }));
const proposals: fc.Arbitrary<Proposal> = fc.record({
  resource: guess(fc.constantFrom('events' as const, 'accounts' as const)),
  source: fc.dictionary(
    name.filter((key) => key !== 'url'),
    guess(value),
    { maxKeys: 4 },
  ),
  key: guess(fc.oneof(text, fc.array(text, { minLength: 1, maxLength: 3 }))),
  when: guess(fc.dictionary(name, value, { maxKeys: 3 })),
  map: fc.dictionary(name, guess(rule), { minKeys: 1, maxKeys: 4 }),
  attachments: fc.dictionary(name, guess(text), { minKeys: 1, maxKeys: 2 }),
  suggested: fc.dictionary(name, guess(rule), { maxKeys: 3 }),
  open: fc.array(fc.record({ id: text, line: text, text, choices: fc.constant([]), safe: text, comment: text }), {
    maxLength: 2,
  }),
  warnings: fc.constant([]),
});

/** What a program reads in a file with this text. */
function readBack(content: string): unknown {
  const { value, problems } = parseYaml('x.yaml', Buffer.from(content).toString(), {});
  expect(problems).toEqual([]);
  return value;
}

const valuesOf = (guesses: Readonly<Record<string, Guess<unknown>>>) =>
  Object.fromEntries(Object.entries(guesses).map(([key, one]) => [key, one.value]));

describe('A sync file', () => {
  test('has the names and values of its proposal, whatever they and their evidence are', () => {
    fc.assert(
      fc.property(proposals, text, (proposal, url) => {
        const { connector, ...options } = valuesOf(proposal.source);
        const expected = {
          resource: proposal.resource.value,
          source: { ...(connector !== undefined && { connector }), ...options, url },
          key: proposal.key.value,
          when: proposal.when?.value,
          map: valuesOf(proposal.map),
          attachments: valuesOf(proposal.attachments),
        };
        expect(readBack(syncFileText(proposal, String(literal(url))))).toEqual(expected);
      }),
      { numRuns: rounds(100, 10_000) },
    );
  });

  test('has its suggestions and open questions as comments', () => {
    const guessed = <Value>(of: Value) => ({ value: of, evidence: 'seen' });
    const written = syncFileText(
      {
        resource: guessed('events'),
        source: { connector: guessed('csv'), delimiter: guessed(';') },
        key: guessed('id'),
        map: { title: guessed('name'), start: guessed({ field: 'date', format: 'd.M.yyyy' }) },
        attachments: {},
        suggested: { room: guessed('Raum') },
        open: [
          {
            id: 'a',
            line: 'start',
            text: 'Which?',
            choices: [],
            safe: 'x',
            comment: 'Check the order of\nday and month.',
          },
        ],
        warnings: [],
      },
      './a.csv',
    );
    expect(written).toMatchInlineSnapshot(`
      "# Written by \`feedferry init\`. All keys: \`feedferry help configuration\`
      #
      # Please check:
      # - Check the order of day and month.

      resource: events # seen
      source:
        connector: csv # seen
        url: ./a.csv
        delimiter: ; # seen
      key: id # seen
      map:
        title: name # seen
        start: { field: date, format: d.M.yyyy } # seen
        # Other fields. If the site has a custom attribute for one, add it with the layout key of that:
        #   room: Raum # seen
      "
    `);
  });
});

test('Mapping tests have the fields and the payload of their record, whatever they are', () => {
  const cases = fc.array(
    fc.record({
      name: text.filter((one) => one !== ''),
      fields: fc.dictionary(name, value, { maxKeys: 4 }),
      expect: fc.dictionary(name, value, { maxKeys: 4 }),
    }),
    { minLength: 1, maxLength: 3 },
  );
  fc.assert(
    fc.property(cases, (examples) => {
      const content = Buffer.from(testsFileText('talks', examples)).toString();
      expect(checkTestsText('tests/talks.yaml', content)).toEqual({ sync: 'talks', cases: examples });
    }),
    { numRuns: rounds(100, 10_000) },
  );
});

test('A value is shown in one line', () => {
  expect(flowText({ field: 'a', format: ['d.M.yyyy', 'x\ny'] })).toBe('{ field: a, format: [ d.M.yyyy, "x\\ny" ] }');
  expect(flowText('plain')).toBe('plain');
});
