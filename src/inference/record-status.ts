import type { Resource } from '../core/record.ts';
import { accountNames } from './account-names.ts';
import { candidates } from './choose.ts';
import { type Column, distinct } from './columns.ts';
import { eventNames } from './event-names.ts';
import { wordsOf } from './names.ts';
import type { Guess } from './proposal.ts';
import { yesNoOf } from './values.ts';

const deletedWords =
  /^(cancell?ed|deleted|removed|withdrawn|archived|trash|abgesagt|entfallen|gel(ö|oe)scht|storniert|annul(é|e|ée)e?|supprim(é|e)e?|cancelad[oa]|anulad[oa]|annullat[oa]|afgelast|geannuleerd|inst(ä|a)lld|aflyst|avlyst|terminated|left|inactive|ausgeschieden|disabled|inaktiv|eventcancelled)$/i;
const draftWords =
  /^(draft|pending|private|entwurf|brouillon|borrador|bozza|concept|unpublished|hidden|future-draft|auto-draft)$/i;
const negative = /(cancel|delet|remov|terminat|archiv|suspend|disabl|inactive|abgesagt|annule)/;
const positive = /(active|enabled|published|visible)/;

/** Which records the source has deleted, and which are published. */
export interface RecordStatus {
  deleted?: Guess<Record<string, unknown>>;
  when?: Guess<Record<string, unknown>>;
}

/** Finds the field that says that a record was cancelled, deleted or not yet published. */
export function statusOf(columns: readonly Column[], resource: Resource): RecordStatus {
  const names = resource === 'events' ? eventNames.status : accountNames.status;
  const status: RecordStatus = {};
  for (const { column } of candidates(columns, { names, fits: (one) => (distinct(one) <= 12 ? 1 : 0) })) {
    const flag = flagOf(column);
    const words = [...new Set(column.texts)];
    const deleted = flag?.deleted ?? words.filter((word) => deletedWords.test(word.replace(/^.*[/#]/, '')));
    const drafts = flag ? [] : words.filter((word) => draftWords.test(word));
    if (deleted.length > 0 && deleted.length < Math.max(2, words.length + (flag ? 1 : 0))) {
      const count = column.texts.filter((text) => deleted.includes(text)).length;
      status.deleted ??= {
        value: { field: column.path, is: deleted.length === 1 ? deleted[0] : deleted },
        evidence: `${count} of ${column.values.length} records are ${deleted.join(' or ')}`,
      };
    }
    if (drafts.length > 0) {
      status.when ??= {
        value: { field: column.path, not: drafts.length === 1 ? drafts[0] : drafts },
        evidence: `${drafts.join(' and ')} are not published`,
      };
    }
  }
  return status;
}

/** A yes/no value that says that records are deleted, or that they are not. */
function flagOf(column: Column): { deleted: string[] } | undefined {
  const words = yesNoOf(column);
  const name = wordsOf(column.names.at(-1) ?? '').join('');
  if (words === undefined) return undefined;
  const isNegative = negative.test(name);
  if (!isNegative && !positive.test(name)) return { deleted: [] };
  const deleted = [...new Set(column.texts)].filter((text) => words.isYes(text) === isNegative);
  // A flag that is never set is still one: `cancelled: false`.
  return { deleted: deleted.length > 0 ? deleted : isNegative ? ['true'] : [] };
}
