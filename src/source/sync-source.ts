import { connectors } from '../../connectors/index.ts';
import type { Config, SyncConfig } from '../config/types.ts';
import type { AnyConnector } from '../core/connector.ts';
import { CodedError } from '../core/errors.ts';
import type { SourceReading } from '../core/source-reading.ts';
import { readSource } from './read-source.ts';

/** @throws CodedError FF_CONFIG_INVALID where this build has no connector of that name */
export function connectorOf(sync: SyncConfig): AnyConnector {
  const connector = connectors.find((candidate) => candidate.kind === sync.source.connector);
  if (!connector) throw new CodedError('FF_CONFIG_INVALID', `No connector is named "${sync.source.connector}".`);
  return connector;
}

/**
 * Reads and maps the feed of a sync; neither ledger nor CMS is needed.
 * @throws CodedError FF_FEED_… where it cannot be opened
 */
export async function readSyncSource(config: Config, sync: SyncConfig, signal: AbortSignal): Promise<SourceReading> {
  const reading = readSource(sync, config.target, connectorOf(sync), { signal });
  await reading.open();
  return reading;
}
