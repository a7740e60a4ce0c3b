import type { Resource } from '../../core/record.ts';
import { accountNames } from '../columns/account-names.ts';
import { type Column, countDistinct } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { foldWord, nameScore, wordsOf } from '../columns/names.ts';
import { yesNoOf } from '../fields/values.ts';
import type { Guess } from '../proposal.ts';

/** Words of the states of records, folded; the ends of most words are left out. */
const cancelled =
  /^(event)?(cancel|called off|abgesagt|entfall|gestrichen|storn|annul|anula|afgelast|geannuleerd|installd|inställd|aflyst|avlyst|perut|peruut|odwolan|zrusen|elmarad|otkazan|iptal|отмен|скасован|ακυρ|ματαιω|ملغ|בוטל|מבוטל|中止|取消|已取消|취소)/;
const deleted =
  /^(deleted|removed|withdrawn|archived|trash|geloscht|supprim|terminated|left|inactive|ausgeschieden|disabled|inaktiv)/;
const unpublished =
  /^(draft|unpublished|not published|hidden|internal|future-draft|auto-draft|entwurf|intern$|interne?$|nicht offentlich|nicht veroff|unveroffentlicht|brouillon|non publi|borrador|no publi|bozza|non pubbli|rascunho|nao publi|niet gepubl|utkast|kladd|internt|ej publ|luonnos|szkic|robocz|niepubli|koncept|neverej|interni$|vazlat|ciorna|taslak|чернов|не опубл|προχειρ|αδημοσι|مسودة|טיוטה|下書き|非公開|草稿|未發布|未发布|비공개|임시|zartkor|закрытое |внутренн|внутришн|פנימי|פרטי|sisemi|sisainen|wewnetrz|besloten|داخلي)/;
/** Words that mean a state only in a field that is named as one. */
const hidden = /^(pending|private|privat|prive|privad|concept$|nicht |non |nao |niet |ej |не )/;
const live =
  /^(live|active|aktiv|activ|ativ|attiv|actief|aktyw|confirmed|bestatigt|confirm|publi|scheduled|public|open|geplant|planned|online|ok|yes|sold|ausverkauft|complet|full|postponed|rescheduled|verschoben|tentative|normal|akt|актив|опубл|ενεργ|公開|已發布|已发布|게시|공개|확정|yayin|eventscheduled|eventrescheduled|eventpostponed|eventmovedonline)/;

/** Names of yes/no fields, by the state of a record for which they are set. */
const flags = {
  deleted:
    /(cancel|delet|remov|terminat|archiv|suspend|disabl|inactive|inaktiv|abgesagt|annul|storn|zrus|odwol|aflyst|avlyst|afgelast|installd|peruttu|elmarad|anulat|otkazan|отмен|iptal|ακυρ|ملغ|מבוטל|中止|取消|취소)/,
  unpublished:
    /(private|privat$|hidden|draft|^nurintern|intern(e|al|t|o|a)?$|entwurf|versteckt|brouillon|borrador|非公開)/,
  published:
    /(publish|publi[ckqs]|visible|visibility|sichtbar|offentlich|oeffentlich|freigegeben|aprovado|approved|opublik|zverejn|verejn|yayin|公開|공개|online$)/,
  present: /(^status$|^state$|^etat$|^stan$|^durum$|acti[vfe]|akti[vf]|aktyw|ativo|attiv|ενεργ|актив|enabled)/,
};

/** Highest number of different values of a field that has the state of records. */
const MOST_STATES = 12;

/** Conditions for the records that the source has deleted and for those that are published, and warnings about states. */
export interface SourceStatus {
  deleted?: Guess<Record<string, unknown>>;
  when?: Guess<Record<string, unknown>>;
  warnings: string[];
}

/** Finds the fields that mark a record as cancelled, deleted or not published, by their names or values. */
export function statusOf(columns: readonly Column[], resource: Resource): SourceStatus {
  const names = (resource === 'events' ? eventNames : accountNames).status;
  const status: SourceStatus = { warnings: [] };
  const states = columns.filter((column) => column.filled > 0 && countDistinct(column) <= MOST_STATES);
  for (const column of states.toSorted((a, b) => nameScore(b.names, names) - nameScore(a.names, names))) {
    const isNamed = nameScore(column.names, names) > 0;
    const found = column.isList ? tagsIn(column) : yesNoOf(column) ? flagsIn(column) : wordsIn(column, isNamed);
    if (found.deleted.length > 0) {
      const evidence = `${count(column, found.deleted)} of ${column.values.length} records are ${found.deleted.join(' or ')}`;
      if (status.deleted) status.warnings.push(...alsoOf(column, found.deleted));
      else status.deleted = { value: { field: column.path, is: oneOf(found.deleted) }, evidence };
    }
    // Most records are for the public. If the flag hides most records, it has another meaning or is not in use.
    const hiding = count(column, found.unpublished);
    if (found.unpublished.length > 0 && hiding <= column.texts.length / 2) {
      const evidence = `${hiding} of ${column.values.length} records are ${found.unpublished.join(' or ')}: not for the public`;
      if (status.when) status.warnings.push(...alsoOf(column, found.unpublished));
      else status.when = { value: { field: column.path, not: oneOf(found.unpublished) }, evidence };
    }
    const doubtful = hiding > column.texts.length / 2 ? found.unpublished : found.doubtful;
    if (doubtful.length > 0) status.warnings.push(doubtOf(column, found, doubtful));
  }
  return status;
}

/** The values of a field, by the state of the records that have them. */
interface States {
  deleted: string[];
  unpublished: string[];
  /** Values that may mean that a record is not to be published. */
  doubtful: string[];
}

function wordsIn(column: Column, isNamed: boolean): States {
  const words = [...new Set(column.texts)];
  const found: States = { deleted: [], unpublished: [], doubtful: [] };
  // A value that all records have is not a sign, and long texts are no states.
  if (words.length < 2 || words.some((word) => word.length > 40)) return found;
  for (const word of words) {
    const plain = foldWord(word.replace(/^.*[/#]/, ''));
    if (cancelled.test(plain) || (isNamed && deleted.test(plain))) found.deleted.push(word);
    else if (isNamed && (unpublished.test(plain) || hidden.test(plain))) found.unpublished.push(word);
    else if (unpublished.test(plain) || (isNamed && !live.test(plain))) found.doubtful.push(word);
  }
  // The state of a country is no state of a record: of such words, one has to be known.
  return found.doubtful.length < words.length || statusName.test(wordsOf(column.names.at(-1) ?? '').join(''))
    ? found
    : none;
}

const none: States = { deleted: [], unpublished: [], doubtful: [] };
const statusName = /stat(us|ut)|^stat$|zustand|статус|状態|狀態|状态|상태|durum|κατασταση|الحالة/;

/** Returns the states among the words of a list. A record that has other words, too, may be for the public. */
function tagsIn(column: Column): States {
  const { deleted, unpublished, doubtful } = wordsIn(column, false);
  return { ...none, doubtful: [...deleted, ...unpublished, ...doubtful] };
}

/** Returns the meaning of a yes/no field by its name. */
function flagsIn(column: Column): States {
  const name = wordsOf(column.names.at(-1) ?? '').join('');
  const words = [...new Set(column.texts)];
  const { isYes } = yesNoOf(column) ?? { isYes: () => false };
  const [yes, no] = [words.filter(isYes), words.filter((word) => !isYes(word))];
  // Such a flag counts even if no record has set it yet: `cancelled: false`.
  const set = yes.length > 0 ? yes : ['true'];
  if (flags.deleted.test(name)) return { ...none, deleted: set };
  if (flags.unpublished.test(name)) return { ...none, unpublished: set };
  // These flags do not count if no record has set them, because they may not be in use.
  if (yes.length === 0) return none;
  if (/^(status|state)$/.test(name) || flags.published.test(name)) return { ...none, unpublished: no };
  return flags.present.test(name) ? { ...none, deleted: no } : none;
}

function count({ texts }: Column, words: readonly string[]): number {
  return texts.filter((text) => words.includes(text)).length;
}

/** A condition names one field. Records that another one hides are published, too. */
function alsoOf(column: Column, words: readonly string[]): string[] {
  const hidden = count(column, words);
  if (hidden === 0) return [];
  const records = hidden === 1 ? '1 record is' : `${hidden} records are`;
  return [
    `${column.path} also seems to hide records: ${records} ${words.join(' or ')}. Another field is used for this; to use both, write \`when\` with an expression.`,
  ];
}

function oneOf(words: readonly string[]): string | readonly string[] {
  const [only, ...others] = words;
  return only !== undefined && others.length === 0 ? only : words;
}

function doubtOf(column: Column, { deleted, unpublished }: States, doubtful: readonly string[]): string {
  const { path, texts } = column;
  const isPublished = (word: string) =>
    doubtful.includes(word) || !(deleted.includes(word) || unpublished.includes(word));
  const shown = [...new Set(texts)]
    .filter(isPublished)
    .map((word) => `${word} (${count(column, [word])})`)
    .join(', ');
  // Most records are for the public.
  const [rarest] = doubtful.toSorted((a, b) => count(column, [a]) - count(column, [b]));
  return `${path} seems to have states of records: ${shown}. These are published; to leave some out, write \`when: { field: ${path}, not: ${rarest} }\`.`;
}
