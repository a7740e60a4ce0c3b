import { hashJson } from '../../src/core/hash.ts';
import type { Json } from '../../src/core/record.ts';
import { undoRun } from '../../src/sync/undo/undo-run.ts';
import type { Finding } from './checks/finding.ts';
import { convergeAll } from './converge.ts';
import type { SimulatedResource } from './plan/resources.ts';
import { type Site, syncOn, toEnd } from './site.ts';
import { type Item, itemsOf } from './world/items.ts';
import { CALM } from './world/weather.ts';

/** Lets a run change, create and delete records, lets an editor describe one of them, undoes the run, and looks. */
export async function checkUndo(site: Site): Promise<Finding[]> {
  const { world, network, settings, resource, rows, editors, crew, cms } = site;
  const { chance } = world;
  const begin = world.now();
  const some = (many: number) => Array.from({ length: many }, () => chance.below(8));
  // A record that returns may have an update in doubt: what was before that is restored.
  rows.edit({ changed: some(2), added: 1, removed: some(1), returned: [], swapped: false });
  if (settings.files) rows.changeImage(chance.pick(['replace', 'move', 'remove', 'share', 'copy']), chance.below(8));
  // What is missing is deleted by the second run.
  if (chance.chance(0.5)) await toEnd(site, 'run before', syncOn(site, 0));
  const before = itemsOf(cms);
  // What was there before a change that had to be sent twice is restored.
  const isRough = chance.chance(0.5);
  if (isRough) network.setWeather({ ...CALM, lostAfter: 0.6 });
  const changed = await toEnd(site, 'run to undo', syncOn(site, 0));
  network.setWeather(CALM);
  const run = changed?.report;
  if (!run || run.counts.created + run.counts.updated + run.counts.deleted === 0) return convergeAll(site);
  if (isRough && run.status !== 'success') return convergeAll(site);
  if (chance.chance(0.5)) editors.work('describe', chance.below(1000));
  await toEnd(site, 'undo', (name) => crew.command(0, name, (context) => undoRun(run.run, context)));
  const describedNow = new Map([...editors.described].filter(([, { at }]) => at > begin));
  const findings = compare(before, itemsOf(cms), describedNow, resource);
  return [...findings, ...(await convergeAll(site))];
}

/** Compares all items but those that editors have described, whose text must be theirs. */
function compare(
  before: readonly Item[],
  after: readonly Item[],
  described: ReadonlyMap<number, { text: string }>,
  { text: attribute }: SimulatedResource,
): Finding[] {
  const findings: Finding[] = [];
  for (const [id, { text }] of described) {
    const was = before.find((item) => item.id === id);
    const item = after.find((each) => each.id === id);
    if (item?.[attribute] !== text && was?.[attribute] !== item?.[attribute]) {
      findings.push({ is: 'not undone', what: `editors have described item ${id}, which is ${JSON.stringify(item)}` });
    }
  }
  const others = (items: readonly Item[]) => items.filter(({ id }) => !described.has(id));
  const left = Map.groupBy(others(after), contentOf);
  for (const item of others(before)) {
    if (!left.get(contentOf(item))?.pop())
      findings.push({ is: 'not undone', what: `${JSON.stringify(item)} is not there again` });
  }
  for (const item of [...left.values()].flat())
    findings.push({ is: 'not undone', what: `${JSON.stringify(item)} is still there` });
  return findings;
}

/** An item that was deleted is created again with another id, and with what the CMS shows in place of no text. */
function contentOf({ id, ...content }: Item): string {
  return hashJson(
    Object.fromEntries(Object.entries(content).filter(([, value]) => value !== '')) as { [key: string]: Json },
  );
}
