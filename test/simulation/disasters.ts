import { CodedError } from '../../src/core/errors.ts';
import { releaseRun } from '../../src/sync/runs/release-run.ts';
import { healRun } from '../../src/sync/verify/heal-run.ts';
import { verifySyncs } from '../../src/sync/verify/verify-syncs.ts';
import { converge } from './converge.ts';
import { approveOn, BUSY_FOR_MS, rest, type Site, syncOn, toEnd } from './site.ts';

const MOST_TRIES = 8;

/** How long it takes to replace a ledger: what it knew of the requests of the last second no longer matters. */
const REPLACING_MS = 1_100;

/** Keeps copies of ledger and CMS, as of the same moment. Copies of different times do not fit together. */
export function backUp({ database, cms, editors, rows, backup, disasters }: Site): void {
  if (database.isInTransaction() || disasters.has('CMS is older')) return;
  Object.assign(backup, {
    ledger: database.copy(),
    cms: cms.copy(),
    editors: editors.copy(),
    lacked: rows.copyLacked(),
  });
}

/** The CMS has what it had at the last backup. */
export function restoreCms({ cms, editors, network, backup, disasters, moved, world }: Site): void {
  moved.at = world.now();
  cms.restore(backup.cms);
  editors.restore(backup.editors);
  disasters.add('CMS is older');
  // Nothing could tell what is lost from a list that is empty for a while.
  network.stopLying();
}

/** Lets the ledger be lost, or replaced with its backup; nothing runs meanwhile. */
export async function strikeLedger(site: Site, what: 'ledger is lost' | 'ledger is older'): Promise<void> {
  stopAll(site);
  await rest(site, REPLACING_MS);
  site.world.tell(() => what);
  site.database.restore(what === 'ledger is lost' ? site.database.empty() : site.backup.ledger);
  if (what === 'ledger is older') site.rows.recallLacked(site.backup.lacked);
  site.disasters.add(what);
}

/** What the documentation tells an operator to do: docs/delivery.md, docs/adopting.md, docs/ledger.md. */
export async function recover(site: Site): Promise<void> {
  const { settings, disasters } = site;
  // Asked before a release forgets it. Without external ids, the CMS is restored with the ledger, and it no longer counts.
  const hadNewIds = settings.externalId && mayHaveNewIds(site);
  if (disasters.has('CMS is older')) await afterCmsRestored(site);
  if (settings.disaster) {
    // Without external ids, records are found by what they were last in the CMS.
    if (!settings.externalId) await converge(site);
    const haveNewIds = hadNewIds || mayHaveNewIds(site);
    await strikeLedger(site, settings.disaster);
    if (settings.disaster === 'ledger is older' && haveNewIds) return renew(site);
    // The newest items of one page tell that the ledger is older, if they are enough.
    const isNoticed = settings.disaster === 'ledger is lost' || settings.pageSize > settings.records;
    if (!settings.externalId || !isNoticed) await adopt(site);
    if (settings.disaster === 'ledger is older') {
      await converge(site);
      await heal(site);
    }
  }
}

/** Whether items may have been deleted and created again since the backup, with other ids. */
function mayHaveNewIds({ database }: Site): boolean {
  return database.hasUndone() || database.hasCreatedAgain();
}

/** Without external ids, ledger and CMS have to be of the same time. */
async function afterCmsRestored(site: Site): Promise<void> {
  const { settings } = site;
  if (settings.externalId) return release(site);
  stopAll(site);
  restoreCms(site);
  await strikeLedger(site, 'ledger is older');
}

/**
 * Without proof, so much is missing that the items count as lost for good. Of a double, a person deletes the item of the other sync:
 * a repair leaves both.
 */
async function heal(site: Site): Promise<void> {
  let isProven = false;
  await inTheEnd(site, 'verify and heal', (name) =>
    site.crew.command(0, name, async (context) => {
      const [verified] = await verifySyncs([context]);
      isProven = verified?.result.certificate.proven ?? false;
      for (const { with: other } of verified?.result.drift ?? []) if (other) site.cms.table.remove(other.cmsId, '');
      return verified && healRun(verified);
    }),
  );
  if (!isProven) await renew(site);
}

/** Forgets all records, and finds their items again. */
async function renew(site: Site): Promise<void> {
  await release(site);
  if (!site.settings.externalId) await adopt(site);
}

async function release(site: Site): Promise<void> {
  await inTheEnd(site, 'release', (name) => site.crew.command(0, name, releaseRun));
}

async function adopt(site: Site): Promise<void> {
  const ended = await inTheEnd(site, 'sync that adopts', syncOn(site, 0, { adopt: true }));
  const held = ended?.report;
  if (held?.status === 'held') await toEnd(site, 'approval', approveOn(site, 0, held.run, { adopt: true }));
}

/** Runs a command to its end, again as long as another run is under way: its process may have been stopped. */
async function inTheEnd(...command: Parameters<typeof toEnd>): ReturnType<typeof toEnd> {
  for (let tries = 1; ; tries += 1) {
    const ended = await toEnd(...command);
    const isBusy = ended?.error instanceof CodedError && ended.error.code === 'FF_RUN_BUSY';
    if (!isBusy || tries === MOST_TRIES) return ended;
    await rest(command[0], BUSY_FOR_MS);
  }
}

function stopAll({ crew, queue }: Site): void {
  for (const machine of crew.machines) machine.kill();
  queue.lose();
}
