import { loadAppConfig } from '../../app/load-config.ts';
import { loadPeople } from '../../config/people-file.ts';
import { checkLocalFeed } from '../../source/check-local-feed.ts';
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
    const mistake = await checkLocalFeed(sync, target, signal);
    if (!mistake) continue;
    const { code, message, remedy } = mistake.error;
    feeds.push({ sync: sync.name, is: mistake.is, code, message, remedy });
  }
  const problems = feeds.filter(({ is }) => is === 'problem').length;
  const summary = syncs.map(({ name, resource, source }) => ({ sync: name, resource, connector: source.connector }));
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
