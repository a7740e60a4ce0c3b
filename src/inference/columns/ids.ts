import { type Column, countDistinct } from './columns.ts';
import { nameScore, phrases, wordsOf } from './names.ts';

const ids = phrases(
  `id uid guid uuid uniqueid studentid eventid identifier recordid objectid globalid sourceid externalid postid nid itemid iduid eventuid sessionid talkid idevent idevenement
   identifiant kennung ide personid employeeid employeenumber personalnummer personnelnumber staffid memberid mitarbeiternummer userid matricule contactid`,
  'key nr no num nummer number code ref reference slug veranstaltungsnummer numero nid sku eventcode coursecode idnumber eventnumber kursnummer kursnr veranstaltungsnr terminnr eventnr eventno eventref externalref externalkey eventkey',
  'url link permalink href eventurl weburl detailurl icaluid registrationurl website',
);
/** Endings of names that are not in the dictionary: `race_id`, `Seminar #`, `Kurs-Nr.`. */
const ending = /(^|[\s_.-])[iI][dD]$|[a-z]I[dD]$|#\s*$|[\s_-]([nN]o|[nN]r|[nN]um|[nN]umber|[cC]ode)\.?$/;
const date = /\b(date|datum|fecha|dato|time|zeit|uhrzeit|heure|hora|ora|tijd|day|tag|start|begin|beginn|end|ende)\b/;
/** Score of a name of which only the ending is known. */
const ENDING = 0.75;
/** Score above which a name alone means an id. */
const SURE = 0.9;
/** Score above which a name means an id if the values differ in all records. */
const LIKELY = 0.7;

/** Returns how surely the name of a field means an id, 0 to 1; names of addresses count a little. */
export function idScore({ names }: Column): number {
  return Math.max(nameScore(names, ids), ending.test(names.at(-1) ?? '') ? ENDING : 0);
}

/** Returns whether a field is named as a date or time. */
export function isNamedDate({ names }: Column): boolean {
  return date.test(wordsOf(names.at(-1) ?? '').join(' '));
}

/** Returns whether a field can only be an id. */
export function isId({ names }: Column): boolean {
  return nameScore(names, ids) > SURE || ending.test(names.at(-1) ?? '');
}

/** Returns whether a field is an id by its name, so that its values are neither dates nor times, whatever they look like. */
export function isNamedId(column: Column): boolean {
  const score = idScore(column);
  if (score < LIKELY || isNamedDate(column)) return false;
  const { texts, values, isList } = column;
  return score > SURE || (!isList && texts.length === values.length && countDistinct(column) === values.length);
}
