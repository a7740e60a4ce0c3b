// npm run bench:corrections -- [--dir DIR] [--only NN]: how many unseen feeds are wholly right, without and with at most three corrections
// of a person who saw only the table of `init`.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type RecordScore, scoreRecords } from './corrections/score-records.ts';
import { readUnseen, type UnseenFeed } from './corrections/unseen-feed.ts';
import { inferredSchema, linesOf, previewedSchema } from './inference/run-init.ts';

const MOST_CORRECTIONS = 3;
const { values } = parseArgs({ options: { dir: { type: 'string' }, only: { type: 'string' } } });
const feeds = readUnseen(values.dir ?? join(import.meta.dirname, 'corrections/unseen')).filter(
  ({ name }) => (values.only ?? name) === name,
);
for (const isCorrected of [false, true]) report(isCorrected, await scoreAll(isCorrected));

async function scoreAll(isCorrected: boolean): Promise<Array<RecordScore & { name: string }>> {
  const scores: Array<RecordScore & { name: string }> = [];
  for (const feed of feeds) {
    const corrections = isCorrected ? feed.corrections.slice(0, MOST_CORRECTIONS) : [];
    scores.push({ name: feed.name, ...(await scoreOne(feed, corrections)) });
  }
  return scores;
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
    const set = corrections.flatMap((line) => ['--set', line]);
    const [said = ''] = (await linesOf(config, 'init', file, '--yes', '--name', 'feed', ...set)).slice(-1);
    const previewed = (await linesOf(config, 'preview', 'feed')).map((line) => previewedSchema.parse(JSON.parse(line)));
    return scoreRecords(feed, inferredSchema.parse(JSON.parse(said)), previewed);
  } catch (error) {
    return { wrong: [`failed: ${String(error).replace(/\s+/g, ' ').slice(-300)}`], isSilent: false };
  } finally {
    rmSync(dir, { recursive: true });
  }
}

function report(isCorrected: boolean, scores: ReadonlyArray<RecordScore & { name: string }>): void {
  const right = scores.filter(({ wrong }) => wrong.length === 0).length;
  const silent = scores.filter(({ isSilent }) => isSilent).map(({ name }) => name);
  const how = isCorrected ? `with at most ${MOST_CORRECTIONS} corrections` : 'without a correction';
  process.stdout.write(`Wholly right ${how}: ${right} of ${scores.length}. `);
  process.stdout.write(
    `Wrong days without a question or warning: ${silent.length}${silent.length > 0 ? ` (${silent.join(', ')})` : ''}\n`,
  );
  for (const { name, wrong } of scores) {
    if (wrong.length > 0) process.stdout.write(`  ${name}: ${wrong.length}: ${wrong.slice(0, 3).join('; ')}\n`);
  }
}
