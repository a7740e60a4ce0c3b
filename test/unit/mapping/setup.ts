import type { SyncConfig } from '../../../src/config/types.ts';
import type { DesiredRecord, Mapped, Payload, Rejection, Warning } from '../../../src/core/record.ts';
import { compileMapping, type MappingContext } from '../../../src/mapping/compile.ts';

export const context: MappingContext = {
  siteTimezone: 'America/New_York',
  sourceTimezone: 'America/New_York',
  now: () => Date.UTC(2026, 2, 1, 12),
};

export function eventSync(parts: Partial<SyncConfig> = {}): SyncConfig {
  return {
    name: 'events',
    file: '/config/syncs/events.yaml',
    resource: 'events',
    source: { connector: 'csv', url: '/feeds/events.csv', feed: {}, options: {} },
    key: { fields: ['id'], normalize: ['trim'] },
    map: { title: { field: 'title' }, start: { field: 'start' }, end: { field: 'end' }, allDay: { field: 'allDay' } },
    attachments: {},
    onAttachmentError: 'publish',
    onDeletedInCms: 'leave',
    missing: { policy: 'keep' },
    ...parts,
  };
}

export function accountSync(parts: Partial<SyncConfig> = {}): SyncConfig {
  return eventSync({
    name: 'staff',
    resource: 'accounts',
    key: { fields: ['email'], normalize: ['trim', 'lower'] },
    map: { email: { field: 'email' } },
    ...parts,
  });
}

type Fields = Record<string, unknown>;

export function map(sync: SyncConfig, fields: Fields, parts: Partial<MappingContext> = {}): Mapped {
  return compileMapping(sync, { ...context, ...parts })({ at: 'line 2', fields });
}

export function desired(sync: SyncConfig, fields: Fields, parts: Partial<MappingContext> = {}): DesiredRecord {
  const mapped = map(sync, fields, parts);
  if (mapped.is !== 'desired') throw new Error(`not desired: ${JSON.stringify(mapped)}`);
  return mapped.record;
}

export function payload(sync: SyncConfig, fields: Fields, parts: Partial<MappingContext> = {}): Payload {
  return desired(sync, fields, parts).payload;
}

export function warnings(sync: SyncConfig, fields: Fields, parts: Partial<MappingContext> = {}): Warning[] {
  const mapped = map(sync, fields, parts);
  if (mapped.is !== 'desired') throw new Error(`not desired: ${JSON.stringify(mapped)}`);
  return mapped.warnings;
}

export function rejection(sync: SyncConfig, fields: Fields, parts: Partial<MappingContext> = {}): Rejection {
  const mapped = map(sync, fields, parts);
  if (mapped.is !== 'rejected') throw new Error(`not rejected: ${JSON.stringify(mapped)}`);
  return mapped.rejection;
}
