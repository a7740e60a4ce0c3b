import { Argument } from 'commander';
import { printedSchema } from '../../app/load-config.ts';
import { schemaNames } from '../../config/json-schema.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit-codes.ts';

export const schemaCommand = defineCommand('schema')
  .addArgument(new Argument('[kind]', 'the kind of file').choices(schemaNames).default('sync'))
  .action(execute(schema));

async function schema({ json }: CommandContext, name: (typeof schemaNames)[number]): Promise<number> {
  process.stdout.write(`${printedSchema(name, json ? 0 : 2)}\n`);
  return EXIT.success;
}
