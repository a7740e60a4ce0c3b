// npm run dev -- compare:rules [--rules N]: compares random recurrence rules with python-dateutil and, if the two differ, with a slow
// evaluator that checks every day. Needs python3 with dateutil. Fails if the slow evaluator disagrees with feedferry.
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { parseRule } from '../connectors/ical/rules/rule.ts';
import { bruteForce } from '../test/unit/connectors/ical/brute-force.ts';
import { type Frequency, ruleOf, startTimes } from '../test/unit/connectors/ical/random-rules.ts';

const YEARS = 6;

const program = `
import sys, json, datetime, signal
from dateutil.rrule import rrulestr
def give_up(*_): raise IndexError
signal.signal(signal.SIGVTALRM, give_up)
for line in sys.stdin:
    rule, start, end = json.loads(line)
    # UNTIL also ends rules that have dates; those without any are followed to the year 9999, and given up.
    count = [int(part[6:]) for part in rule.split(';') if part.startswith('COUNT=')]
    rule = ';'.join(part for part in rule.split(';') if not part.startswith('COUNT=')) + ';UNTIL=' + end.replace('-', '').replace(':', '')
    parse = datetime.datetime.fromisoformat
    signal.setitimer(signal.ITIMER_VIRTUAL, 0.2)
    try:
        dates = rrulestr(rule, dtstart=parse(start))
        print(json.dumps([d.isoformat() for d in dates if d < parse(end)][:count[0] if count else None]))
    except IndexError:
        print('null')  # too slow, or BYDAY=53SU in a year without one
    signal.setitimer(signal.ITIMER_VIRTUAL, 0)
`;

const { values } = parseArgs({
  options: {
    rules: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    v: { type: 'boolean', short: 'v' },
  },
});
const frequencies: Frequency[] = ['YEARLY', 'MONTHLY', 'WEEKLY', 'DAILY'];
const cases = frequencies.flatMap((freq) =>
  fc.sample(fc.tuple(ruleOf(freq), startTimes), { numRuns: Number(values.rules) / 4, seed: Number(values.seed) }),
);
const endOf = (start: string) => `${Number(start.slice(0, 4)) + YEARS}-01-01`;
const input = cases.map(([rule, start]) => JSON.stringify([rule, start, `${endOf(start)}T00:00:00`])).join('\n');
const output = execFileSync('python3', ['-c', program], { input, maxBuffer: 1e9, encoding: 'utf8' });
const theirs = output.trim().split('\n');

const counts = {
  'same as dateutil': 0,
  'other than dateutil, as the days say': 0,
  'dateutil gives up, as the days say': 0,
  wrong: 0,
};
for (const [index, [rule, start]] of cases.entries()) {
  const ours = JSON.stringify(expand(rule, start).map(iso));
  if (JSON.stringify(JSON.parse(theirs[index] ?? '[]')) === ours) counts['same as dateutil'] += 1;
  else if (JSON.stringify(bruteForce(rule, start, endOf(start)).map(iso)) === ours) {
    counts[`${theirs[index] === 'null' ? 'dateutil gives up' : 'other than dateutil'}, as the days say`] += 1;
    if (process.argv.includes('-v'))
      console.log(start, rule, '\n  ', ours.slice(0, 120), '\n  ', theirs[index]?.slice(0, 120));
  } else {
    counts.wrong += 1;
    process.stdout.write(`wrong: ${start} ${rule}\n`);
  }
}
for (const [name, count] of Object.entries(counts)) process.stdout.write(`${name}: ${count}\n`);
process.exitCode = counts.wrong > 0 ? 1 : 0;

function expand(rule: string, start: string): number[] {
  const context = {
    start: Date.parse(`${start}Z`),
    isDate: false,
    budget: { left: 1e9 },
    wallTimeOfUtc: (wall: number) => wall,
  };
  return [...parseRule(rule, context).between(context.start, Date.parse(`${endOf(start)}T00:00:00Z`) - 1)];
}

function iso(wall: number): string {
  return new Date(wall).toISOString().slice(0, 19);
}
