import type { RunReport } from '../../src/core/run.ts';
import { syncRun } from '../../src/sync/runs/sync-run.ts';
import { type OpenSite, openOnce } from '../e2e/merge/model/open-campus.ts';
import { runHere } from '../e2e/run-here.ts';
import { allItems, anyChanges, deleteAtOnce } from './events.ts';
import { type Feed, type History, isOnSite, type Move, moveFeed, newFeed, type Step } from './history.ts';
import {
  judge,
  type Model,
  namesOf,
  newModel,
  pairOf,
  type Question,
  questionsOf,
  type Reading,
  unnamedDoubles,
} from './model.ts';
import { bodyOf, invent, resourceOf, type Traits, thingOf, traitsOf, writeEntries, writeSync } from './things.ts';

interface Game {
  history: History;
  open: OpenSite;
  feed: Feed;
  model: Model;
  story: string[];
}

/** What histories have come to, over all that were played. */
export type Tally = Model['tally'] & { histories: number };

const policies: Record<History['policy'], string> = {
  keep: '',
  'delete at once': deleteAtOnce,
  'delete later': deleteAtOnce.replace('1 run', '2 runs'),
};
const paths = { events: 'calendar/events', accounts: 'account/accounts' } as const;

/** Plays a history on a site of its own. Throws what is silently wrong, with the story up to there. */
export async function play(history: History, tally: Tally): Promise<void> {
  const { kind, policy, uniqueAccounts, steps } = history;
  const switches = uniqueAccounts ? { uniqueAccounts: ['username' as const, 'email' as const] } : {};
  await using open = await openOnce({ switches });
  writeSync(open.site, kind, anyChanges + policies[policy]);
  const game: Game = { history, open, feed: newFeed(history), model: newModel(history), story: [] };
  await read(game);
  for (const step of steps) await playStep(game, step);
  await verify(game);
  tally.histories += 1;
  for (const name of ['right', 'asked', 'documented'] as const) tally[name] += game.model.tally[name];
}

async function playStep(game: Game, { moves, answers }: Step): Promise<void> {
  for (const move of moves) {
    game.story.push(`${move.kind} ${move.pick} ${move.value}`);
    if (isOnSite(move)) await edit(game, move);
    else moveFeed(game.feed, move);
  }
  const questions = questionsOf(await read(game));
  if (answers === 'none' || questions.length === 0) return;
  if (answers === 'taken back') await takeBack(game, questions);
  else await answerAll(game, questions);
}

/** Writes the feed, runs the sync and judges the site. */
async function read(game: Game): Promise<Reading> {
  const { open, feed, model, story } = game;
  const entries = feed.entries.map((entry) => ({ ...entry }));
  writeEntries(open.site, entries, feed.kind);
  const report = await open.withContext((context) => syncRun(context));
  const reading = { entries, report, items: await look(game) };
  story.push(`  read ${entries.map(({ key, traits }) => `${key}: ${Object.values(traits).join(', ')}`).join(' | ')}`);
  story.push(`  ${describeReport(report)}`);
  fail(game, judge(model, reading));
  return reading;
}

function describeReport({ status, counts, problems }: RunReport): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return [
    `${status}: ${some.map(([name, count]) => `${count} ${name}`).join(', ')}`,
    ...problems.map(({ code, reason }) => `${code} ${reason}`),
  ].join('\n    ');
}

async function look({ open, feed }: Game): Promise<Reading['items']> {
  const items = await allItems(open.site, paths[resourceOf(feed.kind)]);
  return items.map((item) => ({ id: item.id, traits: traitsOf(item, feed.kind) }));
}

function fail({ story }: Game, wrong: readonly string[]): void {
  if (wrong.length > 0) throw new Error([...wrong, '', ...story].join('\n'));
}

/** Answers all questions truly. The next reading must not ask them again. */
async function answerAll(game: Game, questions: readonly Question[]): Promise<void> {
  for (const question of questions) {
    const { key, code, truth } = question;
    // Questions about items of other owners are answered with a retry.
    if (code === 'FF_RECORD_ALIKE') await command(game, 'retry', 'play', key, `--${truth}`);
    else await command(game, 'questions', 'play', `--${truth}`, key);
    game.model.answers.set(pairOf(question), namesOf(question, game.feed.kind));
  }
  await read(game);
}

/** Answers, and takes the answers back at once: the next reading must still ask. */
async function takeBack(game: Game, questions: readonly Question[]): Promise<void> {
  const { confused } = game.model;
  const own = questions.filter(
    ({ code, entry, item }) =>
      code !== 'FF_RECORD_ALIKE' && !confused.has(entry.thing) && !confused.has(thingOf(item.traits)),
  );
  if (own.length === 0) return;
  for (const { key, truth } of own) await command(game, 'questions', 'play', `--${truth}`, key);
  for (const { key } of own) await command(game, 'questions', 'play', '--take-back', key);
  const asked = new Set(questionsOf(await read(game)).map(pairOf));
  fail(
    game,
    own.flatMap((question) => (asked.has(pairOf(question)) ? [] : [`not asked again: ${pairOf(question)}`])),
  );
}

async function command({ open, story }: Game, ...args: string[]): Promise<void> {
  const { exitCode, shown } = await runHere([...args, '--json'], open.site.variables);
  story.push(`  feedferry ${args.join(' ')} → ${exitCode}`);
  // A retry is partial if it asks about another record.
  if (exitCode !== 0 && exitCode !== 3)
    throw new Error([`refused: ${args.join(' ')}: ${shown}`, '', ...story].join('\n'));
}

/** An editor works on the site. */
async function edit(game: Game, { kind, pick, value }: Move): Promise<void> {
  const { open, feed, model } = game;
  const path = `api/v1/${paths[resourceOf(feed.kind)]}`;
  if (kind === 'editorCreates') {
    const thing = feed.things;
    const traits: Traits = { ...invent(thing, value, feed.kind), mark: `editor ${value}` };
    if (feed.kind === 'accounts' && model.before.some((item) => item.traits.mail === traits.mail)) return;
    const { id } = await open.site.request('POST', path, bodyOf(traits, feed.kind));
    model.editors.set(id, { id, traits });
    moveFeed(feed, { kind: 'appear', pick, value });
    return;
  }
  const items = model.before.filter(({ id }) => !model.editors.has(id));
  const item = items[pick % Math.max(1, items.length)];
  if (!item) return;
  if (kind === 'editorDeletes') {
    await open.site.request('DELETE', `${path}/${item.id}`);
    model.deleted.add(thingOf(item.traits));
    for (const key of model.keys.get(item.id) ?? []) model.deletedKeys.set(key, item.traits);
    model.before = model.before.filter(({ id }) => id !== item.id);
    return;
  }
  const trait = feed.kind === 'accounts' ? 'first' : value % 2 === 0 ? 'title' : 'place';
  const change: Traits = { [trait]: `${item.traits[trait]} edited` };
  await open.site.request('PATCH', `${path}/${item.id}`, bodyOf(change, feed.kind));
  model.edits.set(item.id, [...(model.edits.get(item.id) ?? []), ...Object.entries(change)]);
}

/** At the end, a verification names each double. */
async function verify(game: Game): Promise<void> {
  const { open, feed, model } = game;
  const shown = await runHere(['verify', 'play', '--json'], open.site.variables);
  interface Drift {
    cmsId: number | null;
    cause: string;
    with?: { cmsId?: number | null };
  }
  const { verified } = shown.json<{ verified: Array<{ drift: Drift[] }> }>();
  const doubled = verified.flatMap(({ drift }) => drift.filter(({ cause }) => cause === 'doubled'));
  const named = new Set(doubled.flatMap(({ cmsId, with: other }) => [cmsId ?? 0, other?.cmsId ?? 0]));
  fail(game, unnamedDoubles(model, await look(game), feed.entries, named));
}
