import type { SyncConfig, TargetConfig } from '../config/types.ts';
import { compileMapping, type Mapping, type MappingContext } from '../mapping/compile.ts';
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
  const { defaultMap, isHtmlField } = connectorOf(sync);
  return compileMapping(sync, { siteTimezone, sourceTimezone, defaultMap, isHtmlField, onHtml, now });
}
