import type { NamedSource, SourceConfig, SyncConfig, TargetConfig } from '../config/types.ts';
import { dateAt } from '../core/dates/iso-date.ts';
import { zoneRules } from '../core/dates/zone-rules.ts';
import { hashJson, sha256 } from '../core/hash.ts';
import type { Json } from '../core/record.ts';

/** Hash of everything on which the mapping of a record depends, except the source record itself and the time. */
export function mappingFingerprint(sync: SyncConfig, target: TargetConfig, version: string): string {
  return sha256(`${configHash(sync, target, version)}.${zoneRules}`);
}

/**
 * Everything on which the plan of a run depends, except the feed's bytes: the hash of mapping, window, options, site and version,
 * without credentials; the day in the site's zone, because windows, recurring events and templates use it; and the version of
 * the time zone rules. Then the hash without the rules that only judge a plan, and, if the sync has several sources, the hash of
 * their order and of what they give. `compareFingerprints` returns the differences.
 * @param now ms since 1970
 */
export function planFingerprint(sync: SyncConfig, target: TargetConfig, version: string, now: number): string {
  const { changes, missing, ...deciding } = sync;
  const whole = configHash(sync, target, version);
  const parts = [whole, dateAt(now, target.timezone), zoneRules, configHash(deciding, target, version)];
  return [...parts, ...(sync.sources ? [mergeHash(sync.sources, sync.merge)] : [])].join('.');
}

function mergeHash(sources: readonly NamedSource[], merge: SyncConfig['merge']): string {
  return hashJson(JSON.parse(JSON.stringify({ sources: sources.map(({ name }) => name), merge })) as Json);
}

function configHash(sync: Omit<SyncConfig, 'changes' | 'missing'>, target: TargetConfig, version: string): string {
  const { schedule, alerts, verify, owner, ...planned } = sync;
  const { baseUrl, timezone, externalId, altText } = target;
  const source = withoutCredentials(sync.source);
  // Without `sources`, the hash of a sync stays as it was before there were several.
  const sources = sync.sources?.map(({ name, sync: one }) => {
    const { key, map, when, attachments, attachmentsDir, window } = one;
    return { name, key, map, when, attachments, attachmentsDir, window, source: withoutCredentials(one.source) };
  });
  const decisive = { sync: { ...planned, source, sources }, baseUrl, timezone, externalId, altText, version };
  return hashJson(JSON.parse(JSON.stringify(decisive)) as Json);
}

function withoutCredentials({ feed: { auth, ...feed }, ...source }: SourceConfig) {
  return { ...source, feed };
}

/** Hash of the config on which the request for a record depends, and so whether the CMS accepts it; not of timing and speed. */
export function deliveryFingerprint(sync: SyncConfig, target: TargetConfig, version: string): string {
  const { resource, instance, onAttachmentError } = sync;
  const { baseUrl, externalId } = target;
  const decisive = { resource, instance, onAttachmentError, baseUrl, externalId, version };
  return hashJson(JSON.parse(JSON.stringify(decisive)) as Json);
}
