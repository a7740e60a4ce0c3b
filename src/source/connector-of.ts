import { connectors } from '../../connectors/index.ts';
import type { SyncConfig } from '../config/types.ts';
import type { AnyConnector } from '../core/connector.ts';
import { CodedError } from '../core/errors.ts';

/** @throws CodedError FF_CONFIG_INVALID if no connector has the name */
export function connectorOf({ source }: SyncConfig): AnyConnector {
  const connector = connectors.find(({ kind }) => kind === source.connector);
  if (!connector) throw new CodedError('FF_CONFIG_INVALID', `There is no connector named "${source.connector}".`);
  return connector;
}
