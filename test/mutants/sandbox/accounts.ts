import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the attributes of accounts. */
export const accountMutants: Mutant[] = [
  ...inFile('src/sandbox/accounts.ts', [
    {
      name: 'password-returned',
      rule: 'password is never returned',
      before: "new Set(['id', 'links', 'password'])",
      after: "new Set(['id', 'links'])",
    },
    {
      name: 'password-refused',
      rule: 'password is accepted on create',
      before: '      checkAgainst(accountSchema, body);',
      after: '      checkAgainst(accountSchema.omit({ password: true }).strict(), body);',
    },
    {
      name: 'middle-name-lost',
      rule: 'middleName: string',
      before: "new Set(['id', 'links', 'password'])",
      after: "new Set(['id', 'links', 'password', 'middleName'])",
    },
    {
      name: 'attribute-unknown',
      rule: 'phoneTollFree: string',
      before: "  'phoneTollFree',\n",
      after: '',
    },
    {
      name: 'account-attribute-of-any-type',
      rule: 'All fields are strings except id',
      before: 'z.string().nullish()',
      after: 'z.unknown()',
    },
    {
      name: 'username-required',
      rule: 'No account attribute is required on create',
      before: 'required: [],',
      after: "required: ['username'],",
    },
    {
      name: 'patch-of-accounts-clears',
      rule: 'PATCH changes only submitted attributes',
      before: '({ ...current, ...changes })',
      after: '({ ...changes })',
    },
    {
      name: 'links-in-another-shape',
      rule: 'links: array of objects {rel, url}',
      before: "{ rel: 'self', url:",
      after: "{ rel: 'self', href:",
    },
    {
      name: 'edit-link-of-another-account',
      rule: 'links: array of objects {rel, url}',
      before: 'url: `/admin/accounts/${id}`',
      after: 'url: `/admin/accounts/${id + 1}`',
    },
    {
      name: 'account-id-missing',
      rule: 'POST: 201, created account including id',
      before: '({ id, ...blank, ...data })',
      after: '({ ...blank, ...data, number: id })',
    },
  ]),
  ...inFile('src/sandbox/resource-routes.ts', [
    {
      name: 'links-missing-after-patch',
      rule: 'links: returned by create, PUT and PATCH',
      before: 'return presentWritten(writeItem(kind, merged, instanceOf(request), id));',
      after: 'writeItem(kind, merged, instanceOf(request), id);\n    return present(existing(request));',
    },
    {
      name: 'links-missing-after-put',
      rule: 'links: returned by create, PUT and PATCH',
      before: 'return presentWritten(writeItem(kind, data, instanceOf(request), id));',
      after: 'writeItem(kind, data, instanceOf(request), id);\n    return present(existing(request));',
    },
    {
      name: 'links-missing-after-create',
      rule: 'links: returned by create, PUT and PATCH',
      before: 'reply.code(201);\n    return presentWritten(item);',
      after: 'reply.code(201);\n    return present(item);',
    },
  ]),
];
