import { CodedError, type ErrorCode } from './errors.ts';

/**
 * What the end of a request says of the target: `well`, it answers; `busy`, it asks for a pause; `unwell`, it does not
 * answer as it should; `closed`, it takes no request until somebody changes something; `unknown`, nothing.
 */
export type Health = 'well' | 'busy' | 'unwell' | 'closed' | 'unknown';

/** How a request ended. */
export interface RequestEnd {
  health: Health;
  /** Absent: it succeeded. */
  error?: CodedError;
  /** How long the target asked to wait, in ms. */
  retryAfterMs?: number;
}

/** A request that was let through. */
export interface Passage {
  /** To be called once, when its answer is there or will not come. */
  leave(end: RequestEnd): Promise<void>;
}

/** Lets requests to a target through: its limits, pauses and stops, over all processes. */
export interface Gate {
  /**
   * Waits until one request may be sent.
   * @throws DestinationPausedError where that would take too long, DestinationStoppedError where waiting does not help, and
   * the reason of the signal
   */
  enter(signal?: AbortSignal): Promise<Passage>;
}

/** The target takes no requests for a while; nothing was sent. */
export class TargetPausedError extends CodedError {
  override name = 'DestinationPausedError';
  readonly afterMs: number;

  constructor(afterMs: number, reason: string) {
    super('FF_CMS_PAUSED', `The CMS gets no requests for another ${Math.ceil(afterMs / 1000)} s: ${reason}.`);
    this.afterMs = afterMs;
  }
}

/** The target takes no requests until somebody changes something; nothing was sent. */
export class TargetStoppedError extends CodedError {
  override name = 'DestinationStoppedError';

  constructor(code: ErrorCode, reason: string) {
    super(code, reason);
  }
}
