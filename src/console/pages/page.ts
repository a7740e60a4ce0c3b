import { z } from 'zod';
import type { Html } from '../../core/html/html.ts';
import type { Queries } from '../../queries/create-queries.ts';
import type { PathParams } from '../access/path-params.ts';
import type { Viewer } from '../access/viewer.ts';

/** Parts of the navigation. */
export type Section = 'overview' | 'day' | 'records' | 'calendar' | 'doctor';

/** Values that a page needs in addition to its data. */
export interface PageContext {
  viewer: Viewer;
  /** IANA zone of the site. */
  timezone: string;
  /** Address of the page itself, with query. */
  path: string;
  /** ms since 1970 */
  now: number;
  /** When the viewer last looked before this visit, as an ISO instant; absent: unknown. */
  lastVisit?: string | undefined;
  /** What the form did that led here. */
  done?: string | undefined;
}

/** A page before its layout. */
export interface PageContent {
  /** The only h1 of the page. */
  title: string;
  /** The current section of the navigation. */
  section?: Section;
  /** Links to the pages above this page. */
  crumbs?: ReadonlyArray<{ to: string; text: string }>;
  /** Badges, links and forms beside the heading. */
  aside?: Html;
  /** Main content; a request of htmx to the page's address returns only this content. */
  body: Html;
  /** Interval at which `body` is refreshed. */
  refreshSeconds?: number;
}

type Parts = z.ZodObject;

/** A page: its address, the parameters in the address, and the content. */
export interface ConsolePage<Path extends string = string, Query extends Parts = Parts> {
  /** Pattern of the address, such as `/syncs/:sync`. */
  path: Path;
  /** Absent: the page has no query. */
  query?: Query;
  show(
    input: PathParams<Path> & z.output<Query>,
    sources: { queries: Queries; signal: AbortSignal },
    context: PageContext,
  ): Promise<PageContent> | PageContent;
}

/** Defines a page; the input of its function has the types of its schemas. */
export function consolePage<Path extends string, Query extends Parts>(page: ConsolePage<Path, Query>): ConsolePage {
  return page as unknown as ConsolePage;
}

/** An empty field of a search form counts as absent. */
export const optionalText = z
  .string()
  .optional()
  .transform((text) => text?.trim() || undefined);
