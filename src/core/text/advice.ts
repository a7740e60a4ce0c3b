import { consolePlace } from './console-places.ts';
import { capitalised } from './figures.ts';
import { type Subject, textParts } from './text-parts.ts';

/** A sentence ends at a sign before a blank; not in code between backticks. */
const SENTENCE = /(?:`[^`]*`|[^`.!?]|[.!?](?!\s|$))+[.!?]*\s*/g;
const VARIABLE = /\b[A-Z]{2,}(?:_[A-Z]+)+\b/;

/**
 * Splits a remedy into what everyone understands, and what is for the people who run feedferry: sentences with settings, with variables,
 * or with commands that the console has no place for.
 */
export function splitAdvice(text: string, subject: Subject): { plain: string; technical: string } {
  const parts = (text.match(SENTENCE) ?? []).flatMap((sentence) => {
    if (!isTechnical(sentence, subject)) return sentence;
    const [first = '', ...others] = sentence.split(/, (?=or )/);
    return others.length === 0 || isTechnical(first, subject)
      ? sentence
      : [`${first}. `, capitalised(others.join(', '))];
  });
  // A sentence after a technical one may refer to it, unless it leads to a page.
  const first = parts.findIndex((part) => isTechnical(part, subject));
  const isPlain = (part: string, nth: number) =>
    first < 0 || nth < first || (part.includes('`feedferry ') && !isTechnical(part, subject));
  const [plain, technical] = [true, false].map((is) =>
    parts
      .filter((part, nth) => isPlain(part, nth) === is)
      .join('')
      .trim(),
  );
  return { plain: plain ?? '', technical: technical ?? '' };
}

function isTechnical(sentence: string, subject: Subject): boolean {
  return textParts(sentence, subject).some(({ is, text }) => {
    if (is === 'words') return VARIABLE.test(text.replaceAll(/\bFF_\w+/g, ''));
    return is !== 'command' || !consolePlace(text, subject);
  });
}
