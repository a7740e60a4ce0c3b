import { z } from 'zod';
import type { SandboxSwitches } from './options.ts';
import { checkAgainst, cleared, type ResourceKind } from './resource.ts';
import type { ItemTable } from './store/store.ts';

/** API: "Account", without id, password and links. */
const attributes = [
  'email',
  'username',
  'firstName',
  'middleName',
  'lastName',
  'displayName',
  'company',
  'title',
  'department',
  'website',
  'phoneHome',
  'phoneOffice',
  'phoneMobile',
  'phoneTollFree',
  'phoneOther',
  'pager',
  'fax',
  'gender',
] as const;

const text = z.string().nullish();
const accountSchema = z.looseObject({
  ...Object.fromEntries(attributes.map((key) => [key, text])),
  password: text,
});

/** The password is accepted but not stored, because no user signs in to the sandbox. The other attributes are derived. */
const notKept = new Set(['id', 'links', 'password']);

/** Accounts (API: "Accounts"). */
export function accountKind(table: ItemTable, switches: SandboxSwitches): ResourceKind {
  const blank = cleared(attributes, switches.cleared);

  return {
    path: '/account/accounts',
    table,
    ofEvents: false,
    standard: new Set([...attributes, ...notKept]),
    editable: ['firstName', 'lastName', 'displayName', 'email', 'username', 'title', 'department', 'phoneOffice'],
    required: [],
    unique: switches.uniqueAccounts,
    check(body) {
      checkAgainst(accountSchema, body);
      return Object.fromEntries(Object.entries(body).filter(([key]) => !notKept.has(key)));
    },
    merge: (current, changes) => ({ ...current, ...changes }),
    index: () => ({ firstDay: null, lastDay: null, searchText: '' }),
    present: ({ id, data }) => ({ id, ...blank, ...data }),
    presentWritten: ({ id }) => ({
      links: [
        { rel: 'self', url: `/api/v1/account/accounts/${id}` },
        { rel: 'edit', url: `/admin/accounts/${id}` },
      ],
    }),
  };
}
