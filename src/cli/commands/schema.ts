import { Argument, type Command } from 'commander';
import { printedSchema, schemaNames } from '../../app/schema.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';

type Name = (typeof schemaNames)[number];

export function schemaCommand(): Command {
  const kind = new Argument('[kind]', 'the kind of file').choices(schemaNames).default('sync');
  return defineCommand('schema', 'print the JSON Schema of the config files, for editors')
    .addArgument(kind)
    .action(execute(schema));
}

async function schema({ json }: CommandContext, name: Name): Promise<number> {
  process.stdout.write(`${printedSchema(name, json ? 0 : 2)}\n`);
  return EXIT.success;
}
