import { type Html, html } from '../../core/html/html.ts';
import { runPath } from '../../core/text/addresses.ts';
import { durationText, figure, figureOf, fromNow } from '../../core/text/figures.ts';
import type { Tone } from '../../documents/document.ts';
import type { ExaminationView, QueueView } from '../../queries/site/machine.ts';
import { fullTime } from '../parts/figures.ts';
import { actionForm } from '../parts/form.ts';
import { badge, emptyState, notice, prose } from '../parts/notice.ts';
import { facts, table } from '../parts/table.ts';
import { consolePage, type PageContent, type PageContext } from './page.ts';

const REFRESH_SECONDS = 10;
const REFRESH_SECONDS_RUNNING = 2;

/** The findings of `doctor`, the queue and the workers. */
export const doctorPage = consolePage({
  path: '/doctor',
  show: async (_input, { queries }, context) => doctorContent(queries.examination(), await queries.queue(), context),
});

export function doctorContent(examination: ExaminationView, queue: QueueView, context: PageContext): PageContent {
  const { viewer } = context;
  const isRunning = examination.state === 'running';
  return {
    title: 'Doctor and queue',
    section: 'doctor',
    aside: html`<a href="/alerts">Who hears what</a>`,
    refreshSeconds: isRunning ? REFRESH_SECONDS_RUNNING : REFRESH_SECONDS,
    body: html`<section aria-labelledby="findings"><h2 id="findings">Doctor</h2>
${examinationState(examination, context)}
${!isRunning && html`<div class="actions">${actionForm({ viewer, does: 'examine', label: 'Examine now', kind: 'primary' })}</div>`}
${examination.findings.length > 0 && findingTable(examination.findings)}</section>
<section aria-labelledby="queue"><h2 id="queue">Queue</h2>${queueFacts(queue)}${queue.failures.length > 0 && failureTable(queue.failures, context)}</section>
${queue.engine === 'bullmq' && html`<section aria-labelledby="workers"><h2 id="workers">Workers</h2>${workerTable(queue.workers, context)}</section>`}`,
  };
}

type Finding = ExaminationView['findings'][number];

const marks: Record<Finding['is'], [Tone, string]> = {
  problem: ['bad', 'Problem'],
  warning: ['warning', 'Warning'],
  ok: ['good', 'OK'],
};

function examinationState({ state, startedAt, finishedAt, findings }: ExaminationView, context: PageContext): Html {
  if (state === 'never') {
    return emptyState('Nothing was examined yet. Doctor checks the environment, the CMS, the ledger and all feeds.');
  }
  if (state === 'running') {
    return notice(
      'info',
      html`<p>Doctor is examining${startedAt && html` since ${fullTime(startedAt, context)}`}.</p>`,
    );
  }
  const count = (is: Finding['is']) => findings.filter((finding) => finding.is === is).length;
  const [problems, warnings] = [count('problem'), count('warning')];
  const tone = problems > 0 ? 'bad' : warnings > 0 ? 'warning' : 'good';
  const when = finishedAt && html` on ${fullTime(finishedAt, context)} (${fromNow(finishedAt, context)})`;
  const what =
    problems + warnings === 0
      ? 'Everything is fine'
      : `${figureOf(problems, 'problem')}, ${figureOf(warnings, 'warning')}`;
  return notice(tone, html`<p><strong>${what}</strong>${when}.</p>`);
}

/** Table of findings, problems first. */
function findingTable(findings: readonly Finding[]): Html {
  const order = Object.keys(marks);
  return table<Finding>({
    caption: 'Findings',
    columns: [
      { head: 'Result', cell: ({ is }) => badge(...marks[is]) },
      { head: 'Check', isHeading: true, cell: ({ check }) => check },
      {
        head: 'Finding',
        cell: ({ message, code, follows }) =>
          html`${prose(message)}${follows && html` <span class="muted">${follows}</span>`}${code && html` <code class="muted">${code}</code>`}`,
      },
      { head: 'What to do', cell: ({ remedy }) => remedy && prose(remedy) },
    ],
    rows: findings.toSorted((one, other) => order.indexOf(one.is) - order.indexOf(other.is)),
  });
}

function queueFacts({ engine, waiting, delayed, active, oldestMs }: QueueView): Html {
  return facts([
    ['Engine', engine === 'bullmq' ? 'BullMQ (Redis)' : 'in this process'],
    ['Waiting', figure(waiting)],
    ['Oldest waiting job', oldestMs !== undefined && durationText(oldestMs)],
    ['Delayed', figure(delayed)],
    ['Active', figure(active)],
  ]);
}

function failureTable(failures: QueueView['failures'], context: PageContext): Html {
  return table<QueueView['failures'][number]>({
    caption: 'Failed jobs',
    showsCaption: true,
    columns: [
      { head: 'Run', isHeading: true, cell: ({ job }) => (job ? runOf(job) : 'unknown') },
      { head: 'Records', kind: 'number', cell: ({ job }) => job && figure(job.records) },
      { head: 'Tries', kind: 'number', cell: ({ tries }) => figure(tries) },
      { head: 'Last error', cell: ({ reason }) => reason },
      {
        head: 'Next',
        cell: ({ abandonedAt }) =>
          abandonedAt ? html`not repeated since ${fullTime(abandonedAt, context)}` : 'is repeated',
      },
    ],
    rows: failures,
  });
}

function runOf({ run, sync }: { run: string; sync: string }): Html {
  return html`<a href="${runPath(run)}">${run}</a> of ${sync}`;
}

function workerTable(workers: QueueView['workers'], context: PageContext): Html {
  if (workers.length === 0) return emptyState(html`No worker is connected. Start one: <code>feedferry worker</code>`);
  return table<QueueView['workers'][number]>({
    caption: 'Workers',
    columns: [
      { head: 'Worker', isHeading: true, cell: ({ name }) => name },
      { head: 'Since', kind: 'time', cell: ({ since }) => since && fullTime(since, context) },
    ],
    rows: workers,
  });
}
