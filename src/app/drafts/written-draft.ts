import { basename } from 'node:path';
import { parse, stringify } from 'yaml';
import { connectors } from '../../../connectors/index.ts';
import { checkSyncText } from '../../config/load.ts';
import { ownKeys } from '../../config/schema/sync-schema.ts';
import { syncOfSource } from '../../config/select.ts';
import type { SyncConfig } from '../../config/types.ts';
import { CodedError } from '../../core/errors.ts';
import { isObject } from '../../core/record.ts';
import { newNames } from '../../core/suggest.ts';
import type { Corrections } from '../../inference/correct/corrections.ts';
import type { ProposalLine } from '../../inference/review/lines.ts';
import type { FeedSample } from '../../inference/sample.ts';
import { correctWritten, renamedIn, sourceChanges } from '../../inference/written/correct-written.ts';
import { editYaml } from '../../inference/written/edit-yaml.ts';
import { type WrittenSync, writtenSync } from '../../inference/written/written-sync.ts';
import { mappedFields } from '../../mapping/field-usage.ts';
import { type OpenSample, openSample } from '../../source/sample/sample-feed.ts';
import { sampleOfSync } from '../../source/sample/written-feed.ts';
import type { App } from '../app.ts';
import type { Environment } from '../environment.ts';
import type { FeedAccess } from '../feed-variables.ts';
import { runMappingTests, type TestResult } from '../mapping-tests.ts';
import { type Draft, type DraftOrigin, draftText, reviewDraft, type WrittenPart } from './draft.ts';
import { secretsIn } from './feed-access.ts';
import { readText } from './file-edits.ts';
import { shownText } from './shown-text.ts';

/** The text of a sync, to be changed line by line. */
export interface OpenText {
  name: string;
  path: string;
  text: string;
  opened: OpenSample;
  target: App['config']['target'];
  variables: Environment['variables'];
  /** The source whose lines are shown, if the sync has several. */
  source?: string | undefined;
  /** Whether mapping tests are written for the sync, because it is new. */
  hasTests?: boolean;
}

/** Drafts a sync from its text. A correction changes only its own part of the text. */
export function textDraft({ name, path, text: before, opened, target, variables, ...more }: OpenText): DraftOrigin {
  const { source, hasTests } = more;
  const written = writtenSync(before, source === undefined ? undefined : { name: source, ownKeys });
  let sample: { key: string; taken: FeedSample } | undefined;
  return {
    location: opened.beginning.location,
    opened,
    async make(said, signal) {
      const taken = await sampleFor(said, signal);
      const { proposal, changes } = correctWritten(written, taken, said);
      const text = editYaml(before, changes);
      const draft = reviewDraft({ sample: taken, proposal, said, name }, () =>
        draftText(path, text, taken, { target, variables, source, hasTests: hasTests ?? false }),
      );
      return { ...draft, lines: draft.lines.map(withoutSecrets) };
    },
    renamed: (from, to) => renamedIn(written, from, to),
  };

  /** Reads the records again if a person has changed how the feed is read. */
  async function sampleFor(said: Corrections, signal: AbortSignal): Promise<FeedSample> {
    const changes = sourceChanges(written, said);
    const key = JSON.stringify(changes);
    if (sample?.key !== key) {
      const sync = checkSyncText(path, editYaml(before, changes), connectors, target, variables);
      const read = source === undefined ? sync : syncOfSource(sync, source);
      sample = { key, taken: await sampleOfSync(opened, read, target, signal) };
    }
    return sample.taken;
  }
}

/**
 * Opens the file of a sync, and the beginning of its feed, so that a person changes it line by line.
 * @param given.source the source to show, if the sync has several; default: the first one
 * @param given.feed path of a file that is read instead of the feed
 * @throws CodedError FF_EDIT_IMPOSSIBLE for a sync that has no YAML file or reads standard input; ConfigError if the file has mistakes;
 * FF_FEED_… if the feed cannot be read
 */
export async function openWritten(
  { name, file: path }: Pick<SyncConfig, 'name' | 'file'>,
  given: { source?: string | undefined; feed?: string | undefined },
  { config }: Pick<App, 'config'>,
  environment: Environment,
  signal: AbortSignal,
): Promise<DraftOrigin> {
  if (!/\.ya?ml$/.test(path)) throw impossible(`${basename(path)} is written in TypeScript.`);
  const { variables } = environment;
  const { target } = config;
  const before = readText(path);
  const checked = checkSyncText(path, before, connectors, target, variables);
  const { sources = [] } = checked;
  const source = sources.length > 0 ? (given.source ?? sources[0]?.name) : undefined;
  const shownOf = (sync: SyncConfig) => (source === undefined ? sync : syncOfSource(sync, source));
  const { source: feed } = shownOf(checked);
  if (feed.url === '-') throw impossible(`"${name}" reads standard input, which only a command has.`);
  const written = writtenSync(before, source === undefined ? undefined : { name: source, ownKeys });
  const opened =
    given.feed === undefined ? await openFeed(feed, written, variables, signal) : await openSample(given.feed, signal);
  const text = textDraft({ name, path, text: before, opened, target, variables, source });
  return { ...text, before, make };

  async function make(said: Corrections, making: AbortSignal): Promise<Draft> {
    const draft = await text.make(said, making);
    const { sync } = draft.drafted ?? {};
    const part = { source, sources: sources.map((one) => one.name) };
    if (sync === undefined) return { ...draft, written: { ...part, missing: [], tests: [] } };
    return { ...draft, written: { ...part, missing: missingFields(shownOf(sync), draft), tests: await testsOf(sync) } };
  }

  function missingFields(sync: SyncConfig, { fields, unused }: Draft): WrittenPart['missing'] {
    const paths = fields.map(({ path }) => path);
    const missing = [...mappedFields(sync)].filter((field) => !paths.some((one) => covers(field, one)));
    const renamed = newNames(
      missing,
      unused.map(({ path }) => path),
    );
    return missing.map((field) => {
      const now = renamed.get(field);
      // A field that only templates read is not renamed there.
      const isRead = now !== undefined && Object.keys(renamedIn(written, field, now)).length > 0;
      return { field, ...(isRead && { now }) };
    });
  }

  /** Runs the mapping tests of the sync. If their files have mistakes, none of them can run. */
  async function testsOf(sync: SyncConfig): Promise<TestResult[]> {
    try {
      const syncs = config.syncs.map((one) => (one.name === name ? sync : one));
      return runMappingTests({ ...config, syncs }, environment, [name]);
    } catch (error) {
      if (!(error instanceof CodedError)) throw error;
      return [{ file: '', sync: name, name: 'the files of the tests', mistake: error.message, differences: [] }];
    }
  }
}

/** Opens a feed as its sync does. Its secrets are hidden in samples and errors. */
function openFeed(
  { url, feed }: SyncConfig['source'],
  { values }: WrittenSync,
  variables: Environment['variables'],
  signal: AbortSignal,
): Promise<OpenSample> {
  const { headers, auth, query, body, url: address } = isObject(values.source) ? values.source : {};
  const sent = { ...(isObject(query) && query), ...(typeof body === 'string' && { body }) };
  const access = { ...(isObject(headers) && { headers }), ...(isObject(auth) && { auth }), query: sent } as FeedAccess;
  const secrets = secretsIn(String(address), access, variables);
  return openSample(url, signal, { options: feed, written: {}, secrets, confirmPrivate: async () => false });
}

/** Whether a field is a path of the feed, or a part or the whole of one. */
function covers(field: string, path: string): boolean {
  const isInside = (inner: string, outer: string) => inner.startsWith(`${outer}.`) || inner.startsWith(`${outer}[`);
  return field === path || isInside(field, path) || isInside(path, field);
}

/** Hides what is written out in headers and credentials. */
function withoutSecrets(line: ProposalLine): ProposalLine {
  const { name, values } = line;
  if (!name.startsWith('source.')) return line;
  const key = name.slice('source.'.length);
  const shown = parse(shownText(stringify({ source: { [key]: values[name] } })) ?? '{ source: {} }');
  return { ...line, values: { [name]: shown.source[key] } };
}

function impossible(message: string): CodedError {
  return new CodedError('FF_EDIT_IMPOSSIBLE', message);
}
