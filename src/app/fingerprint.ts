import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { dateAt } from '../core/dates/iso-date.ts';
import { zoneRules } from '../core/dates/zone-rules.ts';
import { hashJson, sha256 } from '../core/hash.ts';
import type { Json } from '../core/record.ts';

/** Hash of everything besides a source record that decides what it is mapped to, except the time. */
export function mappingFingerprint(sync: SyncConfig, target: TargetConfig, version: string): string {
  return sha256(`${configHash(sync, target, version)}.${zoneRules}`);
}

/**
 * Everything besides the feed's bytes that decides what a run plans: the hash of mapping, window, options, site and version,
 * without credentials; the day in the site's zone, on which windows, recurring events and templates depend; and the version of
 * the time zone rules. `compareFingerprints` tells what has changed.
 * @param now ms since 1970
 */
export function planFingerprint(sync: SyncConfig, target: TargetConfig, version: string, now: number): string {
  return `${configHash(sync, target, version)}.${dateAt(now, target.timezone)}.${zoneRules}`;
}

function configHash(sync: SyncConfig, target: TargetConfig, version: string): string {
  const { auth, ...feed } = sync.source.feed;
  const { schedule, alerts, verify, ...planned } = sync;
  const { baseUrl, timezone, externalId } = target;
  const source = { ...sync.source, feed };
  const decisive = { sync: { ...planned, source }, baseUrl, timezone, externalId, version };
  return hashJson(JSON.parse(JSON.stringify(decisive)) as Json);
}

/** Hash of the config that decides how a record is sent, and so whether the CMS accepts it; not when, nor how fast. */
export function deliveryFingerprint(sync: SyncConfig, target: TargetConfig, version: string): string {
  const { resource, instance, onAttachmentError } = sync;
  const { baseUrl, externalId } = target;
  const decisive = { resource, instance, onAttachmentError, baseUrl, externalId, version };
  return hashJson(JSON.parse(JSON.stringify(decisive)) as Json);
}
