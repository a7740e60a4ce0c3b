// npm run dev -- bench:inference [--set seen|unseen] [--only NAME] [--details]: how well `feedferry init` infers real feeds.
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import Table from 'cli-table3';
import { type Label, readLabels } from './inference/label.ts';
import { runInit } from './inference/run-init.ts';
import { type Score, score } from './inference/score.ts';

const TARGET = { feeds: 0.9, attributes: 0.97, secondsAt5Mb: 5 };

interface Line extends Score {
  name: string;
  seconds: number;
}

const { values } = parseArgs({
  options: { set: { type: 'string' }, only: { type: 'string' }, details: { type: 'boolean', default: false } },
});
const labels = readLabels(join(import.meta.dirname, 'inference/feeds')).filter(
  ({ name, set }) => (values.set ?? set) === set && (values.only ?? name) === name,
);
if (labels.length === 0) throw new Error('No label is of that set and name.');
const lines: Line[] = [];
for (const label of labels) lines.push(await measure(label));
process.exitCode = report(lines) ? 0 : 1;

async function measure(label: Label): Promise<Line> {
  const { name } = label;
  try {
    const outcome = await runInit(label);
    if (values.details) process.stdout.write(`${name}: ${JSON.stringify(outcome.inferred, undefined, 2)}\n`);
    return { name, seconds: outcome.seconds, ...score(label, outcome) };
  } catch (error) {
    const required = Object.keys(label.attributes).filter((attribute) => !label.optional.includes(attribute));
    const unasked = label.order === 'open' ? ['nothing is asked'] : [];
    const wrong = [`failed: ${error instanceof Error ? error.message.replace(/\s+/g, ' ').slice(-300) : error}`];
    return { name, seconds: 0, wrong, attributes: { right: 0, total: required.length }, silentDays: unasked };
  }
}

function report(scored: readonly Line[]): boolean {
  const table = new Table({
    head: ['feed', 'attributes', 's', 'wrong'],
    style: { head: [], border: [] },
    colWidths: [28, 12, 6, 100],
    wordWrap: true,
  });
  for (const { name, attributes, seconds, wrong } of scored) {
    table.push([name, `${attributes.right}/${attributes.total}`, seconds.toFixed(1), wrong.join('; ')]);
  }
  const right = scored.filter(({ wrong }) => wrong.length === 0).length / scored.length;
  const sum = (select: (line: Line) => number) => scored.reduce((total, line) => total + select(line), 0);
  const attributes = sum((line) => line.attributes.right) / sum((line) => line.attributes.total);
  const silent = scored.filter(({ silentDays }) => silentDays.length > 0);
  const slowest = Math.max(...scored.map(({ seconds }) => seconds));
  const results: Array<[boolean, string]> = [
    [right >= TARGET.feeds, `feeds right without an edit: ${percent(right)} of ${scored.length} (≥ 90 %)`],
    [attributes >= TARGET.attributes, `attributes right: ${attributes.toFixed(3)} (≥ 0.97)`],
    [silent.length === 0, `feeds with wrong days and no question: ${silent.length} (0)${named(silent)}`],
    [slowest < TARGET.secondsAt5Mb, `slowest feed of at most 5 MB: ${slowest.toFixed(1)} s (< 5 s)`],
  ];
  process.stdout.write(`${table.toString()}\n`);
  for (const [isMet, text] of results) process.stdout.write(`${isMet ? 'met   ' : 'MISSED'} ${text}\n`);
  return results.every(([isMet]) => isMet);
}

function named(silent: readonly Line[]): string {
  return silent.map(({ name, silentDays }) => `\n  ${name}: ${silentDays.join('; ')}`).join('');
}

function percent(share: number): string {
  return `${(share * 100).toFixed(0)} %`;
}
