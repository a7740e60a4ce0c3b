import { z } from 'zod';
import type { GivenKey } from '../../app/drafts/feed-key.ts';
import type { FeedVariable } from '../../app/feed-variables.ts';
import { type Html, html } from '../../core/html/html.ts';
import { selectField, textField } from '../parts/form.ts';

/** The part of a form that names the key of a feed. Without a variable, there is none. */
export const keyFields = z
  .object({
    place: z.enum(['header', 'bearer', 'basic', 'query']).default('header'),
    name: z.string().trim().max(300).default(''),
    variable: z.string().max(1000).default(''),
  })
  .transform((key): GivenKey | undefined => (key.variable === '' ? undefined : key));

const places: ReadonlyArray<readonly [GivenKey['place'], string]> = [
  ['header', 'as a header'],
  ['bearer', 'as a bearer token'],
  ['basic', 'as the password of a user'],
  ['query', 'as a parameter of the address'],
];

/** The fields for the key of a feed: the variable that has it, and how the server receives it. Values are never shown. */
export function keyInputs(variables: readonly FeedVariable[], given: GivenKey | undefined): Html | false {
  if (variables.length === 0) return false;
  const names = variables.map(({ entry, name }) => [entry, entry.replace(`${name}@`, `${name}, for `)] as const);
  return html`<details class="change"${given && html` open`}><summary>The feed needs a key or a password</summary>
${selectField({ name: 'variable', label: 'Variable with the key', value: given?.variable ?? '', options: [['', 'none'], ...names] })}
${selectField({ name: 'place', label: 'Sent', value: given?.place ?? 'header', options: places })}
${textField({
  name: 'name',
  label: 'Name of the header, the user or the parameter',
  value: given?.name ?? '',
  hint: 'Such as X-Api-Key. A bearer token needs none.',
  autocomplete: 'off',
})}</details>`;
}
