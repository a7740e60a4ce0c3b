import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { pino } from 'pino';
import { openApp } from '../../src/app/app.ts';
import { createFeedDrafts } from '../../src/app/drafts/feed-drafts.ts';
import { readEnvironment } from '../../src/app/environment.ts';
import { loadUsableAppConfig } from '../../src/app/load-config.ts';
import { correctionForm, draftChangeOf } from '../../src/console/feeds/correction-form.ts';
import { parseCorrection } from '../../src/inference/correct/correct.ts';
import type { Inferred } from '../inference/run-init.ts';

/** Uploads a feed as a person in the browser does, corrects it by the forms of the page, and saves the sync "feed". */
export async function saveOnPage(config: string, file: string, corrections: readonly string[]): Promise<Inferred> {
  const environment = readEnvironment({ HTTP_EDIT: 'on' }, config);
  const app = await openApp(loadUsableAppConfig(environment, true), environment, pino({ level: 'silent' }), {});
  const { signal } = new AbortController();
  try {
    const drafts = createFeedDrafts(
      () => app,
      environment,
      async () => {},
    );
    const { id } = await drafts.open({ name: basename(file), content: readFileSync(file) }, 'bench', signal);
    for (const line of corrections) await drafts.change(id, 'bench', draftChangeOf(formOf(line)), signal);
    const { proposal } = drafts.get(id, 'bench');
    await drafts.save(id, 'bench', 'feed', { name: 'bench', via: 'console' }, signal);
    const { resource, source, key, open, warnings } = proposal;
    const map = Object.fromEntries(Object.entries(proposal.map).map(([name, { value }]) => [name, value]));
    return {
      ...{ sync: 'feed', resource: resource.value, connector: String(source.connector?.value), open: [...open] },
      ...{ key: key.value as string, map: map as Inferred['map'], attachments: {}, warnings: [...warnings] },
    };
  } finally {
    await app.close();
  }
}

/** Returns the form that makes a correction. @throws Error if no form of the page can make it */
function formOf(text: string) {
  const correction = parseCorrection(text);
  if ('question' in correction)
    return correctionForm.parse({ line: correction.question, how: 'answer', value: correction.value });
  const { line, value } = correction;
  return correctionForm.parse({ line, ...pickersFor(line, value) });
}

function pickersFor(line: string, value: unknown): object {
  if (value === null) return { how: 'none' };
  if (line.endsWith('.format')) return { line: line.slice(0, -'.format'.length), how: 'format', value };
  if (/^(source\.|year$|resource$)/.test(line)) return { how: 'setting', value: String(value) };
  if (typeof value === 'string' || Array.isArray(value)) return { how: 'fields', fields: value };
  const { field, is, not, value: text, ...others } = value as Record<string, unknown>;
  if (Object.keys(others).length > 0) throw new Error(`No form of the page can say ${line}: ${JSON.stringify(value)}`);
  if (line === 'when') return { how: 'when', fields: field, test: is ? 'is' : 'not', value: String(is ?? not) };
  if (text !== undefined) return { how: 'text', value: text };
  return { how: 'fields', fields: field };
}
