import { connectors } from '../../connectors/index.ts';
import type { SyncConfig, TargetConfig } from '../config/types.ts';
import type { AnyConnector } from '../core/connector.ts';
import { CodedError } from '../core/errors.ts';
import { compileMapping, type Mapping } from '../mapping/compile.ts';

/**
 * Compiles the mapping of a sync, with the default map of its connector and the time zones of source and site.
 * @param now ms since 1970
 */
export function compileSyncMapping(sync: SyncConfig, target: TargetConfig, now: () => number): Mapping {
  const { timezone: siteTimezone } = target;
  const { timezone: sourceTimezone = siteTimezone } = sync.source;
  return compileMapping(sync, { siteTimezone, sourceTimezone, defaultMap: connectorOf(sync).defaultMap, now });
}

/** @throws CodedError FF_CONFIG_INVALID if no connector has the name */
export function connectorOf({ source }: SyncConfig): AnyConnector {
  const connector = connectors.find(({ kind }) => kind === source.connector);
  if (!connector) throw new CodedError('FF_CONFIG_INVALID', `There is no connector named "${source.connector}".`);
  return connector;
}
