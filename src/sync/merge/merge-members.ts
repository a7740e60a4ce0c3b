import { isDeepStrictEqual } from 'node:util';
import type { FieldRule } from '../../config/types.ts';
import { sha256 } from '../../core/hash.ts';
import type { Attachment, Json, Payload } from '../../core/record.ts';
import type { Member } from '../../ledger/members/members.ts';
import type { PublishedCluster } from '../../ledger/members/open-clusters.ts';
import { isEmpty } from '../items/values.ts';

/** Attribute → the source that gives its value; '' → the source that publishes the record. */
export type Givers = Record<string, string>;

/** How the values of several sources become one record. */
export interface MergeRules {
  /** The names of the sources, best first. */
  sources: readonly string[];
  /** Attribute → the sources that may give its value, best first. */
  fill: Readonly<Record<string, readonly string[]>>;
  /** The maps of the sources: what is a constant or a default in one of them fills nothing. */
  maps: ReadonlyMap<string, Readonly<Record<string, FieldRule>> | undefined>;
}

/** The members of a cluster, and what is known about them. */
export interface ClusterState {
  /** Those that have not left, in any order. */
  members: readonly [Member, ...Member[]];
  /** Those of them that are no longer the same event as the publisher: they give no new values. */
  astray: ReadonlySet<string>;
  /** What the cluster is published as; absent: nothing yet. */
  before?: PublishedCluster;
}

/** One record, made of the members of a cluster. */
export interface MergedRecord {
  publisher: Member;
  payload: Payload;
  attachments: Attachment[];
  givenBy: Givers;
  /** Equal if a new merge would have the same result; absent: that is unknown. */
  sourceHash?: string;
}

/** Returns the member that publishes a cluster: that of the best source. */
export function publisherOf(members: readonly [Member, ...Member[]], sources: readonly string[]): Member {
  const rank = ({ source }: Member) => (sources.includes(source) ? sources.indexOf(source) : sources.length);
  return members.reduce((best, member) => (rank(member) < rank(best) ? member : best));
}

/**
 * Merges the members of a cluster into one record, purely. The best source publishes its record whole; only the attributes that
 * `fill` names come from others. What a source gave that does so no longer is replaced or cleared.
 */
export function mergeMembers({ members, astray, before }: ClusterState, rules: MergeRules): MergedRecord {
  const publisher = publisherOf(members, rules.sources);
  const payload: Payload = { ...publisher.payload };
  let attachments = publisher.attachments;
  const givenBy: Givers = { '': publisher.source };
  for (const [attribute, names] of Object.entries(rules.fill)) {
    const giver = names
      .flatMap((name) => members.find(({ source }) => source === name) ?? [])
      .find((member) => (astray.has(member.key) ? gave(member, attribute, before) : fills(member, attribute, rules)));
    if (!giver || giver === publisher) continue;
    const isKept = astray.has(giver.key);
    const file = giver.attachments.find((attachment) => attachment.attribute === attribute);
    attachments = [...attachments.filter((attachment) => attachment.attribute !== attribute), ...(file ? [file] : [])];
    if (!file) payload[attribute] = ((isKept ? before?.payload : giver.payload)?.[attribute] ?? null) as Json;
    else delete payload[attribute];
    givenBy[attribute] = giver.source;
  }
  for (const attribute of leftBehind({ publisher, payload, attachments }, before)) payload[attribute] = null;
  const sourceHash = hashOf(members, astray, givenBy);
  return { publisher, payload, attachments, givenBy, ...(sourceHash !== undefined && { sourceHash }) };
}

/** The attributes with values of a source that gives them no longer, and that no other source has. */
function leftBehind(
  { publisher, payload, attachments }: Pick<MergedRecord, 'publisher' | 'payload' | 'attachments'>,
  before: PublishedCluster | undefined,
): string[] {
  if (!before) return [];
  const isFile = (attribute: string) => attachments.some((file) => file.attribute === attribute);
  const giverOf = (attribute: string) => before.givenBy[attribute] ?? before.givenBy[''];
  return Object.keys(before.payload).filter(
    (attribute) => !Object.hasOwn(payload, attribute) && !isFile(attribute) && giverOf(attribute) !== publisher.source,
  );
}

/** Whether a member has a value of its own for an attribute. */
function fills({ payload, attachments, source }: Member, attribute: string, { maps }: MergeRules): boolean {
  if (attachments.some((file) => file.attribute === attribute && !file.isDefault)) return true;
  const value = payload[attribute] ?? null;
  if (value === false || isEmpty(value)) return false;
  const rule = maps.get(source)?.[attribute];
  return rule?.value === undefined && !isDeepStrictEqual(rule?.default, value);
}

/** Whether the value that is published came from this member. */
function gave({ source }: Member, attribute: string, before: PublishedCluster | undefined): boolean {
  return before?.givenBy[attribute] === source;
}

/** A cluster of one has the hash of its member, so that the ledger can compare it. */
function hashOf(
  members: readonly [Member, ...Member[]],
  astray: ReadonlySet<string>,
  givenBy: Givers,
): string | undefined {
  const [only, ...others] = members;
  if (others.length === 0) return only.sourceHash;
  if (members.some(({ sourceHash }) => sourceHash === undefined)) return undefined;
  const parts = members.map(({ key, sourceHash }) => `${key} ${sourceHash} ${astray.has(key)}`);
  return sha256([...parts.sort(), JSON.stringify(givenBy)].join('\n'));
}
