import type { AlertsConfig, BrokenSync } from '../config/types.ts';
import type { Ledger } from '../ledger/ledger.ts';
import type { DueAlerts } from './message.ts';

/** A message that can be sent, several times if it has to. */
export interface Written {
  title: string;
  /** The run that it is about. */
  run?: string | undefined;
  /** Ids of the problems that it reports. */
  reported: readonly string[];
  /** @returns what the server says; throws CodedError FF_ALERT_UNSENT, or the reason of an aborted signal */
  send(signal: AbortSignal): Promise<string>;
}

/** Decides what one hearer is told of a sync. */
export interface Writer {
  /** At most one message about a problem is sent in this time. */
  everyMs: number;
  /**
   * Notes in the ledger what is wrong now, and what of it is new to the hearer.
   * @returns whether that is known; otherwise no message is sent now
   */
  note(): Promise<boolean>;
  /** Writes one message, about one alert that continues or about all that end together. */
  write(alerts: DueAlerts): Promise<Written>;
}

/** What writers need to know besides the sync. */
export interface WriterContext {
  config: AlertsConfig;
  /** Syncs whose files have mistakes: reported like failed runs. */
  broken?: readonly BrokenSync[];
  /** Zone of the site, for times in messages. */
  timezone: string;
  /** Address of the console, for links; absent: messages have no links. */
  consoleUrl?: string;
  ledger: Pick<Ledger, 'acknowledgements' | 'alerts' | 'plans' | 'readings' | 'runs' | 'sessions'>;
}
