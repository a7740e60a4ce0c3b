import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { connectors } from '../../connectors/index.ts';
import type { SourceRecord } from '../../src/core/record.ts';
import type { Guess, Proposal } from '../../src/inference/proposal.ts';
import type { FeedSample } from '../../src/inference/sample.ts';
import { openFeed } from './feeds.ts';

const kinds = new Map([
  ['.ics', 'ical'],
  ['.json', 'json'],
  ['.csv', 'csv'],
  ['.html', 'jsonld'],
]);

/** Options of feeds with several lists, which name the list of records. */
const optionsOf = new Map<string, FeedSample['options']>([
  ['openagenda.json', { items: 'events' }],
  ['bibliocommons.json', { items: 'entities.events.*' }],
  ['squarespace.json', { items: 'upcoming' }],
  ['scim.json', { items: 'Resources' }],
]);

/** Reads a local feed as a sample. @param url address of the feed in the sample; by default, the file */
export async function sampleOf(file: string, url = file, kind = kinds.get(extname(file))): Promise<FeedSample> {
  const connector = connectors.find((one) => one.kind === kind);
  if (connector === undefined) throw new Error(`no connector reads ${file}`);
  const given = optionsOf.get(basename(file)) ?? {};
  const records: SourceRecord[] = [];
  const feed = await openFeed(file, { acceptsHtml: connector.acceptsHtml });
  const context = {
    timezone: 'America/New_York',
    siteTimezone: 'America/New_York',
    window: { from: '2027-01-01', to: '2027-12-31' },
    mappedFields: new Set<string>(),
    reject: () => {},
    warn: () => {},
    incomplete: () => {},
    report: () => {},
  };
  for await (const record of connector.read(feed, connector.options.parse(given), context)) records.push(record);
  const head = readFileSync(file, 'utf8').slice(0, 4000);
  return { url, connector: connector.kind, options: given, records, isWhole: true, head };
}

/** Returns a proposal to which a recipe has not been applied yet. */
export function bareProposal({ connector, options }: FeedSample): Proposal {
  return {
    resource: guess('events'),
    source: {
      connector: guess(connector),
      ...Object.fromEntries(Object.entries(options).map(([name, value]) => [name, guess(value)])),
    },
    key: guess('none'),
    map: {},
    attachments: {},
    suggested: {},
    open: [],
    warnings: [],
  };
}

/** Returns the sync file of a proposal as data. */
export function syncOf(proposal: Proposal, url: string): Record<string, unknown> {
  const { resource, source, key, when, map, attachments } = proposal;
  const { connector, ...others } = valuesOf(source);
  return {
    resource: resource.value,
    source: { connector, url, ...others },
    key: key.value,
    ...(when && { when: when.value }),
    ...filled('map', valuesOf(map)),
    ...filled('attachments', valuesOf(attachments)),
  };
}

function filled(name: string, values: Record<string, unknown>): Record<string, unknown> {
  return Object.keys(values).length === 0 ? {} : { [name]: values };
}

function valuesOf(guesses: Readonly<Record<string, Guess<unknown>>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(guesses).map(([name, { value }]) => [name, value]));
}

function guess<Value>(value: Value): Guess<Value> {
  return { value, evidence: 'a test' };
}
