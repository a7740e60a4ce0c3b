import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import type { Texts } from './texts.ts';

const languages: readonly Texts[] = [en, de, fr, es];

/** Returns the words in a language, such as `de` or `de-CH`; in English if it is none of ours. */
export function digestTexts(language: string): Texts {
  const [base = ''] = language.toLowerCase().split(/[-_]/);
  return languages.find((each) => each.language === base) ?? en;
}
