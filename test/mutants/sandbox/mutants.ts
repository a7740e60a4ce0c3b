import type { Mutant } from '../mutant.ts';
import { accountMutants } from './accounts.ts';
import { clientMutants } from './client.ts';
import { eventMutants } from './events.ts';
import { listMutants } from './lists.ts';
import { operationMutants } from './operations.ts';
import { requestMutants } from './requests.ts';
import { uploadMutants } from './uploads.ts';

/** Bugs of the sandbox, and of the client, each of which breaks a rule of the CMS API. */
export const sandboxMutants: Mutant[] = [
  ...requestMutants,
  ...listMutants,
  ...operationMutants,
  ...eventMutants,
  ...accountMutants,
  ...uploadMutants,
  ...clientMutants,
];
