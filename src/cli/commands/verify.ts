import type { App } from '../../app/app.ts';
import { loadUsableAppConfig } from '../../app/load-config.ts';
import { selectSyncs } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import type { RunReport } from '../../core/run.ts';
import { verificationDocument } from '../../documents/verification.ts';
import { createLedgerQueries } from '../../queries/create-queries.ts';
import { healRun } from '../../sync/verify/heal-run.ts';
import type { Verification, Verified } from '../../sync/verify/verification.ts';
import { verifySyncs } from '../../sync/verify/verify-syncs.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { documentText } from '../output/as-text.ts';
import { print, printJson } from '../output/print.ts';
import { createProgressLine } from '../output/progress.ts';
import { toRunResult, unlessRefused } from '../output/run-result.ts';
import { printRuns } from '../output/run-tables.ts';
import { warnOfBroken } from '../select-sync.ts';
import { exitCodeOf, withApp } from '../with-app.ts';

/** Number of differences of each sync that are printed. */
const SHOWN = 20;

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
    const look = async () => {
      const found = await lookAt(app, syncs, signal, progress.show).finally(progress.clear);
      if (!json) for (const { result } of found) await show(app, result.sync);
      return found;
    };
    const before = await look();
    const verified = before.map(({ result }) => result);
    const differing = heal ? before.filter(mayBeHealed) : [];
    const runs = await healAll(differing);
    if (!json && differing.length > 0) printRuns(runs);
    // Verifies again after the repair.
    const remaining = differing.length > 0 ? (await look()).map(({ result }) => result) : verified;
    if (json) printJson({ verified, ...(heal ? { runs: runs.map(toRunResult), remaining } : {}) });
    if (names.length === 0 && config.broken.length > 0) return EXIT.usage;
    return exitCodeOf(runs) || exitCode(remaining);
  });
}

/** Prints what the last verification of a sync has found. */
async function show(app: App, sync: string): Promise<void> {
  const view = await createLedgerQueries(() => app).verification(sync, { limit: SHOWN });
  print(`${documentText(verificationDocument(view), app.config.target.timezone)}\n`);
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
