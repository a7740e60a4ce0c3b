import {
  answerQuestions,
  askedQuestions,
  givenAnswers,
  takeBackAnswers,
} from '../../../../src/sync/questions/questions.ts';
import { approveRun } from '../../../../src/sync/runs/approve-run.ts';
import { syncRun } from '../../../../src/sync/runs/sync-run.ts';
import { check } from './check.ts';
import { isAsked, isPublished } from './comparison.ts';
import { writeFeed, writeSyncFile } from './files.ts';
import { type OpenSite, openOnce } from './open-campus.ts';
import { isComplete, readSources } from './read.ts';
import { isPresent, likeness, placesOf } from './rules.ts';
import { look, publisherOf, type Seen, type SeenItem } from './seen.ts';
import { add, describeMove, type Move, makeMove, type Steps } from './steps.ts';
import { happening, newWorld, type World } from './world.ts';

export interface History {
  kinds: Array<'csv' | 'ical'>;
  policy: 'delete' | 'keep';
  after: number;
  begin: number[][];
  steps: Steps;
}

/** Items that editors have created. */
const EDITORS = [
  ['Bake sale', '2031-03-01'],
  ['Requiem', '2031-07-01'],
].map(([title, date]) => ({
  title,
  date,
  endDate: date,
  location: 'Main Hall',
  time: { start: '19:00:00', end: '19:00:00' },
}));

/** Moves after which all records are the same as before. */
const IN_PLACE: ReadonlyArray<Move['kind']> = [
  'nothing',
  'edit',
  'blank',
  'fill',
  'missing',
  'truncated',
  'empty',
  'bad',
];

interface Play {
  open: OpenSite;
  world: World;
  seen: Seen;
  story: string[];
}

/** Plays a history on a site of its own. Throws what is wrong, with the story up to there. */
export async function play({ kinds, policy, after, begin, steps }: History): Promise<void> {
  await using open = await openOnce();
  const world = newWorld(kinds, policy, after);
  for (const [index, source] of world.sources.entries()) {
    for (const value of begin[index] ?? []) add(world, source, happening(value));
  }
  for (const each of EDITORS) await open.site.request('POST', 'api/v1/calendar/events', each);
  const game: Play = { open, world, seen: await look(open.site, { asked: [] }), story: [] };
  await run(game);
  for (const moves of steps) {
    for (const each of moves) await makeAnyMove(game, each);
    game.story.push(moves.map(describeMove).join(', '));
    await run(
      game,
      moves.some(({ kind }) => kind === 'answer'),
    );
  }
  await rest(game);
}

/** Runs the sync once, and again if nothing is to happen by itself in the second run. */
async function run(game: Play, hasAnswers = false): Promise<void> {
  const { world, seen } = game;
  await runOnce(game);
  // A record that is another event, as a person has said, may be the best one of a third record.
  if (hasAnswers) await runOnce(game);
  const isLeaving = [...world.known.values()].some(({ absent }) => absent > 0 && absent <= world.after * 2 + 1);
  // Items of a lost ledger, whose records no source has, or which have other keys.
  const isGhost = (item: SeenItem) => publisherOf(world, item) === undefined || !world.known.has(item.key);
  const hasGhosts = [...seen.items, ...game.seen.items].some(isGhost);
  if (isLeaving || hasGhosts) return endTroubles(world);
  game.story.push('again');
  await runOnce(game, true);
  endTroubles(world);
}

function endTroubles(world: World): void {
  for (const source of world.sources) {
    delete source.trouble;
    delete source.bad;
  }
}

async function runOnce(game: Play, isQuiet = false): Promise<void> {
  const { open, world, seen, story } = game;
  const { site } = open;
  if (writeSyncFile(site, world)) await open.close();
  for (const source of world.sources) writeFeed(site, source);
  site.writes();
  const played = await runAndApprove(open, story);
  const writes = site.writes();
  readSources(world);
  const now = await look(site, played);
  story.push(`  ${describe(now, world)}`);
  const problems = check({ world, before: seen, now });
  if (isQuiet && Object.keys(writes).length > 0) problems.push(`a run without changes wrote ${JSON.stringify(writes)}`);
  if (problems.length > 0) throw new Error([...problems, '', ...story, '', describeWorld(world)].join('\n'));
  game.seen = now;
  for (const known of world.known.values()) {
    const comparison = { world, before: seen, now };
    const isDelivered = isPublished(known, comparison) || !isAsked(known, comparison);
    if (isPresent(known) && isDelivered) world.delivered.add(known.source);
  }
}

/** Runs the sync. Approves the plan of a run that is held once after a change of the sources. */
function runAndApprove({ site, withContext }: OpenSite, story: string[]) {
  return withContext(async (context) => {
    let report = await syncRun(context);
    if (report.error?.code === 'FF_GUARD_SOURCES') {
      const writes = Object.keys(site.writes());
      if (writes.length > 0) throw new Error(`a held run wrote ${writes.join()}`);
      story.push('  held, approved');
      report = await approveRun(report.run, context);
    }
    return { report, asked: await askedQuestions(context) };
  });
}

function describe({ report, items, questions }: Seen, world: World): string {
  const shown = items.map((item) => `${item.id}=${item.tag} "${item.text}"`);
  const asked = questions.map(({ why, records }) => `${why}(${records.join(' ')})`);
  const sources = world.sources.map((source) => {
    const what = `${source.trouble ?? ''}${source.bad ? ` bad ${source.bad}` : ''}${isComplete(world, source) ? '' : ' incomplete'}`;
    return `${source.name}${what ? `[${what}]` : ''}: ${source.entries.map(({ key, version, cancelled }) => `${key}@${version}${cancelled ? 'X' : ''}`).join(' ')}`;
  });
  const problems = report?.problems.map(({ key, code, reason }) => ` ${key} ${code} ${reason}`).join('') ?? '';
  return `${report?.status}${problems}; ${sources.join('; ')}; fill ${world.fill.join(' ')}\n    items ${shown.join(', ')}; ${asked.join(', ')}`;
}

function describeWorld(world: World): string {
  const known = [...world.known.values()].map(({ id, entry, absent, withdrawn }) => {
    const { title, date, start, place, text, version } = entry;
    return `${id}@${version}: ${title} | ${date} | ${start} | ${place} | ${text}${absent ? ` absent ${absent}` : ''}${withdrawn ? ' withdrawn' : ''}`;
  });
  const answers = world.answers.map(({ why, answer, ids }) => `${answer}: ${why} ${ids.join(' ')}`);
  return [`${world.policy} after ${world.after}`, ...known, ...answers].join('\n');
}

async function makeAnyMove(game: Play, each: Move): Promise<void> {
  if (each.kind === 'answer') return answer(game, each);
  if (each.kind === 'takeBack') return takeBack(game, each);
  if (each.kind === 'loseLedger') {
    await game.open.close();
    noteUnsure(game);
  }
  if (!IN_PLACE.includes(each.kind)) game.world.calm = 0;
  makeMove(game.world, game.open.site, each);
}

/** Notes the sources that may have given the records of items other keys. */
function noteUnsure({ world, seen }: Play): void {
  for (const { name, entries } of world.sources) {
    const isUnsure = seen.items.some(
      (item) =>
        item.key.startsWith(`${name}/`) &&
        !entries.some(({ key }) => item.key === `${name}/${key}`) &&
        entries.some((entry) => likeness({ ...entry, place: 'any' }, { ...item, place: 'any' }) === 'same'),
    );
    if (isUnsure) world.unsure.add(name);
  }
}

/** Answers an open question. */
async function answer({ open, world }: Play, { record, value }: Move): Promise<void> {
  await open.withContext(async (context) => {
    const asked = await askedQuestions(context);
    const question = asked[record % Math.max(asked.length, 1)];
    if (!question) return;
    const said = value % 2 === 0 ? 'same' : 'distinct';
    await answerQuestions([question.id], { answer: said, person: 'model' }, context);
    const ids = question.records.map(({ key }) => key);
    const [one, two] = ids.map((id) => world.known.get(id)?.entry);
    const places = question.why === 'places' && one && two ? placesOf(one, two) : [];
    world.answers.push({ why: question.why, answer: said, ids, places });
  });
}

/** Takes an answer back. What was decided by then stays. */
async function takeBack({ open }: Play, { record }: Move): Promise<void> {
  await open.withContext(async (context) => {
    const answers = await givenAnswers(context);
    const given = answers[record % Math.max(answers.length, 1)];
    if (given) await takeBackAnswers([given.id], context);
  });
}

/** Runs without changes until nothing is left to do: the next run must write nothing. */
async function rest(game: Play): Promise<void> {
  endTroubles(game.world);
  for (let turn = 0; turn < game.world.after + 1; turn += 1) await runOnce(game);
  game.story.push('at rest');
  await runOnce(game, true);
}
