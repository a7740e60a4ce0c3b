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
import { draftFile } from '../init/draft-sync.ts';
import { type FeedAccess, secretsIn } from '../init/feed-access.ts';
import { type ReviewedSync, reviewDraft } from '../init/review-sync.ts';
import { runMappingTests, type TestResult } from '../mapping-tests.ts';
import { type DraftPlan, planSync } from './plan-draft.ts';
import { readText } from './read-text.ts';
import { shownText } from './shown-text.ts';

/** A sync file with its corrections, as people see it before it is saved. */
export interface ReviewedWritten extends ReviewedSync {
  /** Fields that the sync reads and the feed does not have, with the unused field that has a similar name. */
  missing: ReadonlyArray<{ field: string; now?: string }>;
  /** Results of the mapping tests of the sync. */
  tests: readonly TestResult[];
}

/**
 * Opens the file of a sync, and the beginning of its feed, so that a person changes it line by line.
 * @param source the source to show, if the sync has several; default: the first one
 * @throws CodedError FF_EDIT_IMPOSSIBLE for a sync that has no YAML file or reads standard input; ConfigError if the file has mistakes;
 * FF_FEED_… if the feed cannot be read
 */
export async function openWritten(
  { name, file: path }: Pick<SyncConfig, 'name' | 'file'>,
  given: string | undefined,
  app: () => Pick<App, 'config' | 'contextOf'>,
  environment: Environment,
  signal: AbortSignal,
) {
  if (!/\.ya?ml$/.test(path)) throw impossible(`${basename(path)} is written in TypeScript.`);
  const { config } = app();
  const { target } = config;
  const { variables } = environment;
  const before = readText(path);
  const checked = checkSyncText(path, before, connectors, target, variables);
  const { sources = [] } = checked;
  const source = sources.length > 0 ? (given ?? sources[0]?.name) : undefined;
  const shownOf = (sync: SyncConfig) => (source === undefined ? sync : syncOfSource(sync, source));
  const { source: feed } = shownOf(checked);
  if (feed.url === '-') throw impossible(`"${name}" reads standard input, which only a command has.`);
  const written = writtenSync(before, source === undefined ? undefined : { name: source, ownKeys });
  const opened = await openFeed(feed, written, variables, signal);
  const { defaultKey } = connectors.find(({ kind }) => kind === feed.connector) ?? {};
  let sample: { key: string; taken: FeedSample } | undefined;
  const file = { before, written, source, sources: sources.map((one) => one.name) };
  return { location: opened.beginning.location, variables: [], opened, make, plan, remove: () => {}, file };

  async function make(corrections: Corrections, makingSignal: AbortSignal): Promise<ReviewedWritten> {
    const taken = await sampleFor(corrections, makingSignal);
    const { proposal, changes } = correctWritten(written, taken, corrections, defaultKey);
    const text = editYaml(before, changes);
    const review = await reviewDraft({ sample: taken, proposal }, name, async () => {
      const { map: _, ...draft } = draftFile(path, text, taken.records, { target, variables, source });
      return draft;
    });
    const sync = review.drafted?.draft.sync;
    return {
      ...review,
      lines: review.lines.map(withoutSecrets),
      missing: sync ? missingFields(shownOf(sync), review).map(withKnownName) : [],
      tests: sync ? await testsOf(sync) : [],
    };
  }

  function plan(edited: SyncConfig, planning: AbortSignal): Promise<DraftPlan> {
    return planSync(app().contextOf(edited, { signal: planning }), opened.access.secrets);
  }

  /** A field that only templates read is not renamed there. */
  function withKnownName({ field, now }: ReviewedWritten['missing'][number]) {
    const isRead = now !== undefined && Object.keys(renamedIn(written, field, now)).length > 0;
    return { field, now: isRead ? now : undefined };
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

  /** Reads the records again if a person has changed how the feed is read. */
  async function sampleFor(corrections: Corrections, makingSignal: AbortSignal): Promise<FeedSample> {
    const changes = sourceChanges(written, corrections);
    const key = JSON.stringify(changes);
    if (sample?.key !== key) {
      const sync = shownOf(checkSyncText(path, editYaml(before, changes), connectors, target, variables));
      sample = { key, taken: await sampleOfSync(opened, sync, target, makingSignal) };
    }
    return sample.taken;
  }
}

/** Opens a feed as its sync does. Its secrets are hidden in samples and errors. */
function openFeed(
  { url, feed }: SyncConfig['source'],
  written: WrittenSync,
  variables: Environment['variables'],
  signal: AbortSignal,
): Promise<OpenSample> {
  const { headers, auth, query, body } = isObject(written.values.source) ? written.values.source : {};
  const sent = { ...(isObject(query) && query), ...(typeof body === 'string' && { body }) };
  const access = { ...(isObject(headers) && { headers }), ...(isObject(auth) && { auth }), query: sent } as FeedAccess;
  const secrets = secretsIn(String(urlOf(written)), access, variables);
  return openSample(url, signal, { options: feed, written: {}, secrets, confirmPrivate: async () => false });
}

function urlOf({ values }: WrittenSync): unknown {
  return isObject(values.source) ? values.source.url : undefined;
}

function missingFields(sync: SyncConfig, review: ReviewedSync): ReviewedWritten['missing'] {
  const paths = review.fields.map(({ path }) => path);
  const unused = review.unused.map(({ path }) => path);
  const missing = [...mappedFields(sync)].filter((field) => !paths.some((path) => covers(field, path)));
  const renamed = newNames(missing, unused);
  return missing.map((field) => ({ field, now: renamed.get(field) }));
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
