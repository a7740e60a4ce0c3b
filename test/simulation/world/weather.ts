/** How the way to the CMS and back treats requests. Shares of all requests; times in ms. */
export interface Weather {
  /** The longest ordinary way, there or back. */
  wayMs: number;
  /** Requests that arrive, or are answered, late. */
  late: number;
  /** The latest that a request arrives after it was sent. */
  latestMs: number;
  /** The connection breaks before the request arrives, or after it was applied. */
  lostBefore: number;
  lostAfter: number;
  /** No answer, ever. */
  silent: number;
  /** A 5xx instead of applying, or after it; some are pages of a gateway. */
  errorBefore: number;
  errorAfter: number;
  /** Creates that the CMS is still at work on when their connection breaks, or a gateway gives up. */
  unfinished: number;
  /** A maintenance page with status 200 or 404. */
  html: number;
  /** 429. */
  busy: number;
  /** Whether lists show nothing, though all is there. */
  emptyLists: boolean;
  /** How long lists do not show an item that is created now. */
  listLagMs: number;
  /** The answer arrives twice. */
  twice: number;
}

export const CALM: Weather = {
  wayMs: 20,
  late: 0,
  latestMs: 0,
  lostBefore: 0,
  lostAfter: 0,
  silent: 0,
  errorBefore: 0,
  errorAfter: 0,
  unfinished: 0,
  html: 0,
  busy: 0,
  emptyLists: false,
  listLagMs: 0,
  twice: 0,
};
