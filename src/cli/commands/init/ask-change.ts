import * as prompts from '@clack/prompts';
import type { ReviewedSync } from '../../../app/init/review-sync.ts';
import { type Correction, readValue } from '../../../inference/correct/correct.ts';
import { lineText, type ProposalLine } from '../../../inference/review/lines.ts';
import { plain } from '../../output/print.ts';
import { type Asking, answerOf } from './asking.ts';

/** Lines that a proposal need not have, with an example of their value. */
const otherLines: Readonly<Record<string, string>> = {
  when: '{ field: status, is: published }',
  schedule: '{ every: 1h }',
  missing: '{ policy: delete }',
  'source.timezone': 'Europe/Berlin',
  year: '2027 or 2026-09, if the dates have none',
};

/** Asks which line of a proposed sync to change, and how. Returns undefined if the user goes back. */
export async function askChange(review: ReviewedSync, asking: Asking): Promise<Correction | undefined> {
  const { lines, unused } = review;
  const known = new Set(lines.map(({ name }) => name));
  const attributesFirst = lines.toSorted((a, b) => Number(b.isAttribute) - Number(a.isAttribute));
  const others = Object.keys(otherLines).filter((name) => !known.has(name));
  const line = await answerOf(
    prompts.select({
      message: 'Which line?',
      maxItems: 15,
      options: [
        ...attributesFirst.map((one) => ({ value: one.name, label: plain(one.name), hint: plain(lineText(one)) })),
        ...unused.map(({ path, samples }) => ({
          value: `+${path}`,
          label: plain(`use ${path}`),
          hint: plain(samples.join(', ')),
        })),
        ...others.map((name) => ({ value: name, label: `add ${name}` })),
        { value: '+', label: 'add another attribute' },
        { value: '', label: 'none' },
      ],
      ...asking,
    }),
  );
  if (line === '') return undefined;
  if (line.startsWith('+')) return askAttribute(line.slice(1), review, asking);
  const found = lines.find(({ name }) => name === line);
  if (found?.isAttribute || line === 'key') return askFields(line, review, asking, found);
  return { line, value: await askValue(line, found ? lineText(found) : '', asking) };
}

/** Asks for an attribute. @param field the field that it takes; an empty text if the user chooses fields */
async function askAttribute(field: string, review: ReviewedSync, asking: Asking): Promise<Correction | undefined> {
  const message = field === '' ? 'Which attribute of the site?' : plain(`Which attribute of the site takes ${field}?`);
  const validate = (text = '') =>
    /^[\w-]+(\.[\w-]+)*$/.test(text) ? undefined : 'Enter the layout key of an attribute.';
  const line = await answerOf(prompts.text({ message, placeholder: 'location', validate, ...asking }));
  return field === '' ? askFields(line, review, asking) : { line, value: field };
}

/** Asks how an attribute gets its value. */
async function askFields(
  line: string,
  review: ReviewedSync,
  asking: Asking,
  found?: ProposalLine,
): Promise<Correction | undefined> {
  const isKey = line === 'key';
  const how = isKey
    ? 'fields'
    : await answerOf(
        prompts.select({
          message: `What about ${line}?`,
          options: [
            { value: 'fields', label: 'other fields' },
            ...(found && found.fields.length > 0 ? [{ value: 'format', label: 'another format of dates' }] : []),
            { value: 'constant', label: 'the same value for all records' },
            { value: 'rule', label: 'a rule, as in the sync file' },
            ...(found ? [{ value: 'none', label: 'leave it out' }] : []),
          ],
          ...asking,
        }),
      );
  switch (how) {
    case 'fields':
      return { line, value: await chooseFields(line, review, asking, found) };
    case 'format':
      return {
        line: `${line}.format`,
        value: readValue(await askText('Format, such as dd.MM.yyyy HH:mm', '', asking)),
      };
    case 'constant':
      return { line, value: { value: readValue(await askText('Value', '', asking)) } };
    case 'rule':
      return { line, value: await askValue(line, found ? lineText(found) : '', asking) };
    default:
      return { line, value: null };
  }
}

async function chooseFields(
  line: string,
  { fields }: ReviewedSync,
  asking: Asking,
  found?: ProposalLine,
): Promise<string[]> {
  return answerOf(
    prompts.multiselect({
      message: `Which fields? (blank: choose, Enter: done)`,
      maxItems: 15,
      initialValues: [...(found?.fields ?? [])],
      required: line === 'key',
      options: fields.map(({ path, samples }) => ({
        value: path,
        label: plain(path),
        hint: plain(samples.join(', ')),
      })),
      ...asking,
    }),
  );
}

async function askValue(line: string, before: string, asking: Asking): Promise<unknown> {
  const example = otherLines[line];
  const message = `${line}, as in the sync file${example ? `, such as ${example}` : ''} (empty: leave it out)`;
  const text = await askText(message, before.includes('\n') ? '' : before, asking);
  return text.trim() === '' ? null : readValue(text);
}

function askText(message: string, initialValue: string, asking: Asking): Promise<string> {
  return answerOf(prompts.text({ message: plain(message), initialValue, ...asking })).then((text) => text ?? '');
}
