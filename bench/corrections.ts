// npm run dev -- bench:corrections [--page] [--dir DIR] [--only NN] [--pays]: how many unseen feeds are wholly right, without and with at most
// three corrections of a person who saw only the table of `init`. Ends with 1 if they are fewer than before. With --page: other feeds, on the
// page "Add a feed" in place of `init`. With --pays: switches
// one heuristic after the other off, and prints which feeds each of them pays for.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { heuristics } from './corrections/heuristics.ts';
import { commandLines } from './corrections/in-process.ts';
import { saveOnPage } from './corrections/page.ts';
import { type FeedScore, type RecordScore, type Scores, scoreRecords } from './corrections/score-records.ts';
import { readUnseen, type UnseenFeed } from './corrections/unseen-feed.ts';
import { scoresWithout } from './corrections/without.ts';
import { type Inferred, inferredSchema, previewedSchema } from './inference/run-init.ts';
import { markdown } from './table.ts';

const MOST_CORRECTIONS = 3;
/** What the feeds of this repository reached when a heuristic was last changed, by the folder of the feeds. */
const LEAST = { unseen: { alone: 12, corrected: 25 }, fresh: { alone: 20, corrected: 29 } };

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    only: { type: 'string' },
    pays: { type: 'boolean' },
    page: { type: 'boolean' },
    json: { type: 'boolean' },
  },
});
const corpus = values.page ? 'fresh' : 'unseen';
const feeds = readUnseen(values.dir ?? join(import.meta.dirname, 'corrections', corpus)).filter(
  ({ name }) => (values.only ?? name) === name,
);
const scores: Scores = {
  alone: await scoreAll(() => []),
  corrected: await scoreAll(({ corrections }) => corrections.slice(0, MOST_CORRECTIONS)),
};
if (values.json) process.stdout.write(`${JSON.stringify(scores)}\n`);
else {
  report('without a correction', scores.alone);
  report(`with at most ${MOST_CORRECTIONS} corrections`, scores.corrected);
  if (values.pays) await reportPay();
  const isAllOfOurs = values.dir === undefined && values.only === undefined;
  if (isAllOfOurs && isWorse()) process.exitCode = 1;
}

async function scoreAll(correctionsOf: (feed: UnseenFeed) => readonly string[]): Promise<FeedScore[]> {
  const all: FeedScore[] = [];
  for (const feed of feeds) all.push({ name: feed.name, ...(await scoreOne(feed, correctionsOf(feed))) });
  return all;
}

/** Runs `init` on a feed, as its webmaster would, and compares what its sync would publish. */
async function scoreOne(feed: UnseenFeed, corrections: readonly string[]): Promise<RecordScore> {
  const dir = mkdtempSync(join(tmpdir(), 'feedferry-bench-'));
  try {
    const config = join(dir, 'config');
    mkdirSync(config);
    const file = join(dir, basename(feed.file));
    copyFileSync(feed.file, file);
    const target = { baseUrl: 'https://cms.example.org', token: 'token', timezone: feed.label.zone };
    writeFileSync(join(config, 'feedferry.yaml'), JSON.stringify({ target }));
    const inferred = await (values.page ? saveOnPage : runInit)(config, file, corrections);
    const previewed = (await commandLines(config, 'preview', 'feed')).map((line) =>
      previewedSchema.parse(JSON.parse(line)),
    );
    return scoreRecords(feed, inferred, previewed);
  } catch (error) {
    return { wrong: [`failed: ${String(error).replace(/\s+/g, ' ').slice(-300)}`], isSilent: false };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function runInit(config: string, file: string, corrections: readonly string[]): Promise<Inferred> {
  const set = corrections.flatMap((line) => ['--set', line]);
  const [said = ''] = (await commandLines(config, 'init', file, '--yes', '--name', 'feed', ...set)).slice(-1);
  return inferredSchema.parse(JSON.parse(said));
}

function report(how: string, all: readonly FeedScore[]): void {
  const silent = silentIn(all);
  process.stdout.write(`Wholly right ${how}: ${rightIn(all).length} of ${all.length}. `);
  process.stdout.write(
    `Wrong days without a question or warning: ${silent.length}${silent.length > 0 ? ` (${silent.join(', ')})` : ''}\n`,
  );
  for (const { name, wrong } of all) {
    if (wrong.length > 0) process.stdout.write(`  ${name}: ${wrong.length}: ${wrong.slice(0, 3).join('; ')}\n`);
  }
}

/** Prints what is lost without each heuristic: the feeds that are no longer right, and those that are wrong in silence. */
async function reportPay(): Promise<void> {
  const rows: string[][] = [];
  for (const heuristic of heuristics) {
    const without = await scoresWithout(heuristic);
    const lost = (how: keyof Scores) => rightIn(scores[how]).filter((name) => !rightIn(without[how]).includes(name));
    const silent = [...new Set([...silentIn(without.alone), ...silentIn(without.corrected)])];
    rows.push([heuristic.name, ...[lost('alone'), lost('corrected'), silent].map((names) => names.join(' '))]);
  }
  process.stdout.write(`\n${markdown(['without', 'lost alone', 'lost with corrections', 'silently wrong'], rows)}\n`);
}

function isWorse(): boolean {
  return (
    rightIn(scores.alone).length < LEAST[corpus].alone ||
    rightIn(scores.corrected).length < LEAST[corpus].corrected ||
    [...silentIn(scores.alone), ...silentIn(scores.corrected)].length > 0
  );
}

function rightIn(all: readonly FeedScore[]): string[] {
  return all.filter(({ wrong }) => wrong.length === 0).map(({ name }) => name);
}

function silentIn(all: readonly FeedScore[]): string[] {
  return all.filter(({ isSilent }) => isSilent).map(({ name }) => name);
}
