import { CodedError } from './errors.ts';

/**
 * What the end of a request shows about the target: it works (`well`), asks for a pause (`busy`), fails to respond properly
 * (`unwell`), refuses all requests until something is changed (`closed`), or nothing (`unknown`).
 */
export type Health = 'well' | 'busy' | 'unwell' | 'closed' | 'unknown';

/** How a request ended. */
export interface RequestEnd {
  health: Health;
  /** Absent: the request succeeded. */
  error?: CodedError;
  /** How long the target asked to wait, in ms. */
  retryAfterMs?: number;
  /** The operation ("events.create"), and the time from sending to the end of the response, in ms. */
  operation?: string;
  tookMs?: number;
}

/** The right to send one request. */
export interface Passage {
  /** Call it once, when the request has ended. */
  leave(end: RequestEnd): Promise<void>;
}

/** Admits requests to a target within its limits, pauses and stops, over all processes. */
export interface Gate {
  /**
   * Waits until one request may be sent.
   * @throws TargetPausedError if the wait would be too long, TargetStoppedError if waiting does not help, the reason of the
   * signal
   */
  enter(signal?: AbortSignal): Promise<Passage>;
}

/** No requests are sent for a while; the present request was not sent. */
export class TargetPausedError extends CodedError {
  override name = 'TargetPausedError';
  readonly afterMs: number;

  constructor(afterMs: number, reason: string) {
    super('FF_CMS_PAUSED', `No requests are sent to the CMS for another ${Math.ceil(afterMs / 1000)} s: ${reason}.`);
    this.afterMs = afterMs;
  }
}

/** No requests are sent until something is changed; the present request was not sent. */
export class TargetStoppedError extends CodedError {
  override name = 'TargetStoppedError';
}
