import type { FeedDraft } from '../../app/init/feed-drafts.ts';
import { type Html, html } from '../parts/html.ts';
import { draftPath } from './draft-forms.ts';

/** The files of a draft, to copy or to download. The tests contain records, so viewers who see masked addresses do not get them. */
export function draftFiles({ draft, isMasked }: { draft: FeedDraft; isMasked: boolean }): Html | false {
  const files = filesOfDraft(draft, isMasked);
  const isUpload = !/^[a-z]+:\/\//i.test(draft.location);
  return html`<section aria-labelledby="files"><h2 id="files">The files</h2>
<p>Copy them into the config folder, or download the <a href="${draftPath(draft.id, 'files.patch')}">patch</a> and apply it with <code>git apply</code>.${draft.variables.length === 0 && ' The sync needs no variables besides those of the target.'}</p>
${draft.variables.length > 0 && html`<p>Variables to set wherever the sync runs: ${draft.variables.map((name) => html`<code>${name}</code>`)}. On this server they are set.</p>`}
${isUpload && html`<p>Put the feed itself at <code>${draft.location}</code>, or set <code>source.url</code>.</p>`}
${files.map(
  ({ name, path, text }) => html`<h3>${path}</h3><p><a href="${draftPath(draft.id, name)}">Download ${path}</a></p>
<pre class="copy" tabindex="0" role="group" aria-label="${path}">${text}</pre>`,
)}
${isMasked && html`<p class="muted">The mapping tests contain records, whose e-mail addresses your role does not see. <code>feedferry init</code> writes them.</p>`}</section>`;
}

/** A file of a draft: its name in the address of its download, its path from the folder above the config, its text. */
interface DraftFile {
  name: 'sync.yaml' | 'tests.yaml';
  path: string;
  text: string;
}

/** Lists the files of a draft; none if it has no valid sync yet. */
export function filesOfDraft({ review }: FeedDraft, isMasked: boolean): DraftFile[] {
  const { drafted, name } = review;
  if (!drafted) return [];
  const { syncFile, testsFile } = drafted.draft;
  return [
    { name: 'sync.yaml', path: `config/syncs/${name}.yaml`, text: syncFile.text },
    ...(testsFile && !isMasked
      ? [{ name: 'tests.yaml' as const, path: `config/tests/${name}.yaml`, text: testsFile.text }]
      : []),
  ];
}

/** Returns the files as a patch that creates them. */
export function asPatch(files: readonly DraftFile[]): string {
  return files
    .map(({ path, text }) => {
      const lines = text.replace(/\n$/, '').split('\n');
      const head = [`diff --git a/${path} b/${path}`, 'new file mode 100644', '--- /dev/null', `+++ b/${path}`];
      return [...head, `@@ -0,0 +1,${lines.length} @@`, ...lines.map((line) => `+${line}`), ''].join('\n');
    })
    .join('');
}
