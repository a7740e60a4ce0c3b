import { accountNames } from '../columns/account-names.ts';
import { choose, type Role } from '../columns/choose.ts';
import { type Column, countDistinct, shareThat, textsOf } from '../columns/columns.ts';
import { wordsOf } from '../columns/names.ts';
import { allChosenColumns, type Corrections } from '../correct/corrections.ts';
import { chosenTextRule } from '../fields/combined-rule.ts';
import { textRule } from '../fields/rules.ts';
import { categoryFit, emailFit, personNameFit, phoneFit, textFit, usernameFit, websiteFit } from '../fields/values.ts';
import type { Attributes } from './events.ts';

type AccountAttribute = Exclude<keyof typeof accountNames, 'status'>;

const honorific = /^(mr|mrs|ms|miss|mx|dr|prof|professor|herr|frau|m|mme|mlle|sr|sra|sig|dhr|mevr|pd|hon|rev|sir)\.?$/i;

const fits: Record<AccountAttribute, Role['fits']> = {
  email: emailFit,
  username: usernameFit,
  firstName: personNameFit,
  middleName: personNameFit,
  lastName: personNameFit,
  displayName: personNameFit,
  company: textFit,
  title: (column) =>
    column.texts.every((text) => text.split(/\s+/).every((word) => honorific.test(word))) ? 0 : textFit(column),
  department: textFit,
  website: websiteFit,
  phoneHome: phoneFit,
  phoneOffice: phoneFit,
  phoneMobile: phoneFit,
  phoneTollFree: phoneFit,
  phoneOther: phoneFit,
  pager: phoneFit,
  fax: phoneFit,
  gender: (column) => (new Set(column.texts).size <= 6 ? categoryFit(column) : 0),
};

/** Patterns for parts of names. They are enough if the values of the field are unmistakable. */
const parts: Partial<Record<AccountAttribute, RegExp>> = {
  email: /mail|courriel|corre[oi]|poczta|почт|пошт/,
  phoneOffice: /phone|telefon|telephone/,
  phoneMobile: /mobil|handy|cell/,
  fax: /fax/,
  department: /department|abteilung|departement/,
  firstName: /first ?name|given ?name|vorname|prenom/,
  lastName: /last ?name|surname|family ?name|nachname/,
  displayName: /\bfull\b|full ?name|display ?name/,
  title: /title|position|funktion/,
};

const roles = Object.fromEntries(
  Object.entries(fits).map(([name, fit]) => {
    const attribute = name as AccountAttribute;
    return [attribute, { names: accountNames[attribute], part: parts[attribute], fits: fit }];
  }),
) as Record<AccountAttribute, Role>;

/**
 * Proposes the attributes of accounts. `scores`: attribute → how surely its field was found, 0 to 1; `hasOwnAddresses`: whether almost
 * each record has another e-mail address.
 */
export function accountAttributes(
  columns: readonly Column[],
  corrections: Corrections,
): Attributes & { scores: ReadonlyMap<string, number>; hasOwnAddresses: boolean } {
  const said = allChosenColumns(corrections, columns);
  // Names that are joined, such as for displayName, stay names of their own.
  const isSaid = new Set([...said.values()].flatMap((fields) => (fields.length === 1 ? fields : [])));
  const chosen = chooseAttributes(columns.filter((column) => !isSaid.has(column) && !isOfOther(column)));
  for (const [name, [column]] of said) {
    if (!(name in roles)) continue;
    if (column) chosen.set(name as AccountAttribute, { column, score: 1 });
    else chosen.delete(name as AccountAttribute);
  }
  const map: Attributes['map'] = {};
  for (const name of Object.keys(roles) as AccountAttribute[]) {
    const column = chosen.get(name)?.column;
    if (column) map[name] = textRule(column, { isLowerCase: name === 'email' });
  }
  for (const [name, fields] of said) {
    const rule = chosenTextRule(fields, { separator: ' ', isLowerCase: name === 'email' });
    if (rule) map[name] = rule;
  }
  const content = (['lastName', 'firstName', 'displayName', 'email', 'title', 'department'] as const).flatMap(
    (name) => chosen.get(name)?.column ?? [],
  );
  const names = (['username', 'email'] as const).flatMap((name) => chosen.get(name)?.column ?? []);
  const scores = new Map(
    [...chosen].map(([name, { column, score }]) => [
      name,
      score * (name === 'email' ? own(column, chosen.has('lastName')) : 1),
    ]),
  );
  const email = chosen.get('email')?.column;
  const hasOwnAddresses = email !== undefined && own(email, true) > 1;
  return { map, attachments: {}, suggested: {}, names, content, scores, hasOwnAddresses };
}

/** Names of fields about another person than that of the record. */
const otherPerson =
  /manager|supervis|vorgesetzt|fuhrungskraft|reportsto|superior|chef|responsable|leidinggevend|przelozon|approver|assistant|mentor|emergency|notfall|spouse|guardian|nextofkin/;

function isOfOther({ names }: Column): boolean {
  return otherPerson.test(names.flatMap(wordsOf).join(''));
}

/** Score of addresses in a field that is not named so. */
const UNNAMED_ADDRESS = 0.7;
/** Highest number of words in the name of a person. */
const MOST_NAMES = 6;

/** Chooses a field for each attribute, and corrects the choice if the values of a name belong to another attribute. */
function chooseAttributes(columns: readonly Column[]) {
  const chosen = choose<AccountAttribute>(columns, roles);
  const [firstName, named, title, whole] = (['firstName', 'lastName', 'title', 'displayName'] as const).map((name) =>
    chosen.get(name),
  );
  // Beside the first names, a field that is only called "name" has the last names, unless it repeats the first ones.
  const lastName = named ?? (firstName && whole && !isNamedIn(whole.column, firstName.column) ? whole : undefined);
  if (lastName && lastName === whole) {
    chosen.delete('displayName');
    chosen.set('lastName', lastName);
  }
  // Addresses are unmistakable, whatever the name of the field is.
  const address = chosen.has('email')
    ? undefined
    : columns.find((column) => emailFit(column) === 1 && own(column, true) > 1);
  if (address) chosen.set('email', { column: address, score: UNNAMED_ADDRESS });
  // A field named like the first or the last name may contain both names.
  const only = firstName && lastName ? undefined : (firstName ?? lastName);
  if (only && !chosen.has('displayName') && shareThat(only.column, isWholeName) > 0.5) {
    chosen.delete(only === firstName ? 'firstName' : 'lastName');
    chosen.set('displayName', only);
  }
  if (firstName && lastName && !chosen.has('displayName')) {
    const column = columns.find((one) => isWholeNameOf(one, firstName.column, lastName.column));
    if (column) chosen.set('displayName', { column, score: lastName.score });
  }
  // In content systems, the title of a person's page is the name of the person.
  if (!title || !lastName || !isNamedIn(title.column, lastName.column)) return chosen;
  return choose<AccountAttribute>(
    columns.filter((column) => column !== title.column),
    roles,
  );
}

function isWholeName(text: string): boolean {
  return /\p{L}\s+\p{L}/u.test(text);
}

/** Whether the values of a column are full names: first and last name. */
function isWholeNameOf(column: Column, firstName: Column, lastName: Column): boolean {
  if (column === firstName || column === lastName || personNameFit(column) === 0) return false;
  const isShort = shareThat(column, (text) => text.split(/\s+/).length <= MOST_NAMES) > 0.9;
  return isShort && shareThat(column, isWholeName) > 0.5 && isNamedIn(column, firstName) && isNamedIn(column, lastName);
}

/** Whether most values of a column contain the last name of their record. */
function isNamedIn(column: Column, lastName: Column): boolean {
  const named = column.values.filter((value, index) => {
    const [name] = textsOf(lastName.values[index]);
    return name !== undefined && textsOf(value).some((text) => text.includes(name));
  });
  return named.length > column.filled / 2;
}

/** Returns the weight of an address: 2 if the records are of people and almost each has its own. Events repeat a few. */
function own({ values, texts }: Column, isOfPeople: boolean): number {
  return isOfPeople && countDistinct({ texts }) > values.length * 0.9 ? 2 : 1;
}
