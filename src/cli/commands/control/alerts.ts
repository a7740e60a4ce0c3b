import { loadUsableAppConfig } from '../../../app/load-config.ts';
import { CodedError } from '../../../core/errors.ts';
import { hearersDocument } from '../../../documents/site/hearers.ts';
import { actHere, actInLedger } from '../../act.ts';
import { type CommandContext, defineCommand, execute } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { documentText } from '../../output/as-text.ts';
import { print, printJson } from '../../output/print.ts';
import { warnOfBroken } from '../../select-sync.ts';
import { withApp } from '../../with-app.ts';
import { withQueries } from '../../with-ledger.ts';

export const alertsCommand = defineCommand('alerts')
  .argument(
    '[action]',
    '`test`: send a test message to each recipient; `revoke`: revoke the links of the owners of a feed (default: list who hears what)',
  )
  .argument('[sync]', 'test: also the recipients and owners that only this sync has; revoke: whose links')
  .action(execute(alerts));

function alerts(context: CommandContext, action?: string, sync?: string): Promise<number> {
  if (action === undefined) return list(context);
  if (action === 'test') return test(context, sync);
  if (action === 'revoke' && sync !== undefined) return revoke(context, sync);
  const what = action === 'revoke' ? 'needs the name of a sync' : `knows test and revoke, not "${action}"`;
  throw new CodedError('FF_USAGE', `\`feedferry alerts${action === 'revoke' ? ' revoke' : ''}\` ${what}.`);
}

function list({ environment, json }: CommandContext): Promise<number> {
  return withQueries(environment, async (queries, { config }) => {
    const hearers = await queries.hearers();
    if (json) printJson({ hearers });
    else print(documentText(hearersDocument(hearers), config.target.timezone));
    return EXIT.success;
  });
}

async function test(context: CommandContext, sync: string | undefined): Promise<number> {
  const config = loadUsableAppConfig(context.environment);
  warnOfBroken(config);
  return withApp(config, context, async (app) => {
    const { response } = await actHere('testAlerts', sync === undefined ? {} : { sync }, app, context);
    const { tested } = response;
    if (context.json) printJson({ tested });
    for (const { to, isSent, answer } of context.json ? [] : tested)
      print(`${to}: ${isSent ? 'sent' : 'not sent'}. ${answer}`);
    if (tested.every(({ isSent }) => isSent)) return EXIT.success;
    return tested.some(({ isSent }) => isSent) ? EXIT.partial : EXIT.failed;
  });
}

function revoke(context: CommandContext, sync: string): Promise<number> {
  return withQueries(context.environment, async (_, known) => {
    await actInLedger('revokeLinks', { sync }, known, context);
    if (context.json) printJson({ sync });
    else print(`${sync}: the links of its owners no longer work. The next digests have new ones.`);
    return EXIT.success;
  });
}
