import { loadAppConfig } from '../../app/load-config.ts';
import { type CommandContext, defineCommand, EXIT, execute } from '../command.ts';
import { print, printJson } from '../output/print.ts';

export const validateCommand = defineCommand('validate', 'check the config folder offline').action(execute(validate));

async function validate({ environment, json }: CommandContext): Promise<number> {
  const { dir, target, syncs } = loadAppConfig(environment);
  const summary = syncs.map(({ name, resource, source }) => ({ sync: name, resource, connector: source.connector }));
  if (json) printJson({ valid: true, dir, baseUrl: target.baseUrl, syncs: summary });
  else {
    for (const { sync, resource, connector } of summary) print(`${sync}: ${connector} → ${resource}`);
    print(`${dir} is valid: ${syncs.length} syncs for ${target.baseUrl}`);
  }
  return EXIT.success;
}
