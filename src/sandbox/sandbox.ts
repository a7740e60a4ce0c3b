import type { FaultPlanInput } from './faults/faults.ts';
import type { Exchange } from './journal/exchange.ts';
import type { JournalFilter } from './journal/journal.ts';
import type { LoadedFixtures, SandboxFixtures, SandboxSnapshot } from './state/state-types.ts';
import type { SandboxStats } from './stats.ts';

/** A running sandbox. */
export interface Sandbox extends AsyncDisposable {
  /** Base URL, without /api/v1 and without a slash at its end. */
  readonly url: string;
  /** The API token. */
  readonly token: string;
  /** Replaces all faults; without a plan, removes them. @throws CodedError FF_USAGE for a plan that does not fit */
  setFaults(plan?: FaultPlanInput): void;
  /** Counts of requests and responses since the start, or since the counters were last cleared. */
  stats(): SandboxStats;
  clearStats(): void;
  /** The latest exchanges, in the order in which they arrived. */
  journal(filter?: JournalFilter): Exchange[];
  clearJournal(): void;
  /** Sets the sandbox's clock, which runs on from there; without a moment, resets it. */
  setNow(moment?: Date | number | string): void;
  /** Resets everything to its state at the start: only the items and files of the fixtures, ids from 1, faults and clock. */
  reset(): Promise<void>;
  /** All items and files, in a form that fits in JSON. */
  snapshot(): SandboxSnapshot;
  /** Replaces all items and files by those of a snapshot. @throws CodedError FF_USAGE if the snapshot does not fit */
  restore(snapshot: SandboxSnapshot): void;
  /**
   * Adds the items and files of fixtures, or of a YAML or JSON file: either all of them, or none if one does not fit.
   * @throws CodedError FF_SANDBOX_FIXTURES
   */
  loadFixtures(fixtures: SandboxFixtures | string): Promise<LoadedFixtures>;
  /** Ends all connections, then closes the store. */
  close(): Promise<void>;
}
