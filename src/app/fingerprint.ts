import { Temporal } from 'temporal-polyfill';
import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { hashJson } from '../core/hash.ts';
import type { Json } from '../core/record.ts';

/**
 * Hash of everything besides the feed's bytes that decides what a run plans: mapping, window, options, site and version.
 * The day is part of it (ISO date in the site's zone): windows, horizons of recurring events and templates look at it.
 * Credentials are not: they do not change what is planned, and belong in no hash.
 * @param now ms since 1970
 */
export function planFingerprint(sync: SyncConfig, target: TargetConfig, version: string, now: number): string {
  const { auth, ...feed } = sync.source.feed;
  const { schedule, alerts, ...planned } = sync;
  const { baseUrl, timezone, externalId } = target;
  const today = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timezone).toPlainDate().toString();
  const decisive = {
    sync: { ...planned, source: { ...sync.source, feed } },
    baseUrl,
    timezone,
    externalId,
    today,
    version,
  };
  return hashJson(JSON.parse(JSON.stringify(decisive)) as Json);
}

/** Hash of the config that decides how a record is sent, and so whether the CMS takes it: not when, nor how fast. */
export function deliveryFingerprint(
  { resource, instance, onAttachmentError }: SyncConfig,
  { baseUrl, externalId }: TargetConfig,
  version: string,
): string {
  const decisive = { resource, instance, onAttachmentError, baseUrl, externalId, version };
  return hashJson(JSON.parse(JSON.stringify(decisive)) as Json);
}
