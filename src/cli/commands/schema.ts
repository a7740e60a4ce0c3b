import { Argument, type Command } from 'commander';
import { printedSchema, schemaNames } from '../../app/schema.ts';
import { type CommandContext, defineCommand, execute } from '../command.ts';
import { EXIT } from '../exit.ts';
import { print } from '../output/tables.ts';

type Name = (typeof schemaNames)[number];

export function schemaCommand(): Command {
  const kind = new Argument('[kind]', 'the kind of file').choices(schemaNames).default('sync');
  return defineCommand('schema', 'print the JSON Schema of config files, for editors')
    .addArgument(kind)
    .action(execute(schema));
}

async function schema({ json }: CommandContext, name: Name): Promise<number> {
  print(process.stdout, printedSchema(name, json ? 0 : 2));
  return EXIT.success;
}
