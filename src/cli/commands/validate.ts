import { loadAppConfig } from '../../app/load-config.ts';
import { loadPeople } from '../../config/people-file.ts';
import type { SyncConfig } from '../../config/types.ts';
import { checkLocalFeeds } from '../../source/check-local-feed.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';
import { print, printError, printJson } from '../output/print.ts';

export const validateCommand = defineCommand('validate').action(execute(validate));

async function validate({ environment, json, signal }: CommandContext): Promise<number> {
  const { dir, target, syncs } = loadAppConfig(environment);
  const { tokensFile } = environment.http;
  if (tokensFile !== undefined) loadPeople(tokensFile, environment.variables);
  const feeds: Array<{ sync: string; is: 'problem' | 'warning'; code: string; message: string; remedy: string }> = [];
  for (const sync of syncs) {
    for (const { is, error } of await checkLocalFeeds(sync, target, signal)) {
      const { code, message, remedy } = error;
      feeds.push({ sync: sync.name, is, code, message, remedy });
    }
  }
  const problems = feeds.filter(({ is }) => is === 'problem').length;
  const summary = syncs.map((sync) => ({ sync: sync.name, resource: sync.resource, connector: connectorsOf(sync) }));
  if (json) printJson({ valid: problems === 0, dir, baseUrl: target.baseUrl, syncs: summary, feeds });
  else {
    for (const { sync, resource, connector } of summary) print(`${sync}: ${connector} → ${resource}`);
    if (problems === 0) print(`${dir} is valid: ${syncs.length} syncs for ${target.baseUrl}`);
  }
  for (const { sync, is, message, ...error } of feeds) {
    printError({ ...error, message: `${sync}: ${is === 'warning' ? 'Warning: ' : ''}${message}` });
  }
  return problems > 0 ? EXIT.usage : EXIT.success;
}

/** Names the format of a feed, or the formats of several. */
function connectorsOf({ source, sources }: SyncConfig): string {
  const each = sources?.map(({ sync }) => sync.source.connector) ?? [source.connector];
  return [...new Set(each)].join(', ');
}
