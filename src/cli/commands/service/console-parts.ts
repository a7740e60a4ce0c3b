import type { Logger } from 'pino';
import { createFeedDrafts } from '../../../app/drafts/feed-drafts.ts';
import type { Environment } from '../../../app/environment.ts';
import type { Service } from '../../../app/service/service.ts';
import { version } from '../../../app/version.ts';
import { feedRoutes } from '../../../console/feeds/feed-routes.ts';
import { errorPage, logInPage, ownerPage } from '../../../console/pages/outside.ts';
import { pageRoutes } from '../../../console/pages/routes.ts';
import type { ConsoleParts } from '../../../console/server.ts';
import { viewedQueries } from '../../../console/viewed-queries.ts';
import { createQueries } from '../../../queries/create-queries.ts';
import { maskedQueries } from '../../../queries/mask-view.ts';
import { withSealedCursors } from '../../../queries/sealed-cursors.ts';

/**
 * Wires the queries and actions of the console to the config in force.
 * @param readAgain puts edits of the config folder in force
 */
export function openConsole(
  service: Service,
  environment: Environment,
  log: Logger,
  readAgain: () => Promise<void>,
): ConsoleParts {
  const queries = withSealedCursors(
    createQueries(() => service.app, { environment, log }),
    environment,
  );
  const act = () => service.act;
  const timezone = () => service.app.config.target.timezone;
  const { edit } = environment.http;
  const drafts = edit === 'off' ? undefined : createFeedDrafts(() => service.app, environment, readAgain);
  return {
    version: version(),
    cmsUrl: () => service.app.config.target.baseUrl,
    ...viewedQueries(queries, maskedQueries),
    act,
    pages: {
      routes: (server) => {
        pageRoutes(server, { act, timezone, visits: () => service.app.ledger.visits });
        if (drafts) feedRoutes(server, { drafts, timezone });
      },
      logIn: logInPage,
      error: (problem, viewer) => errorPage({ ...problem, viewer }),
      owner: async (sync, link) => ownerPage(await queries.ownerPage(sync, link)),
    },
  };
}
