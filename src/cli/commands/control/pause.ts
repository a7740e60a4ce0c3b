import { loadUsableAppConfig } from '../../../app/load-config.ts';
import { machineUser } from '../../../app/machine-user.ts';
import { selectSyncs, withBroken } from '../../../config/select.ts';
import { CodedError } from '../../../core/errors.ts';
import { resumeSync } from '../../../sync/runs/pause-sync.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { print, printJson } from '../../output/print.ts';
import { withLedger } from '../../with-ledger.ts';

export const pauseCommand = defineCommand('pause')
  .argument('<sync...>', 'names of sync files')
  .option('--reason <text>', 'why, for everybody who looks at the sync (required)')
  .action(execute(pause));

export const resumeCommand = defineCommand('resume')
  .argument('<sync...>', 'names of sync files')
  .action(execute(resume));

async function pause({ environment, json }: CommandContext, names: string[], { reason = '' }: { reason?: string }) {
  if (reason.trim() === '') throw new CodedError('FF_USAGE', 'A pause needs a reason: --reason TEXT');
  const syncs = selectSyncs(withBroken(loadUsableAppConfig(environment)), names);
  const asked = { by: machineUser(), via: 'cli', reason: reason.trim() } as const;
  const paused = await withLedger(environment, ({ pauses }) => {
    return Promise.all(syncs.map(async ({ name }) => ({ sync: name, ...(await pauses.pause(name, asked)) })));
  });
  if (json) printJson({ paused });
  else for (const { name } of syncs) print(`${name}: paused. No run of it begins until: feedferry resume ${name}`);
  return EXIT.success;
}

async function resume({ environment, json }: CommandContext, names: string[]) {
  const syncs = selectSyncs(withBroken(loadUsableAppConfig(environment)), names);
  const asked = { by: machineUser(), via: 'cli' } as const;
  const resumed = await withLedger(environment, (ledger) => {
    return Promise.all(
      syncs.map(async (sync) => ({ sync: sync.name, resumed: await resumeSync(sync, asked, ledger) })),
    );
  });
  if (json) printJson({ syncs: resumed });
  else for (const each of resumed) print(`${each.sync}: ${each.resumed ? 'resumed' : 'was not paused'}`);
  return EXIT.success;
}
