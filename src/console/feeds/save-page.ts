import { changedLines, type FileEdit } from '../../app/drafts/changed-lines.ts';
import { shownText } from '../../app/drafts/shown-text.ts';
import { type Html, html } from '../../core/html/html.ts';
import { figureOf } from '../../core/text/figures.ts';
import type { PageContent } from '../pages/page.ts';
import { postForm, textField } from '../parts/form.ts';
import { emptyState, notice } from '../parts/notice.ts';
import { draftPath, lineLabel } from './pickers.ts';
import { planSection } from './preview-page.ts';
import { type StepContext, stepPage } from './step.ts';

const FOLDER = 'config';

/** The step in which a draft is saved, or given to the people who run feedferry. */
export function savePage(context: StepContext): PageContent {
  const { draft, viewer, edits } = context;
  const { drafted, mistake, written } = draft;
  if (!drafted) return stepPage('save', context, notice('bad', mistake?.message ?? 'There is no sync yet.'));
  if (written && edits.length === 0) return stepPage('save', context, emptyState('Nothing is changed.'));
  const body = html`${viewer.maySave ? saveForm(context) : handOver(context)}
<details id="files-text"><summary>${written ? 'The changed lines of the file' : 'The files'}</summary><pre class="copy" tabindex="0" role="group" aria-label="Changed lines">${changedLines(edits)}</pre></details>`;
  return stepPage('save', context, body);
}

/** A change of a sync is saved by somebody who has seen what it does to the site. */
function saveForm(context: StepContext): Html {
  const { draft, viewer } = context;
  const { id, name, written, plan, said } = draft;
  const save = draftPath(id, 'save');
  const begin = html`<p>What is saved is in force within seconds, and can be taken back.</p>`;
  if (!written)
    return postForm(save, { viewer, fields: html`${begin}${nameField(name)}`, label: 'Save', kind: 'primary' });
  const changes = Object.keys(said.lines).map((line) => (line === 'source.url' ? 'the feed' : lineLabel(line)));
  const lines = html`<p>You change: ${[...new Set(changes)].join(', ')}.</p>`;
  if (!plan) return html`${lines}${planSection(context)}<p>Then the change can be saved.</p>`;
  const { creates, updates, deletes } = plan.report;
  return html`${lines}<p>A run would create ${figureOf(creates, 'item')}, change ${figureOf(updates, 'item')} and delete ${figureOf(deletes, 'item')}: <a href="${draftPath(id, 'preview')}#plan">details</a>.</p>
${postForm(save, { viewer, fields: begin, label: 'Save', kind: 'primary' })}`;
}

function nameField(name: string): Html {
  const hint = 'Letters, digits, "-", "_" and ".", such as museum-events.';
  return textField({
    name: 'name',
    label: 'Name of the sync',
    value: name,
    hint,
    isRequired: true,
    autocomplete: 'off',
  });
}

function handOver({ draft, viewer, isMasked, edits }: StepContext): Html {
  const { id, name, written, variables, isUpload, location } = draft;
  const files = edits.filter((edit) => downloadOf(downloadName(edit.path), [edit]) !== undefined);
  return html`<p>This server does not save syncs. Give the ${written ? 'changed file' : 'files'} to the people who run feedferry.</p>
${!written && postForm(draftPath(id, 'save'), { viewer, fields: nameField(name), label: 'Use this name' })}
<ul>${files.map(({ path }) => html`<li><a href="${draftPath(id, downloadName(path))}">Download ${FOLDER}/${path}</a></li>`)}</ul>
${variables.length > 0 && html`<p>Variables to set wherever the sync runs: ${variables.map((name) => html`<code>${name}</code>`)}. On this server they are set.</p>`}
${isUpload && html`<p>The feed itself has to be at <code>${FOLDER}/feeds/${location}</code>.</p>`}
${isMasked && !written && html`<p class="muted">The mapping tests contain records, whose e-mail addresses your role does not see. <code>feedferry init</code> writes them.</p>`}`;
}

/** The names of the downloads of a draft. */
export const downloads = ['sync.yaml', 'tests.yaml'] as const;

function downloadName(path: string): (typeof downloads)[number] {
  return path.startsWith('tests') ? 'tests.yaml' : 'sync.yaml';
}

/** Returns the text of a download; undefined if the draft does not have it, or if the file has secrets. */
export function downloadOf(name: (typeof downloads)[number], edits: readonly FileEdit[]): string | undefined {
  const { before, after } = edits.find(({ path }) => downloadName(path) === name) ?? {};
  return before !== undefined && after !== undefined && shownText(after) !== after ? undefined : after;
}
