import { type Html, html } from '../../core/html/html.ts';
import { durationText, figure, figureOf } from '../../core/text/figures.ts';
import type { RunRowView } from '../../queries/views/overview.ts';

const SLOTS = 30;
const SLOT_WIDTH = 10;
const BAR_WIDTH = 7;
/** Least height of a bar, so that a small value is visible beside large ones. */
const LEAST = 2;

type Series = ReadonlyArray<{ name: string; of(run: RunRowView): number }>;

const changes: Series = [
  { name: 'created', of: ({ counts }) => counts.created },
  { name: 'changed', of: ({ counts }) => counts.updated + counts.marked },
  { name: 'deleted', of: ({ counts }) => counts.deleted },
  { name: 'rejected', of: ({ counts }) => counts.rejected },
  { name: 'failed', of: ({ counts }) => counts.failed + counts.held + counts.unremoved },
];

/** A small chart of the last runs for a row of a table: what each changed, coloured by how it ended. */
export function sparkline(runs: readonly RunRowView[]): Html {
  const of = ({ counts }: RunRowView) => counts.created + counts.updated + counts.deleted + counts.marked;
  const most = Math.max(1, ...runs.map(of));
  const good = runs.filter(({ succeeded }) => succeeded).length;
  const bars = runs.map((run, place) => {
    const height = Math.max(LEAST, scaled(of(run), most, 24));
    return html`<rect class="is-${run.status}" x="${slot(place, runs)}" y="${24 - height}" width="${BAR_WIDTH}" height="${height}"/>`;
  });
  const label = `Last ${figureOf(runs.length, 'run')}, oldest first: ${good} with success, at most ${figureOf(most, 'changed item')}`;
  return html`<svg class="sparkline" role="img" aria-label="${label}" viewBox="0 0 ${SLOTS * SLOT_WIDTH} 24">${bars}</svg>`;
}

/** Charts of the last runs: records by what happened to them, and durations. The same numbers are in the table of runs. */
export function runCharts(runs: readonly RunRowView[]): Html {
  const duration: Series = [{ name: 'duration', of: ({ durationMs }) => durationMs }];
  return html`<div class="charts">${chart('Records by run', runs, changes, figure)}${chart('Duration', runs, duration, durationText)}</div>`;
}

function chart(title: string, runs: readonly RunRowView[], series: Series, text: (value: number) => string): Html {
  const total = (run: RunRowView) => series.reduce((sum, { of }) => sum + of(run), 0);
  const most = Math.max(...runs.map(total));
  const bars = runs.map((run, place) => {
    let top = 100;
    return html`<g><title>${series.map(({ name, of }) => `${name} ${text(of(run))}`).join(', ')}</title>${series.map(
      ({ name, of }) => {
        const height = scaled(of(run), most, 100);
        top -= height;
        return (
          height > 0 &&
          html`<rect class="is-${name}" x="${slot(place, runs)}" y="${top.toFixed(1)}" width="${BAR_WIDTH}" height="${height.toFixed(1)}"/>`
        );
      },
    )}</g>`;
  });
  const label = `${title} of the last ${runs.length} runs, oldest first; at most ${text(most)}`;
  return html`<figure class="chart"><figcaption>${title} <span class="muted">up to ${text(most)}</span></figcaption>
<svg role="img" aria-label="${label}" viewBox="0 0 ${SLOTS * SLOT_WIDTH} 100" preserveAspectRatio="none">${bars}</svg>
${series.length > 1 && html`<p class="legend">${series.map(({ name }) => html`<span class="is-${name}">${name}</span>`)}</p>`}</figure>`;
}

/** The newest run is at the right edge. */
function slot(place: number, runs: readonly RunRowView[]): number {
  return (SLOTS - runs.length + place) * SLOT_WIDTH + 1;
}

function scaled(value: number, most: number, height: number): number {
  return value === 0 ? 0 : Math.max(LEAST, (value / most) * (height - LEAST));
}
