import { accountNames } from './account-names.ts';
import { choose, type Role } from './choose.ts';
import { type Column, countDistinct, textsOf } from './columns.ts';
import type { Attributes } from './events.ts';
import { textRule } from './rules.ts';
import { categoryFit, emailFit, personNameFit, phoneFit, textFit, usernameFit, websiteFit } from './values.ts';

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

/** What the names of fields contain whose values are unmistakable. */
const parts: Partial<Record<AccountAttribute, RegExp>> = {
  email: /mail|courriel|correo/,
  phoneOffice: /phone|telefon|telephone/,
  phoneMobile: /mobil|handy|cell/,
  fax: /fax/,
  department: /department|abteilung|departement/,
};

const roles = Object.fromEntries(
  Object.entries(fits).map(([name, fit]) => {
    const attribute = name as AccountAttribute;
    return [attribute, { names: accountNames[attribute], part: parts[attribute], fits: fit }];
  }),
) as Record<AccountAttribute, Role>;

/** Proposes the attributes of accounts. `scores`: how surely each was found, 0 to 1. */
export function accountAttributes(columns: readonly Column[]): Attributes & { scores: ReadonlyMap<string, number> } {
  const chosen = chooseAttributes(columns);
  const map: Attributes['map'] = {};
  for (const name of Object.keys(roles) as AccountAttribute[]) {
    const column = chosen.get(name)?.column;
    if (column) map[name] = textRule(column);
  }
  const content = (['lastName', 'firstName', 'displayName', 'email', 'department'] as const).flatMap(
    (name) => chosen.get(name)?.column ?? [],
  );
  const names = (['username', 'email'] as const).flatMap((name) => chosen.get(name)?.column ?? []);
  const scores = new Map(
    [...chosen].map(([name, { column, score }]) => [name, score * (name === 'email' ? own(column) : 1)]),
  );
  return { map, attachments: {}, suggested: {}, names, content, scores };
}

/** Content systems call the name of a person the title of its page. */
function chooseAttributes(columns: readonly Column[]) {
  const chosen = choose<AccountAttribute>(columns, roles);
  const [title, lastName] = [chosen.get('title')?.column, chosen.get('lastName')?.column];
  if (title === undefined || lastName === undefined) return chosen;
  const withName = title.values.filter((value, index) =>
    textsOf(value).some((text) => text.includes(String(lastName.values[index]))),
  );
  if (withName.length < title.filled / 2) return chosen;
  return choose<AccountAttribute>(
    columns.filter((column) => column !== title),
    roles,
  );
}

/** Counts an address twice if each record has another: those of events are mostly of the same few people. */
function own(column: Column): number {
  return countDistinct(column) > column.values.length * 0.9 ? 2 : 1;
}
