import { basename, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { ical } from '../../connectors/ical/ical.ts';
import { readFile } from './read.ts';
import { readManifest, type SuiteResult } from './suite.ts';

interface Case {
  id: string;
  file: string;
  rule: string;
  /** Wall times, or days, of the starts that are expected from `from` on, before `to`. */
  starts: string[];
  from: string;
  to: string;
  /** `prefix`: only the first ones are given. */
  mode: 'all' | 'prefix';
  /** Whether python-dateutil agrees; what else it says is why it cannot tell. */
  dateutil: boolean | string;
}

/** Why a rule may come out otherwise than a suite expects. The first that fits is told. */
const reasons: Array<[rule: RegExp, reason: string]> = [
  [/BYWEEKNO/, 'without BYDAY, the weekday is that of DTSTART (RFC 5545, 3.3.10), not every day of the week'],
  [/FREQ=YEARLY;BYMONTHDAY/, 'BYMONTHDAY expands every month of the year (RFC 5545, 3.3.10), not only that of DTSTART'],
  [/BYSETPOS/, 'DTSTART, where the rule does not make it, is not counted'],
];

/**
 * Runs a recurrence suite: the occurrences of each file in the days of its window must start when expected. Where implementations
 * differ (`dateutil` is not true) a case may come out otherwise, and one in a hundred of the others.
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
    note: `${agreed.length - agreedWrong.length} of the ${agreed.length} cases that python-dateutil agrees with are right (${share})`,
  };
}

async function isRight({ file, starts, from, to, mode }: Case, dir: string): Promise<boolean> {
  const window = { from: from.slice(0, 10), to: to.slice(0, 10) };
  const { records } = await readFile(ical, join(dir, file), {}, window);
  const got = records
    .map(({ fields }) => String(fields.start).slice(0, 19))
    .filter((start) => toTime(start) >= from && toTime(start) < to)
    .sort();
  return isDeepStrictEqual(mode === 'prefix' ? got.slice(0, starts.length) : got, starts);
}

/** A day starts at midnight. */
function toTime(start: string): string {
  return start.length === 10 ? `${start}T00:00:00` : start;
}

function reasonFor(rule: string): string {
  const reason = reasons.find(([pattern]) => pattern.test(rule))?.[1];
  return reason === undefined ? rule : `${rule}: ${reason}`;
}
