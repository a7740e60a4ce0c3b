import type { FaultPlanInput } from './faults/faults.ts';
import type { Exchange } from './journal/exchange.ts';
import type { JournalFilter } from './journal/journal.ts';
import type { SandboxStats } from './stats.ts';

/** A running sandbox. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL, without /api/v1 and without a slash at its end. */
  readonly url: string;
  /** The API token. */
  readonly token: string;
  /** Replaces all faults; without a plan, removes them. @throws CodedError FF_USAGE for a plan that does not fit */
  setFaults(plan?: FaultPlanInput): void;
  /** What was requested and returned since the start, or since the counters were last cleared. */
  stats(): SandboxStats;
  clearStats(): void;
  /** The latest exchanges, in the order in which they arrived. */
  journal(filter?: JournalFilter): Exchange[];
  clearJournal(): void;
  /** Sets the sandbox's clock, which runs on from there; without a moment, back to where it was. */
  setNow(moment?: Date | number | string): void;
  /** Ends all connections, then closes the store. */
  close(): Promise<void>;
}
