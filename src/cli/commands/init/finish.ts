import { join } from 'node:path';
import type { NewFile, ReadyDraft } from '../../../app/drafts/draft.ts';
import type { DraftTarget } from '../../../app/drafts/draft-target.ts';
import { connectorOf } from '../../../source/connector-of.ts';
import type { CommandContext } from '../../command.ts';
import { EXIT } from '../../exit-codes.ts';
import { colour, plain, print, printJson } from '../../output/print.ts';
import { envExample, writeFiles } from './write-files.ts';

/** Writes the files of all syncs and the missing files of the config folder, and prints the next steps. */
export function finish(context: CommandContext, { file }: DraftTarget, ready: readonly ReadyDraft[]): number {
  const syncs = ready.flatMap(({ drafted: { syncFile, testsFile } }) => [syncFile, ...(testsFile ? [testsFile] : [])]);
  const example = envExample(context.environment.configDir);
  const files = [...(file ? [file] : []), ...syncs, ...(example ? [example] : [])];
  writeFiles(files);
  for (const sync of ready) printWarnings(sync);
  if (context.json) for (const sync of ready) printJson(toResult(sync));
  else printEnd(context, files, ready);
  return EXIT.success;
}

/** Prints the open questions and warnings that the user should check. */
function printWarnings({ name, proposal: { open, warnings } }: ReadyDraft): void {
  const mark = (text: string) => colour('yellow', text, process.stderr);
  for (const { comment } of open) print(`${name}: ${mark('Please check')}: ${plain(comment)}`, process.stderr);
  for (const warning of warnings) print(`${name}: ${mark('Warning')}: ${plain(warning)}`, process.stderr);
}

function printEnd({ environment }: CommandContext, files: readonly NewFile[], ready: readonly ReadyDraft[]): void {
  const { configDir, variables } = environment;
  const more = configDir === './config' ? '' : ` --config ${configDir}`;
  const name = ready[0]?.name ?? '';
  const sandbox = ['feedferry sandbox', 'serves a site on this machine to try it on; leave it running'] as const;
  const commands = [
    ...(variables.CMS_BASE_URL ? [] : [sandbox]),
    [`feedferry plan ${name}`, 'shows what a run would change'],
    [`feedferry sync ${name}`, 'publishes it'],
  ];
  const width = Math.max(...commands.map(([command = '']) => command.length)) + more.length;
  const lines = commands.map(([command = '', purpose]) => `  ${`${command}${more}`.padEnd(width)}  ${purpose}`);
  const written = files.map(({ path }) => `  ${join(path)}`);
  print(['Written:', ...written, 'Next:', ...lines].join('\n'));
}

function toResult({ name, sample, proposal, lines, unused, drafted }: ReadyDraft): object {
  const { sync, syncFile, judgement } = drafted;
  const { recipe, resource, source, key, map, attachments, open, warnings } = proposal;
  return {
    sync: name,
    file: join(syncFile.path),
    ...(recipe !== undefined && { recipe }),
    resource: resource.value,
    connector: source.connector?.value,
    key: key.value,
    // Includes the default map of the format, so that the result shows the whole map.
    map: { ...connectorOf(sync).defaultMap, ...valuesOf(map) },
    attachments: valuesOf(attachments),
    records: sample.records.length,
    open,
    warnings,
    lines,
    unused,
    judgement,
  };
}

function valuesOf(guesses: Readonly<Record<string, { value: unknown }>>): object {
  return Object.fromEntries(Object.entries(guesses).map(([attribute, { value }]) => [attribute, value]));
}
