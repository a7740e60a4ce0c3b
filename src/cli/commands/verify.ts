import type { App } from '../../app/app.ts';
import { loadUsableAppConfig } from '../../app/load-config.ts';
import { selectSyncs } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { RunReport } from '../../core/run.ts';
import { describeDifferences } from '../../core/text/describe-differences.ts';
import { nameWithKey } from '../../core/text/record-title.ts';
import { healRun } from '../../sync/verify/heal-run.ts';
import type { Verification, Verified } from '../../sync/verify/verification.ts';
import { verifySyncs } from '../../sync/verify/verify-syncs.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { colour, print, printError, printJson, printList } from '../output/print.ts';
import { createProgressLine } from '../output/progress.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { printRuns } from '../output/run-tables.ts';
import { warnOfBroken } from '../select-sync.ts';
import { exitCodeOf, withApp } from '../with-app.ts';

export const verifyCommand = defineCommand('verify')
  .argument('[sync...]', 'names of sync files (default: all)')
  .option('--heal', 'repair what differs: deliver it again')
  .action(execute(verify));

async function verify(context: CommandContext, names: string[], { heal }: { heal?: boolean }): Promise<number> {
  const { environment, json, signal } = context;
  const config = loadUsableAppConfig(environment);
  const syncs = selectSyncs(config, names);
  warnOfBroken(config);
  const progress = createProgressLine();
  return withApp(config, context, async (app) => {
    const look = () => lookAt(app, syncs, signal, progress.show).finally(progress.clear);
    const before = await look();
    const verified = before.map(({ result }) => result);
    const differing = heal ? before.filter(mayBeHealed) : [];
    const runs = await healAll(differing);
    // Verifies again after the repair.
    const remaining = differing.length > 0 ? (await look()).map(({ result }) => result) : verified;
    if (json) printJson({ verified, ...(heal ? { runs: runs.map(toRunResult), remaining } : {}) });
    else printAll(verified, runs, remaining);
    if (names.length === 0 && config.broken.length > 0) return EXIT.usage;
    return exitCodeOf(runs) || exitCode(remaining);
  });
}

function mayBeHealed({ result, ignored }: Verified): boolean {
  return result.drift.length > 0 || ignored.size > 0 || result.certificate.counts.moving > 0;
}

function lookAt(app: App, syncs: readonly SyncConfig[], signal: AbortSignal, onProgress: RequestProgress) {
  return verifySyncs(syncs.map((sync) => app.contextOf(sync, { signal, onProgress })));
}

type RequestProgress = ReturnType<typeof createProgressLine>['show'];

async function healAll(verified: readonly Verified[]): Promise<RunReport[]> {
  const runs: RunReport[] = [];
  for (const each of verified) {
    const run = await unlessRefused(each.context.sync, healRun(each));
    if (run) runs.push(run);
  }
  return runs;
}

function exitCode(verified: readonly Verification[]): number {
  if (verified.some(({ error }) => error)) return EXIT.failed;
  const isProven = verified.every(({ drift, certificate }) => drift.length === 0 && certificate.proven);
  return isProven ? EXIT.success : EXIT.partial;
}

function printAll(verified: readonly Verification[], runs: readonly RunReport[], remaining: readonly Verification[]) {
  for (const each of verified) printVerification(each);
  if (remaining === verified) return;
  print('\nRepaired:');
  printRuns(runs);
  print('\nAfterwards:');
  for (const each of remaining) printVerification(each);
}

function printVerification({ sync, items, requests, inSync, drift, certificate, error }: Verification): void {
  if (error) {
    print(`${colour('red', sync)}: could not be verified`);
    printError(error);
    return;
  }
  const { counts, proven, reason } = certificate;
  const differing = describeDifferences(counts) || 'no differences';
  const parts = [`${inSync} of ${counts.records} records in sync`, differing];
  if (counts.moving > 0) parts.push(`${counts.moving} ${counts.moving === 1 ? 'was' : 'were'} being delivered`);
  const tone = drift.length > 0 ? 'red' : proven ? 'green' : 'yellow';
  print(`${colour(tone, sync)}: ${parts.join('; ')} (items read: ${items}, requests: ${requests})`);
  if (!proven) {
    const unjudged = counts.unverified + counts.moving;
    const which = unjudged > 0 ? `${unjudged} ${unjudged === 1 ? 'record' : 'records'}` : 'Orphaned and doubled items';
    print(`  ${which} could not be verified: ${reason}.`);
  }
  printList(
    `${sync}: differences`,
    drift.length,
    drift,
    ({ cmsId, cause, attributes, with: other, error, remedy, ...record }) => {
      const item = cmsId === null ? [] : [`item ${cmsId}`];
      const like = other ? [`looks like "${other.key}" of ${other.sync} (item ${other.cmsId})`] : [];
      const why = error ? [`${error.code} ${error.reason}`] : [];
      return `${nameWithKey(record)}: ${[cause, ...item, ...(attributes.length > 0 ? [attributes.join(', ')] : []), ...like, ...why, ...(remedy ? [remedy] : [])].join('; ')}`;
    },
  );
}
