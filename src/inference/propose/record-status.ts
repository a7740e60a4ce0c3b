import type { Resource } from '../../core/record.ts';
import { accountNames } from '../columns/account-names.ts';
import { candidates } from '../columns/choose.ts';
import { type Column, countDistinct } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { wordsOf } from '../columns/names.ts';
import { yesNoOf } from '../fields/values.ts';
import type { Guess } from '../proposal.ts';

const deletedWords =
  /^(cancell?ed|deleted|removed|withdrawn|archived|trash|abgesagt|entfallen|gel(ö|oe)scht|storniert|annul(é|e|ée)e?|supprim(é|e)e?|cancelad[oa]|anulad[oa]|annullat[oa]|afgelast|geannuleerd|inst(ä|a)lld|aflyst|avlyst|terminated|left|inactive|ausgeschieden|disabled|inaktiv|eventcancelled)$/i;
const draftWords =
  /^(draft|pending|private|entwurf|brouillon|borrador|bozza|concept|unpublished|hidden|future-draft|auto-draft)$/i;
/** Names of yes/no fields, by the state of a record for which they are set. */
const flags = {
  deleted: /(cancel|delet|remov|terminat|archiv|suspend|disabl|inactive|abgesagt|annule)/,
  unpublished: /(private|privat$|hidden|draft)/,
  present: /(active|enabled)/,
  published: /(publish|visible|visibility|public|offentlich|aprovado|approved)/,
};

/** Conditions for the records that the source has deleted and for those that are published. */
export interface SourceStatus {
  deleted?: Guess<Record<string, unknown>>;
  when?: Guess<Record<string, unknown>>;
}

/** Finds the field that marks a record as cancelled, deleted or not yet published. */
export function statusOf(columns: readonly Column[], resource: Resource): SourceStatus {
  const names = resource === 'events' ? eventNames.status : accountNames.status;
  const status: SourceStatus = {};
  for (const { column } of candidates(columns, { names, fits: (one) => (countDistinct(one) <= 12 ? 1 : 0) })) {
    const { deleted, unpublished } = wordsIn(column);
    const count = (words: readonly string[]) => column.texts.filter((text) => words.includes(text)).length;
    if (deleted.length > 0) {
      const evidence = `${count(deleted)} of ${column.values.length} records are ${deleted.join(' or ')}`;
      status.deleted ??= { value: { field: column.path, is: oneOf(deleted) }, evidence };
    }
    // Most records are for the public. If the flag hides most records, it has another meaning or is not in use.
    if (unpublished.length > 0 && count(unpublished) <= column.texts.length / 2) {
      const evidence = `${count(unpublished)} of ${column.values.length} records are ${unpublished.join(' or ')}: not for the public`;
      status.when ??= { value: { field: column.path, not: oneOf(unpublished) }, evidence };
    }
  }
  return status;
}

function oneOf(words: readonly string[]): string | readonly string[] {
  const [only, ...others] = words;
  return only !== undefined && others.length === 0 ? only : words;
}

/** Returns the values of a column that mean "deleted", and the values that mean "not for the public". */
function wordsIn(column: Column): { deleted: string[]; unpublished: string[] } {
  const words = [...new Set(column.texts)];
  const yesNo = yesNoOf(column);
  if (yesNo === undefined) {
    const deleted = words.filter((word) => deletedWords.test(word.replace(/^.*[/#]/, '')));
    const unpublished = words.filter((word) => draftWords.test(word));
    // A value that all records have is not a sign.
    return {
      deleted: deleted.length < words.length ? deleted : [],
      unpublished: unpublished.length < words.length ? unpublished : [],
    };
  }
  const name = wordsOf(column.names.at(-1) ?? '').join('');
  const meaning = (isYes: boolean) => words.filter((word) => yesNo.isYes(word) === isYes);
  // Such a flag counts even if no record has set it yet: `cancelled: false`.
  const set = meaning(true).length > 0 ? meaning(true) : ['true'];
  const unset = meaning(false);
  if (flags.deleted.test(name)) return { deleted: set, unpublished: [] };
  if (flags.unpublished.test(name)) return { deleted: [], unpublished: set };
  // These flags do not count if no record has set them, because they may not be in use.
  if (meaning(true).length === 0) return { deleted: [], unpublished: [] };
  if (flags.present.test(name)) return { deleted: unset, unpublished: [] };
  return { deleted: [], unpublished: flags.published.test(name) ? unset : [] };
}
