import { setTimeout as sleep } from 'node:timers/promises';
import { checkItems } from './checks/check-items.ts';
import { checkProcesses } from './checks/check-processes.ts';
import { checkUploads, countRepetitions, type Repetitions } from './checks/check-uploads.ts';
import type { Finding } from './checks/finding.ts';
import type { Combination } from './combination.ts';
import { type Finished, startCrew } from './crew.ts';
import { type Done, disturb, nothingDone } from './disturb.ts';
import { faultPlan, noFaults } from './faults.ts';
import { createMishap } from './mishaps/create-mishap.ts';
import type { Mishap } from './mishaps/mishap.ts';
import { LOOK_UP_AFTER_MS } from './place.ts';
import { type PlannedMishap, planRound, type RoundPlan } from './plan.ts';
import type { Servers } from './servers/servers.ts';
import { openSite, type Site } from './site.ts';
import { beginStory, type Story } from './story.ts';
import { converge, sync } from './sync.ts';
import { nextWrite, requestsTo, writesTo } from './writes.ts';

/** What the site begins with, delivered before anything goes wrong. */
const BEGINNING = { events: 40, accounts: 15, changed: [], toggled: [], takenBack: 0 };

/** On a busy machine processes are slow to start. */
const LONGEST_START_MS = 120_000;

/** Result of a round. */
export interface RoundReport extends Outcome {
  combination: Combination;
  seed: number;
  externalId: boolean;
  mishap: PlannedMishap['what'];
  story: string[];
  done: Done;
  seconds: number;
  /** Folder of a round that found something: config, ledger, CMS and logs. */
  dir?: string;
}

interface Outcome {
  records: number;
  requests: number;
  uploads: Repetitions;
  runsToConverge: number;
  secondsToConverge: number;
  findings: Finding[];
}

/** Plays the round of a seed and returns its report; keeps its folder if there are findings. */
export async function playRound(combination: Combination, seed: number, servers: Servers): Promise<RoundReport> {
  const startedAt = performance.now();
  const plan = planRound(combination, seed);
  const site = await openSite(combination, servers, plan);
  const story = beginStory();
  const done = nothingDone();
  const outcome = await play(plan, site, done, story).catch(brokenOff);
  const findings = [...checkServers(site), ...outcome.findings];
  const keep = findings.length > 0;
  await site.close(keep);
  const seconds = (performance.now() - startedAt) / 1000;
  return {
    ...outcome,
    findings,
    combination,
    seed,
    externalId: plan.externalId,
    mishap: plan.mishap.what,
    story: story.lines(),
    done,
    seconds,
    ...(keep ? { dir: site.dir } : {}),
  };
}

/** Calm, trouble, calm again; then a look at what the CMS has. */
async function play(plan: RoundPlan, site: Site, done: Done, story: Story): Promise<Outcome> {
  await begin(site);
  story.note(`the site is ready (${plan.externalId ? 'external ids' : 'no external ids'}, ${plan.lies})`);
  const mishap = createMishap(site, plan);
  await mishap.prepare?.();
  const findings = plan.mishap.when === 'before' ? await strikeBefore(mishap, plan, site, story) : [];
  const crew = await makeTrouble(plan, site, done, story);
  if (plan.mishap.when === 'after') findings.push(...(await strikeAfter(mishap, plan, site, story)));
  findings.push(...((await mishap.recover?.()) ?? []));
  const convergingSince = performance.now();
  const converging = await converge(site, 'converge', successesToRest(plan));
  const secondsToConverge = (performance.now() - convergingSince) / 1000;
  story.note(`${converging.length} runs later`);
  const restless = await checkRest(site);
  const uploads = await countRepetitions(site, done, plan);
  return {
    records: site.source.events().length + site.source.accounts().length,
    requests: await requestsTo(site),
    uploads,
    runsToConverge: converging.length,
    secondsToConverge,
    findings: [
      ...findings,
      ...checkEnd(converging),
      ...restless,
      ...(await checkItems(site, plan)),
      ...checkUploads(uploads),
      ...checkProcesses([...crew, ...converging]),
    ],
  };
}

function brokenOff(error: unknown): Outcome {
  const what = `the round broke off: ${error instanceof Error ? error.stack : error}`;
  const uploads = { repeated: 0, beyondNeed: 0 };
  return {
    records: 0,
    requests: 0,
    uploads,
    runsToConverge: 0,
    secondsToConverge: 0,
    findings: [{ is: 'other', what }],
  };
}

async function begin(site: Site): Promise<void> {
  site.source.edit(BEGINNING);
  const { exitCode, stdout, stderr } = await sync(site, 'beginning');
  if (exitCode !== 0) throw new Error(`the site could not be set up: ${stdout}${stderr}`);
}

async function strikeBefore(mishap: Mishap, plan: RoundPlan, site: Site, story: Story): Promise<Finding[]> {
  site.source.edit(plan.mishap.edit);
  const settled = await converge(site, 'before-mishap', plan.missingAfter);
  story.note(`mishap: ${plan.mishap.what}`);
  return [...checkEnd(settled), ...(await mishap.strike())];
}

/** What external ids have restored counts as missing from the run after that. */
function successesToRest({ mishap: { what }, externalId, missingAfter }: RoundPlan): number {
  const isRelinked = externalId && what !== 'none' && what !== 'feed cut';
  return isRelinked ? missingAfter + 1 : missingAfter;
}

/** External ids tell everything apart. Without them, and for a feed, the site comes to rest first. */
async function strikeAfter(mishap: Mishap, plan: RoundPlan, site: Site, story: Story): Promise<Finding[]> {
  const { what } = plan.mishap;
  if (what === 'none') return [];
  // What was on its way when the crew was sent home has arrived.
  await sleep(LOOK_UP_AFTER_MS);
  const isAtRest = !plan.externalId || what === 'feed cut';
  const settled = isAtRest ? await converge(site, 'before-mishap', plan.missingAfter) : [];
  story.note(`mishap: ${what}`);
  return [...(isAtRest ? checkEnd(settled) : []), ...(await mishap.strike())];
}

/** Lets a crew work on a changed source while things go wrong, and ends with a CMS that answers again. */
async function makeTrouble(plan: RoundPlan, site: Site, done: Done, story: Story): Promise<readonly Finished[]> {
  site.source.edit(plan.edit);
  await site.sandbox.setFaults(faultPlan(plan));
  const writesBefore = await writesTo(site);
  const crew = startCrew(plan, site);
  try {
    if (plan.startsAtFirstWrite) await nextWrite(site, LONGEST_START_MS);
    await disturb(plan, crew, site, done, story);
  } finally {
    story.note(`the crew is sent home (${plan.ending}, planners after ${plan.patienceMs} ms)`);
    const { planner, worker } = await crew.end(plan);
    done['kill planner'] += planner;
    done['kill worker'] += worker;
    const undone = site.ledger.cutPower();
    if (undone > 0) story.note(`a power failure has undone ${undone} commits`);
    done['undo commit'] += undone;
  }
  await site.sandbox.setFaults(noFaults);
  story.note(`the trouble is over, after ${(await writesTo(site)) - writesBefore} writes`);
  return crew.finished();
}

/** A server that another process has ended says nothing about feedferry, and explains the rest. */
function checkServers({ sandbox, redis }: Site): Finding[] {
  const servers = { 'The sandbox': sandbox, Redis: redis };
  const ended = Object.entries(servers).filter(([, server]) => server && !server.isRunning());
  return ended.map(([name]) => ({ is: 'other', what: `${name} has ended, and not by this round` }));
}

function checkEnd(converging: readonly Finished[]): Finding[] {
  const last = converging.at(-1);
  return last?.exitCode === 0 ? [] : [{ is: 'other', what: `it does not converge: ${last?.stdout}` }];
}

/** When all is delivered, another run writes nothing. */
async function checkRest(site: Site): Promise<Finding[]> {
  const before = await writesTo(site);
  const { exitCode } = await sync(site, 'once-more');
  const writes = (await writesTo(site)) - before;
  if (exitCode === 0 && writes === 0) return [];
  return [{ is: 'other', what: `a run with nothing to deliver sent ${writes} writes, exit code ${exitCode}` }];
}
