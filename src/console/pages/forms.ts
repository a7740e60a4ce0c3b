import { z } from 'zod';
import type { Actions, Actor } from '../../app/service/actions.ts';
import { CodedError } from '../../core/errors.ts';
import type { Queries } from '../../queries/queries.ts';
import type { ViewerRole } from '../access/viewer.ts';
import { runPath } from '../parts/addresses.ts';
import { nothing, optionalText, runParams, syncParams } from './page.ts';

type Parts = z.ZodObject;

/** What a form does. */
export interface ConsoleForm<Params extends Parts = Parts, Body extends Parts = Parts> {
  path: string;
  role: ViewerRole;
  params: Params;
  body: Body;
  /** Returns the address of the page that shows what came of it. */
  act(
    input: z.output<Params> & z.output<Body>,
    sources: { actions: Actions; queries: Queries; actor: Actor },
  ): Promise<string> | string;
}

const key = z.string().min(1);
const decision = z.object({
  set: z.string().min(1),
  reason: z.string().trim().min(1, 'Enter a reason.').max(1000, 'Enter a shorter reason.'),
});

/** All forms. What they begin is shown on the page of its run. */
export const forms: readonly ConsoleForm[] = [
  form({
    path: '/syncs/:sync/run',
    role: 'operate',
    params: syncParams,
    body: nothing,
    act: async ({ sync }, { actions, actor }) => runPath((await actions.begin(sync, actor)).run),
  }),
  form({
    path: '/syncs/:sync/retry',
    role: 'operate',
    params: syncParams,
    body: nothing,
    act: async ({ sync }, { actions, actor }) => runPath((await actions.retry(sync, undefined, actor)).run),
  }),
  form({
    path: '/syncs/:sync/record/retry',
    role: 'operate',
    params: syncParams,
    body: z.object({ key }),
    act: async ({ sync, key }, { actions, actor }) => runPath((await actions.retry(sync, [key], actor)).run),
  }),
  form({
    path: '/syncs/:sync/record/adopt',
    role: 'approve',
    params: syncParams,
    body: z.object({ key, cmsId: z.coerce.number('Enter the number of an item.').int().positive() }),
    act: async ({ sync, key, cmsId }, { actions, actor }) =>
      runPath((await actions.adopt(sync, key, cmsId, actor)).run),
  }),
  form({
    path: '/syncs/:sync/purge',
    role: 'approve',
    params: syncParams,
    body: z.object({ confirm: z.string() }),
    async act({ sync, confirm }, { actions, actor }) {
      if (confirm.trim() !== sync) {
        throw new CodedError(
          'FF_HTTP_REQUEST',
          `The name does not match: nothing was deleted. Enter ${sync} to confirm.`,
        );
      }
      return runPath((await actions.purge(sync, actor)).run);
    },
  }),
  form({
    path: '/runs/:run/undo',
    role: 'approve',
    params: runParams,
    body: z.object({ reason: optionalText }),
    act: async ({ run, reason }, { actions, actor }) => runPath((await actions.undo(run, reason, actor)).run),
  }),
  form({
    path: '/runs/:run/approve',
    role: 'approve',
    params: runParams,
    body: decision,
    act: async ({ run, ...approval }, { actions, actor }) => runPath((await actions.approve(run, approval, actor)).run),
  }),
  form({
    path: '/runs/:run/reject',
    role: 'approve',
    params: runParams,
    body: decision,
    async act({ run, ...rejection }, { actions, actor }) {
      await actions.reject(run, rejection, actor);
      return runPath(run);
    },
  }),
  form({
    path: '/doctor',
    role: 'operate',
    params: nothing,
    body: nothing,
    act(_input, { queries }) {
      queries.examine();
      return '/doctor';
    },
  }),
];

function form<Params extends Parts, Body extends Parts>(definition: ConsoleForm<Params, Body>): ConsoleForm {
  return definition as unknown as ConsoleForm;
}
