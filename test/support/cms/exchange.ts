import type { Payload } from '../../../src/core/record.ts';
import type { Fault } from './faults.ts';

/** A request under /api/v1 and its response. Tokens and passwords are replaced by `***`. */
export interface Exchange {
  /** Counts from 1. */
  id: number;
  /** When the request arrived: ISO, by the clock of the CMS. */
  at: string;
  method: string;
  /** Path with its query: "/api/v1/calendar/events?limit=5". */
  path: string;
  /** Route below /api/v1: "/calendar/events/:id". Absent for an unknown path. */
  route?: string;
  /** By names in lower case. */
  requestHeaders: Record<string, string>;
  /** The body as sent; for a form, only its length: "(70 bytes of multipart/form-data)". */
  requestBody: string;
  /** 0 if the connection broke before the response began. */
  status: number;
  responseHeaders: Record<string, string>;
  /** The part of the body that was sent. */
  responseBody: string;
  /** Whether the response was sent as a whole. */
  complete: boolean;
  /** Time from the head of the request to the end of the response. */
  ms: number;
  /** The faults that struck the request, in their order. */
  faults: Fault[];
  /** The item that the request created, changed or deleted. Absent if it changed nothing. */
  change?: ItemChange;
}

/** The attributes of an item that have a value; null before the item was created and after it was deleted. */
export interface ItemChange {
  resource: 'events' | 'accounts';
  id: number;
  before: Payload | null;
  after: Payload | null;
}
