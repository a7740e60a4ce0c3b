import { shortSiteTime, siteTime } from '../../core/dates/site-time.ts';
import { type Html, html } from '../../core/html/html.ts';
import { figure } from '../../core/text/figures.ts';
import { MOST_COUNTED } from '../../queries/views/overview.ts';

/** Zone and present time, for showing times. */
export interface SiteNow {
  /** IANA zone of the site. */
  timezone: string;
  /** ms since 1970 */
  now: number;
}

/** A number of undelivered records: "12", "1,000 or more". */
export function cappedFigure(count: number): string {
  return count >= MOST_COUNTED ? `${figure(MOST_COUNTED)} or more` : figure(count);
}

/** A time in the site's zone: "Mar 01 14:05"; the full time with its zone is in its title. */
export function shortTime(instant: string, { timezone, now }: SiteNow, { withSeconds = false } = {}): Html {
  const full = siteTime(instant, timezone);
  const short = shortSiteTime(instant, timezone, now);
  const seconds = withSeconds && short.includes(':') && `:${instant.slice(17, 19)}`;
  return html`<time datetime="${instant}" title="${full}">${short}${seconds}</time>`;
}

/** A time in the site's zone: "2027-03-01 14:05 EST". */
export function fullTime(instant: string, { timezone }: Pick<SiteNow, 'timezone'>): Html {
  return html`<time datetime="${instant}">${siteTime(instant, timezone)}</time>`;
}
