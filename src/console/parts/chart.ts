import { type Html, html } from '../../core/html/html.ts';
import type { RunStatus } from '../../core/run.ts';
import { figureOf } from '../../core/text/figures.ts';
import type { RunRowView } from '../../queries/views/overview.ts';

const SLOTS = 30;
const SLOT_WIDTH = 10;
const BAR_WIDTH = 7;
/** Least height of a bar, so that a small value is visible beside large ones. */
const LEAST = 2;

/** A small chart of the last runs for a row of a table: what each changed, coloured by how it ended. */
export function sparkline(runs: readonly RunRowView[]): Html {
  const of = ({ counts }: RunRowView) => counts.created + counts.updated + counts.deleted + counts.marked;
  const most = Math.max(0, ...runs.map(of));
  const ended = (wanted: RunStatus) => runs.filter(({ status }) => status === wanted).length;
  const words = [`${ended('success')} done`, ended('partial') > 0 && `${ended('partial')} partly done`];
  const bars = runs.map((run, place) => {
    const height = Math.max(LEAST, scaled(of(run), most, 24));
    return html`<rect class="is-${run.status}" x="${slot(place, runs)}" y="${24 - height}" width="${BAR_WIDTH}" height="${height}"/>`;
  });
  const label = `Last ${figureOf(runs.length, 'run')}, oldest first: ${words.filter(Boolean).join(', ')}, ${most === 0 ? 'nothing changed' : `at most ${figureOf(most, 'changed item')}`}`;
  return html`<svg class="sparkline" role="img" aria-label="${label}" viewBox="0 0 ${SLOTS * SLOT_WIDTH} 24">${bars}</svg>`;
}

/** The newest run is at the right edge. */
function slot(place: number, runs: readonly RunRowView[]): number {
  return (SLOTS - runs.length + place) * SLOT_WIDTH + 1;
}

function scaled(value: number, most: number, height: number): number {
  return value === 0 ? 0 : Math.max(LEAST, (value / most) * (height - LEAST));
}
