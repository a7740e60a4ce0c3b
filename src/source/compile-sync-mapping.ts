import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { compileMapping, type Mapping, type MappingContext } from '../mapping/compile.ts';
import { rulesOf } from '../mapping/field-usage.ts';
import { connectorOf } from './connector-of.ts';

/**
 * Compiles the mapping of a sync, with the default map of its connector and the time zones of source and site.
 * @param now ms since 1970
 */
export function compileSyncMapping(
  sync: SyncConfig,
  target: TargetConfig,
  now: () => number,
  onHtml?: MappingContext['onHtml'],
): Mapping {
  const { timezone: siteTimezone } = target;
  const { timezone: sourceTimezone = siteTimezone } = sync.source;
  const { defaultMap, captions, isHtmlField } = connectorOf(sync);
  return compileMapping(sync, {
    siteTimezone,
    sourceTimezone,
    defaultMap,
    captions,
    isHtmlField,
    onHtml,
    now,
  });
}

/** Returns the attributes that a sync, or a source of it, maps, also by the default map of its connector; undefined: a function maps. */
export function mappedAttributes({ sources, ...sync }: SyncConfig): ReadonlySet<string> | undefined {
  const syncs = sources?.map((source) => source.sync) ?? [sync];
  if (syncs.some(({ mapFunction }) => mapFunction)) return undefined;
  const paths = syncs.flatMap((one) => Object.keys(rulesOf(one, connectorOf(one).defaultMap)));
  return new Set(paths.map((path) => path.replace(/\..*/s, '')));
}
