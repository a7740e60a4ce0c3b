import type { Acknowledged } from '../../ledger/acknowledgements/acknowledgements.ts';
import type { AcknowledgedView } from '../views/shared.ts';

/** Returns what pages and JSON show of an acknowledgement. */
export function toAcknowledged({ kind, by, at, note }: Acknowledged): AcknowledgedView {
  return { kind, by, at, ...(note !== undefined && { note }) };
}
