import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ical } from '../../connectors/ical/ical.ts';
import { readFile } from './read.ts';
import { readManifest, type SuiteResult } from './suite.ts';

interface Case {
  id: string;
  file: string;
  rule: string;
  /** The expected starts, as wall times or days, from `from` (inclusive) to `to` (exclusive). */
  starts: string[];
  from: string;
  to: string;
  /** `prefix`: `starts` only has the first expected starts. */
  mode: 'all' | 'prefix';
  /** Whether python-dateutil agrees; a text is the reason why its result is unknown. */
  dateutil: boolean | string;
}

/** Why the result of a rule may differ from the suite. The first match is shown. */
const reasons: Array<[rule: RegExp, reason: string]> = [
  [/BYWEEKNO/, 'without BYDAY, the weekday is that of DTSTART (RFC 5545, 3.3.10), not every day of the week'],
  [/FREQ=YEARLY;BYMONTHDAY/, 'BYMONTHDAY expands every month of the year (RFC 5545, 3.3.10), not only that of DTSTART'],
  [/BYSETPOS/, 'DTSTART is not counted if it does not match the rule'],
];

/**
 * Runs a recurrence suite: the occurrences of each file in its window must start as expected. Cases with different results in
 * other implementations (`dateutil` is not true) may be wrong, and so may one in a hundred of the other cases.
 */
export async function runIcalSuite(dir: string): Promise<SuiteResult> {
  const cases = readManifest<Case>(dir);
  const wrong: Case[] = [];
  for (const each of cases) if (!(await isRight(each, dir))) wrong.push(each);

  const agreed = cases.filter(({ dateutil }) => dateutil === true);
  const agreedWrong = wrong.filter(({ dateutil }) => dateutil === true);
  const share = (1 - agreedWrong.length / agreed.length).toFixed(4);
  return {
    suite: basename(dir),
    cases: cases.length,
    right: cases.length - wrong.length,
    wrong: wrong.map(({ id, rule, dateutil }) => `${id}${dateutil === true ? '' : ' (disputed)'}: ${reasonFor(rule)}`),
    allowedWrong: wrong.length - agreedWrong.length + Math.ceil(agreed.length / 100),
    note: `${agreed.length - agreedWrong.length} of the ${agreed.length} cases that python-dateutil confirms are right (${share})`,
  };
}

async function isRight({ file, starts, from, to, mode }: Case, dir: string): Promise<boolean> {
  const window = { from: from.slice(0, 10), to: to.slice(0, 10) };
  // The suites do not expect DTSTART if no rule has this date.
  const options = { recurrence: { startOffRule: 'leave' } };
  const { records } = await readFile(ical, join(dir, file), options, { window });
  const got = records
    .map(({ fields }) => String(fields.start).slice(0, 19))
    .filter((start) => toTime(start) >= from && toTime(start) < to)
    .sort();
  return isDeepStrictEqual(mode === 'prefix' ? got.slice(0, starts.length) : got, starts);
}

/** Returns a start as a date-time; a day starts at midnight. */
function toTime(start: string): string {
  return start.length === 10 ? `${start}T00:00:00` : start;
}

function reasonFor(rule: string): string {
  const reason = reasons.find(([pattern]) => pattern.test(rule))?.[1];
  return reason === undefined ? rule : `${rule}: ${reason}`;
}
