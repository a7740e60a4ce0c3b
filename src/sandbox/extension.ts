import type { FastifyInstance } from 'fastify';
import type { SandboxSwitches } from './options.ts';
import type { ResourceKind } from './resource.ts';
import type { Store } from './store/store.ts';
import type { SandboxUploads } from './store/upload-store.ts';

/** Parts of a sandbox, for what extends it. */
export interface SandboxParts {
  store: Store;
  uploads: SandboxUploads;
  events: ResourceKind;
  accounts: ResourceKind;
  switches: SandboxSwitches;
  token: string;
}

/** What extends a sandbox, such as the faults of a test. */
export interface SandboxExtension {
  /** Adds hooks to the API, before its own. */
  api(api: FastifyInstance): void;
  /** Adds routes beside the API. */
  site(site: FastifyInstance): Promise<void>;
}
