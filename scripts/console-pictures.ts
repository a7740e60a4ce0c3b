// Takes the pictures of docs/console, of a console over the example syncs. Needs Chromium: npm run dev -- docs:console
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { findChromium } from '../test/support/find-programs.ts';

const TO = 'docs/console';
/** On a desk, and on a phone. */
const WIDTHS = { '': 1280, narrow: 380 };
const MAIN = ['--disable-warning=ExperimentalWarning', 'src/cli/main.ts'];
const talks = (count: number) =>
  [
    'id,title,date,start',
    ...Array.from({ length: count }, (_, day) => `T${day},Talk ${day + 1},2027-03-${10 + day},18:00`),
  ].join('\n');

const folder = mkdtempSync(join(tmpdir(), 'feedferry-pictures-'));
const children: ChildProcess[] = [];
try {
  cpSync('examples', join(folder, 'config'), { recursive: true });
  const sandbox = await firstLine(
    ['sandbox', '--memory', '--port', '0', '--timezone', 'America/New_York', '--json'],
    'stdout',
  );
  const { url, token } = JSON.parse(sandbox) as { url: string; token: string };
  const env = { CMS_BASE_URL: url, CMS_API_TOKEN: token };
  writeTalks(12);
  feedferry('sync');
  writeTalks(3);
  feedferry('sync', 'talks');
  feedferry('verify', 'museum-events');
  const log = await firstLine(['console', '--port', '0'], 'stderr');
  const { health } = JSON.parse(log) as { health: string };
  await takePictures(health);

  function feedferry(...args: string[]): void {
    try {
      execFileSync(process.execPath, [...MAIN, ...args], { env: environment(), stdio: 'ignore' });
    } catch {
      // The command fails on purpose: the pictures show rejected records and a held plan.
    }
  }

  function environment(): NodeJS.ProcessEnv {
    return { ...process.env, ...env, FEEDFERRY_CONFIG: join(folder, 'config'), LOG_LEVEL: 'info' };
  }

  async function firstLine(args: string[], output: 'stdout' | 'stderr'): Promise<string> {
    const variables = args[0] === 'sandbox' ? process.env : environment();
    const child = spawn(process.execPath, [...MAIN, ...args], { env: variables });
    children.push(child);
    const [line] = (await once(createInterface(child[output]), 'line')) as [string];
    return line;
  }
} finally {
  for (const child of children) child.kill();
  rmSync(folder, { recursive: true });
}

/** A sync whose next run is held, because most of its feed is missing, and one whose new records wait. */
function writeTalks(count: number): void {
  const syncs = join(folder, 'config/syncs');
  writeFileSync(
    join(syncs, 'talks.yaml'),
    `resource: events
source: { connector: csv, url: ./feeds/talks.csv }
key: id
map: { title: title, date: date, time.start: start }
missing: { policy: delete, after: 1 run, threshold: { percent: 25, absolute: 1 } }
`,
  );
  writeFileSync(join(syncs, 'feeds/talks.csv'), talks(count));
  writeFileSync(
    join(syncs, 'new-talks.yaml'),
    `resource: events
source: { connector: csv, url: ./feeds/new-talks.csv }
key: id
map: { title: { template: "{{ title }} for beginners" }, date: date, time.start: start }
review: new
`,
  );
  writeFileSync(join(syncs, 'feeds/new-talks.csv'), talks(3));
}

async function takePictures(address: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: findChromium(), args: ['--no-sandbox'] });
  const runOf = async (sync: string, status: string) => {
    const response = await fetch(`${address}/api/runs?sync=${sync}&limit=5`);
    const { runs } = (await response.json()) as { runs: Array<{ run: string; status: string }> };
    return runs.find((run) => run.status === status)?.run ?? '';
  };
  const imported = await runOf('museum-events', 'partial');
  const pages = {
    overview: '/',
    sync: '/syncs/museum-events',
    rejects: '/syncs/museum-events/rejects',
    run: `/runs/${imported}`,
    undo: `/runs/${imported}/undo`,
    'held-plan': `/runs/${await runOf('talks', 'held')}/plan`,
    search: '/records?words=map',
    record: '/syncs/museum-events/record?key=EX-2601',
    day: '/day',
    pictures: '/syncs/museum-events/pictures',
    questions: '/syncs/new-talks/questions',
    verification: '/syncs/museum-events/verification',
    hearers: '/alerts',
    calendar: '/calendar?month=2027-03',
    doctor: '/doctor',
  };
  for (const [folder, width] of Object.entries(WIDTHS)) {
    const page = await browser.newPage({ viewport: { width, height: 720 } });
    mkdirSync(join(TO, folder), { recursive: true });
    for (const [name, path] of Object.entries(pages)) {
      const response = await page.goto(`${address}${path}`);
      if (!response?.ok()) throw new Error(`${path}: ${response?.status()}`);
      await page.screenshot({ path: join(TO, folder, `${name}.png`) });
    }
  }
  await browser.close();
}
