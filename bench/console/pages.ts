import { copyName, FIRST } from '../many-syncs.ts';
import type { LargeSite } from './large-site.ts';
import { load } from './request.ts';

/** What the first byte of a page may take, in ms. */
export const SLOWEST_MS = 100;
const TIMES = 11;

interface MeasuredPage {
  title: string;
  /** First bytes, in ms. */
  times: number[];
  bytes: number;
  /** It asks the ledger only, so it has to be quick. */
  isLimited: boolean;
  isFailed: boolean;
}

/** Loads each page a few times. Warms up first: a service runs for months. */
export async function measurePages(url: string, site: LargeSite): Promise<MeasuredPage[]> {
  const measured: MeasuredPage[] = [];
  for (const [path, isLimited] of pathsOf(site)) {
    await load(url + path);
    const answers = [];
    for (let time = 0; time < TIMES; time += 1) answers.push(await load(url + path));
    const failed = answers.find(({ status }) => status !== 200);
    const title = failed ? `${path}: status ${failed.status}` : path;
    const [{ bytes } = { bytes: 0 }] = answers;
    const times = answers.map(({ firstByteMs }) => firstByteMs);
    measured.push({ title: `\`${title}\``, times, bytes, isLimited, isFailed: failed !== undefined });
  }
  return measured;
}

function pathsOf({ changingRun, heldRun }: LargeSite): Array<[path: string, isLimited: boolean]> {
  const other = copyName(2);
  return [
    ['/', true],
    [`/syncs/${FIRST}`, true],
    [`/syncs/${FIRST}/runs`, true],
    [`/syncs/${other}/records`, true],
    [`/syncs/${other}/records?words=1234`, true],
    [`/syncs/${other}/records?words=no+such+words`, true],
    [`/syncs/${other}/records?state=failed`, true],
    ['/records?words=event+777', true],
    ['/records?words=no+such+words', true],
    [`/syncs/${FIRST}/record?key=7`, true],
    [`/syncs/${FIRST}/rejects`, true],
    ['/day', true],
    [`/syncs/${FIRST}/pictures`, true],
    ['/calendar?month=2027-05', true],
    [`/calendar?month=2027-05&sync=${other}`, true],
    ['/calendar?month=2020-01', true],
    [`/runs/${changingRun}`, true],
    [`/runs/${heldRun}`, true],
    [`/runs/${heldRun}/plan`, true],
    ['/doctor', true],
    // These read the feed or ask the CMS.
    [`/runs/${changingRun}/undo`, false],
  ];
}
