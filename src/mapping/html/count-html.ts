import type { FieldRule, SyncConfig } from '../../config/types.ts';
import { readMarkup } from './read-markup.ts';

/** The number of texts for an attribute. `html`: those with HTML; `example`: an element. */
interface Count {
  texts: number;
  html: number;
  example?: string;
}

export type HtmlCounts = ReturnType<typeof countHtml>;

/** Counts the texts that have elements of HTML, by attribute. */
export function countHtml() {
  const counts = new Map<string, Count>();
  return { add, describe };

  function add(attribute: string, text: string, isHtml: boolean): void {
    const count = counts.get(attribute) ?? { texts: 0, html: 0 };
    counts.set(attribute, count);
    addTo(count, text, isHtml);
  }

  /** Says how many texts have HTML, and what the sync makes of them. */
  function describe({ map }: Pick<SyncConfig, 'map'>): string[] {
    return [...counts].map(([attribute, count]) => {
      return `${attribute}: ${describeCount(count)}. ${describeTreatment(count, map?.[attribute]?.html)}`;
    });
  }
}

/** Says how many of some texts have HTML: "HTML in 12 of 40 texts, such as <p>". */
export function describeHtmlIn(texts: readonly string[]): string {
  const count: Count = { texts: 0, html: 0 };
  for (const text of texts) addTo(count, text, false);
  return describeCount(count);
}

function addTo(count: Count, text: string, isHtml: boolean): void {
  if (text === '') return;
  const [element] = readMarkup(text).elements;
  count.texts += 1;
  if (isHtml || element !== undefined) count.html += 1;
  if (element !== undefined) count.example ??= element === '!--' ? 'a comment' : `<${element}>`;
}

function describeCount({ texts, html, example }: Count): string {
  const all = texts === 1 ? '1 text' : `${texts} texts`;
  if (html === 0) return `no HTML in ${all}`;
  return `HTML in ${html} of ${all}${example === undefined ? '' : `, such as ${example}`}`;
}

const treatments = {
  sanitize: 'All texts are sanitised as HTML.',
  text: 'All texts become plain text.',
  keep: 'All texts stay as they are.',
};

function describeTreatment({ texts, html }: Count, treatment: FieldRule['html'] = 'auto'): string {
  if (typeof treatment !== 'string') return 'Only the elements of the allow-list stay.';
  if (treatment !== 'auto') return treatments[treatment];
  const sentences = [
    ...(html > 0 ? ['HTML is sanitised.'] : []),
    ...(html < texts ? ['Plain text is escaped; its addresses become links, and its line breaks stay.'] : []),
  ];
  return sentences.join(' ');
}
