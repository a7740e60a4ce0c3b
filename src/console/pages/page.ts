import { z } from 'zod';
import type { Queries } from '../../queries/queries.ts';
import type { Viewer } from '../access/viewer.ts';
import type { Html } from '../parts/html.ts';

/** Parts of the navigation. */
export type Section = 'overview' | 'records' | 'calendar' | 'doctor';

/** What a page needs beside its data. */
export interface PageContext {
  viewer: Viewer;
  /** IANA zone of the site. */
  timezone: string;
  /** Its own address, with query. */
  path: string;
  /** ms since 1970 */
  now: number;
}

/** A page before its layout. */
export interface PageContent {
  /** Its only h1. */
  title: string;
  /** What is current in the navigation. */
  section?: Section;
  /** Links to the pages above it. */
  crumbs?: ReadonlyArray<{ to: string; text: string }>;
  /** Badges, links and forms beside the heading. */
  aside?: Html;
  /** htmx requests of the page's address return only this. */
  body: Html;
  /** `body` is refreshed as often. */
  refreshSeconds?: number;
}

type Parts = z.ZodObject;

/** A page: its address, what it takes from it, and what it shows. */
export interface ConsolePage<Params extends Parts = Parts, Query extends Parts = Parts> {
  /** Such as `/syncs/:sync`. */
  path: string;
  params: Params;
  query: Query;
  show(
    input: z.output<Params> & z.output<Query>,
    sources: { queries: Queries; signal: AbortSignal },
    context: PageContext,
  ): Promise<PageContent> | PageContent;
}

/** Defines a page; the input of its function has the types of its schemas. */
export function consolePage<Params extends Parts, Query extends Parts>(page: ConsolePage<Params, Query>): ConsolePage {
  return page as unknown as ConsolePage;
}

const name = z.string().min(1);

/** Schemas that pages share. */
export const nothing = z.object({});
export const syncParams = z.object({ sync: name });
export const runParams = z.object({ run: name });
/** An empty field of a search form is an absent one. */
export const optionalText = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined);
