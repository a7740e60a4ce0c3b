import { pino } from 'pino';
import { type App, openApp } from '../../../../src/app/app.ts';
import { loadAppConfig } from '../../../../src/app/load-config.ts';
import type { RunContext } from '../../../../src/sync/context/run-context.ts';
import { openSite, type Site, type SiteOptions, simplest } from '../../site.ts';

/** A site whose app stays open until its config changes or its ledger is lost: to open it takes longer than a run. */
export interface OpenSite extends AsyncDisposable {
  site: Site;
  withContext<T>(action: (context: RunContext) => Promise<T>): Promise<T>;
  /** The next action opens the app again. */
  close(): Promise<void>;
}

export async function openOnce(options?: SiteOptions): Promise<OpenSite> {
  const site = await openSite(simplest, options);
  let app: App | undefined;
  const close = async () => {
    await app?.close();
    app = undefined;
  };
  return {
    site,
    close,
    async withContext(action) {
      const environment = site.environment();
      app ??= await openApp(loadAppConfig(environment), environment, pino({ level: 'silent' }));
      const [sync] = app.config.syncs;
      if (!sync) throw new Error('the site has no sync');
      return action(app.contextOf(sync, { signal: new AbortController().signal }));
    },
    async [Symbol.asyncDispose]() {
      await close();
      await site[Symbol.asyncDispose]();
    },
  };
}
