import type { Resource } from '../../core/record.ts';
import { accountNames } from '../columns/account-names.ts';
import { type Column, countDistinct, textsOf } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { foldWord, nameScore, wordsOf } from '../columns/names.ts';
import { yesNoOf } from '../fields/values.ts';
import type { Answers, Guess, Question } from '../proposal.ts';
import { flowText } from '../sync-file.ts';

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

/** Names of yes/no fields, by the state of a record for which they are set. The first that fits counts. */
const flags = {
  deleted:
    /(cancel|delet|remov|terminat|archiv|suspend|disabl|inactive|inaktiv|de[sz]?acti[vf]|deakti[vw]|disattiv|gesperrt|locked$|abgesagt|annul|storn|zrus|odwol|aflyst|avlyst|afgelast|installd|peruttu|elmarad|anulat|otkazan|отмен|iptal|ακυρ|ملغ|מבוטל|中止|取消|취소)/,
  unpublished:
    /(private|privat$|hid(e|den)|draft|unpubli|unlist|invisib|suppress|exclud|restricted|confidential|vertraulich|embargo|only(staff|intern)|(staff|members?|employees?)only|^nurintern|intern(e|al|t|o|a)?(only)?$|entwurf|versteck|verberg|ausblend|brouillon|masque|borrador|ocult|nascond|skjul|非公開)/,
  published:
    /(publish|publi[ckqs]|visible|visibility|show(on|in)|showonweb|display|(on|for)(the)?(web|site|homepage|internet|calendar)|sichtbar|anzeigen|offentlich|oeffentlich|freigegeben|affich|aprovado|approved|opublik|zverejn|verejn|yayin|公開|공개)/,
  present: /(^status$|^state$|^etat$|^stan$|^durum$|acti[vfe]|akti[vf]|aktyw|ativo|attiv|ενεργ|актив|enabled)/,
};
/** Words that turn the meaning of such a name around: `Do not publish`, `Don't show`. */
const negations = new Set(
  'not no dont don never nicht kein keine non pas ne nao niet geen ej ikke inte ei nie не لا ללא'.split(' '),
);

/** Highest number of different values of a field that has the state of records. */
const MOST_STATES = 12;

/** Conditions for the records that the source has deleted and for those that are published, and what is uncertain about them. */
export interface SourceStatus {
  deleted?: Guess<Record<string, unknown>>;
  when?: Guess<Record<string, unknown>>;
  open: Question[];
  warnings: string[];
}

/**
 * Finds the fields that mark a record as cancelled, deleted or not published, by their names or values. Whether records of the sample
 * are left out is a question, unless a value says that they are cancelled.
 */
export function statusOf(columns: readonly Column[], resource: Resource, answers: Answers): SourceStatus {
  const names = (resource === 'events' ? eventNames : accountNames).status;
  const status: SourceStatus = { open: [], warnings: [] };
  const states = columns.filter((column) => column.filled > 0 && countDistinct(column) <= MOST_STATES);
  for (const column of states.toSorted((a, b) => nameScore(b.names, names) - nameScore(a.names, names))) {
    const isNamed = nameScore(column.names, names) > 0;
    const isFlag = yesNoOf(column) !== undefined;
    const found = column.isList ? tagsIn(column) : isFlag ? flagsIn(column) : wordsIn(column, isNamed);
    if (found.deleted.length > 0) {
      const hidden = count(column, found.deleted);
      const isSure = found.isSure !== false || hidden <= column.values.length / 4;
      const isClear = !isFlag && found.deleted.every((word) => cancelled.test(foldState(word)));
      leaveOut('deleted', { column, hidden, words: found.deleted, isSure, isClear });
    }
    // Most records are for the public. If the flag hides most records, it may have another meaning.
    const hiding = count(column, found.unpublished);
    const isRare = hiding <= column.values.length / 2;
    if (found.unpublished.length > 0 && (isRare || isFlag)) {
      const isSure = isRare || found.unpublished.includes('');
      leaveOut('when', { column, hidden: hiding, words: found.unpublished, isSure });
    }
    const doubtful = isRare || isFlag ? found.doubtful : found.unpublished;
    if (doubtful.length > 0) status.warnings.push(doubtOf(column, found, doubtful));
  }
  return status;

  function leaveOut(key: 'deleted' | 'when', hiding: Hiding): void {
    const { column, hidden, words, isSure } = hiding;
    if (status[key]) {
      status.warnings.push(...alsoOf(column, words));
      return;
    }
    const question = questionOf(key, hiding);
    const answer = answers[question.id];
    if (hidden > 0 && answer === undefined && !hiding.isClear) status.open.push(question);
    if ((answer ?? (isSure ? LEAVE_OUT : PUBLISH)) === PUBLISH) return;
    status[key] = { value: conditionOf(key, hiding), evidence: describe(hiding) };
  }
}

/** Records that would be left out. */
interface Hiding {
  column: Column;
  hidden: number;
  /** The values of these records; the empty text if they have none. */
  words: readonly string[];
  /** Whether they are left out unless a person says otherwise. */
  isSure: boolean;
  /** Whether the values say what they mean, so that no question is asked. */
  isClear?: boolean;
}

const LEAVE_OUT = 'leave out';
const PUBLISH = 'publish';

function conditionOf(key: 'deleted' | 'when', { column, words }: Hiding): Record<string, unknown> {
  if (key === 'deleted') return { field: column.path, is: oneOf(words) };
  if (!words.includes('')) return { field: column.path, not: oneOf(words) };
  return { field: column.path, is: oneOf([...new Set(column.texts)].filter((word) => !words.includes(word))) };
}

function describe({ column, hidden, words }: Hiding): string {
  return `${hidden} of ${column.values.length} records have ${words.map((word) => word || 'nothing').join(' or ')} in "${column.path}"`;
}

function questionOf(key: 'deleted' | 'when', hiding: Hiding): Question {
  const { path } = hiding.column;
  const line = `${key === 'when' ? 'when' : 'deleted'}: ${flowText(conditionOf(key, hiding))}`;
  const meaning = key === 'when' ? 'not for the public' : 'deleted or cancelled';
  const shown = describe(hiding);
  return {
    id: `meaning of ${path}`,
    line: key === 'when' ? 'when' : 'source.deleted',
    text: `Does "${path}" mark records that are ${meaning}? ${shown}.`,
    choices: [
      { value: LEAVE_OUT, label: `leave them out: ${line}` },
      { value: PUBLISH, label: 'publish them' },
    ],
    safe: hiding.isSure ? LEAVE_OUT : PUBLISH,
    comment: hiding.isSure
      ? `${shown}; these are left out. If they should be published, remove \`${key === 'when' ? 'when' : 'source.deleted'}\`.`
      : `${shown}; these are published. To leave them out, write \`${line}\`.`,
  };
}

/** The values of a field, by the state of the records that have them. */
interface States {
  deleted: string[];
  unpublished: string[];
  /** Values that may mean that a record is not to be published. */
  doubtful: string[];
  /** Whether the deleted records surely are deleted. */
  isSure?: boolean;
}

function wordsIn(column: Column, isNamed: boolean): States {
  const words = [...new Set(column.texts)];
  const found: States = { deleted: [], unpublished: [], doubtful: [] };
  // A value that all records have is not a sign, and long texts are no states.
  if (words.length < 2 || words.some((word) => word.length > 40)) return found;
  for (const word of words) {
    const plain = foldState(word);
    if (cancelled.test(plain) || (isNamed && deleted.test(plain))) found.deleted.push(word);
    else if (isNamed && (unpublished.test(plain) || hidden.test(plain))) found.unpublished.push(word);
    else if (unpublished.test(plain) || (isNamed && !live.test(plain))) found.doubtful.push(word);
  }
  // The state of a country is no state of a record: of such words, one has to be known.
  return found.doubtful.length < words.length || statusName.test(wordsOf(column.names.at(-1) ?? '').join(''))
    ? found
    : none;
}

/** Writes a state as it is compared; that of schema.org is the last part of an address. */
function foldState(word: string): string {
  return foldWord(word.replace(/^.*[/#]/, ''));
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
  const parts = wordsOf(column.names.at(-1) ?? '');
  const name = parts.filter((part) => !negations.has(part)).join('');
  const words = [...new Set(column.texts)];
  const { isYes } = yesNoOf(column) ?? { isYes: () => false };
  const isNegated = parts.some((part) => negations.has(part));
  const [yes, no] = [words.filter(isYes), words.filter((word) => !isYes(word))];
  // An empty field means no.
  const unset = column.filled < column.values.length ? [...no, ''] : no;
  // A flag that hides records counts even if no record has set it yet: `cancelled: false`.
  const set = yes.length > 0 ? yes : ['true'];
  const [marked, unmarked] = isNegated ? [unset, set] : [set, unset];
  if (flags.deleted.test(name)) return { ...none, deleted: marked };
  if (flags.unpublished.test(name)) return { ...none, unpublished: marked };
  // These flags do not count if no record has set them, because they may not be in use.
  if (yes.length === 0 && !isNegated) return none;
  if (/^(status|state)$/.test(name) || flags.published.test(name)) return { ...none, unpublished: unmarked };
  const isSure = isNegated;
  return flags.present.test(name) ? { ...none, deleted: unmarked.filter((word) => word !== ''), isSure } : none;
}

function count({ values }: Column, words: readonly string[]): number {
  return values.filter((value) => {
    const texts = textsOf(value);
    return texts.length === 0 ? words.includes('') : texts.some((text) => words.includes(text));
  }).length;
}

/** A condition names one field. Records that another one hides are published, too. */
function alsoOf(column: Column, words: readonly string[]): string[] {
  const hidden = count(column, words);
  if (hidden === 0) return [];
  const records = hidden === 1 ? '1 record is' : `${hidden} records are`;
  return [
    `${column.path} also seems to hide records: ${records} ${words.join(' or ')}. Another field is used for this; to use both, write \`when\` with \`all\`.`,
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
