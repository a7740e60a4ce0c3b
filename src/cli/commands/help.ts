import type { Command } from 'commander';
import { CodedError, errorTable } from '../../core/errors.ts';
import { didYouMean } from '../../core/suggest.ts';
import { defineCommand } from '../command.ts';
import { commandList } from '../command-list.ts';
import { EXIT } from '../exit-codes.ts';
import { readTopics } from '../help-topics.ts';
import { print, printError } from '../output/print.ts';
import { textTable } from '../output/tables.ts';

// Does not use `execute`, so that the help works even if the environment has mistakes.
export const helpCommand = defineCommand('help')
  .argument('[topic]', 'a page, a command, an error code, or `topics` for the list of pages')
  .action((topic: string | undefined, _options: unknown, { parent: program }: Command) => {
    if (topic === undefined) program?.outputHelp();
    else showTopic(topic);
  });

function showTopic(topic: string): void {
  const topics = readTopics();
  const names = topics.map(({ name }) => name);
  const page = topics.find(({ name }) => name === topic.toLowerCase());
  const [code, error] = Object.entries(errorTable).find(([each]) => each === topic.toUpperCase()) ?? [];
  if (topic === 'topics') {
    const titles = { heading: 'title', cells: topics.map(({ title }) => title) };
    print(textTable([{ heading: 'topic', cells: names }, titles]));
  } else if (page) {
    // Does not use `print`, which would break the lines of commands.
    process.stdout.write(page.text.replace(/<!--.*?-->\n?/gs, ''));
  } else if (error) {
    print(`${code}: ${error.cause}\n  → ${error.remedy}`);
  } else {
    const known = [...names, ...Object.keys(commandList), ...Object.keys(errorTable)];
    const remedy = 'List the topics: `feedferry help topics`';
    printError(new CodedError('FF_USAGE', `There is no topic "${topic}"${didYouMean(topic, known)}`, { remedy }));
    process.exitCode = EXIT.usage;
  }
}
