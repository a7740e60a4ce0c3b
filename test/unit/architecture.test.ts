import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

interface Room {
  /** Rooms whose faces it may import. */
  imports: string[];
  /** Files that other rooms may import; absent: all of them. */
  face?: string[];
  /** Other files may be imported as types. */
  typesAreOpen?: boolean;
}

const rooms: Record<string, Room> = {
  'src/core': { imports: [] },
  'src/config': {
    imports: ['src/core'],
    face: [
      'load.ts',
      'check/target-secrets.ts',
      'files/interpolate.ts',
      'select.ts',
      'orphan-sync.ts',
      'mapping-tests.ts',
      'json-schema.ts',
      'people-file.ts',
      'files/problems.ts',
      'files/signature.ts',
      'schema/sync-schema.ts',
      'types.ts',
    ],
  },
  'src/feed': {
    imports: ['src/core'],
    face: ['open.ts', 'read-beginning.ts', 'attachments.ts', 'location/refusal.ts'],
  },
  'src/mapping': {
    imports: ['src/core'],
    face: [
      'compile.ts',
      'field-usage.ts',
      'html/count-html.ts',
      'judge-rules.ts',
      'key.ts',
      'path.ts',
      'template.ts',
      'time.ts',
      'window.ts',
      'words.ts',
    ],
  },
  'src/ledger': {
    imports: ['src/core'],
    face: [
      'ledger.ts',
      'backup/backup.ts',
      'database/inspect.ts',
      'database/record-error.ts',
      'records/claimed-record.ts',
      'records/open-attempts.ts',
    ],
    typesAreOpen: true,
  },
  'src/queue': { imports: ['src/core'], face: ['bullmq.ts', 'local.ts', 'redis-state.ts'] },
  'src/cms': {
    imports: ['src/core'],
    face: ['client.ts', 'errors.ts', 'items.ts', 'pages.ts', 'attribute-filter.ts'],
  },
  'src/sandbox': { imports: ['src/core'], face: ['server.ts', 'options.ts'] },
  connectors: { imports: ['src/core'], face: ['index.ts', 'csv/detect-table.ts', 'json/path.ts'] },
  'src/inference': {
    imports: ['src/core', 'src/mapping'],
    face: [
      'propose/editors.ts',
      'propose/propose.ts',
      'proposal.ts',
      'sample.ts',
      'sync-file.ts',
      'tests-file.ts',
      'recipes/apply-recipe.ts',
      'recipes/recipe.ts',
      'correct/correct.ts',
      'correct/corrections.ts',
      'review/judgement.ts',
      'review/lines.ts',
      'review/review.ts',
      'written/correct-written.ts',
      'written/edit-yaml.ts',
      'written/written-sync.ts',
    ],
    typesAreOpen: true,
  },
  'src/limits': { imports: ['src/core', 'src/ledger'], face: ['request-gate.ts', 'look-at-target.ts'] },
  'src/source': {
    imports: ['src/core', 'src/feed', 'src/mapping', 'src/inference', 'connectors'],
    face: [
      'read-source.ts',
      'read-sources.ts',
      'compile-sync-mapping.ts',
      'connector-of.ts',
      'check-local-feed.ts',
      'lookup-sheets.ts',
      'find/find-feeds.ts',
      'sample/hide-secrets.ts',
      'sample/sample-feed.ts',
      'sample/written-feed.ts',
      'tried-pictures.ts',
    ],
  },
  'src/alerts': {
    imports: ['src/core', 'src/mapping', 'src/ledger', 'src/source'],
    face: [
      'alerts.ts',
      'causes.ts',
      'digests/compose.ts',
      'digests/csv-line.ts',
      'digests/facts.ts',
      'digests/link.ts',
      'digests/owners.ts',
      'digests/render.ts',
      'hearers.ts',
    ],
    typesAreOpen: true,
  },
  'src/sync': {
    imports: ['src/core', 'src/mapping', 'src/cms', 'src/ledger'],
    face: [
      'runs/lead-run.ts',
      'runs/sync-run.ts',
      'runs/plan-run.ts',
      'runs/approve-run.ts',
      'runs/retry-run.ts',
      'runs/adopt-run.ts',
      'runs/purge-run.ts',
      'runs/release-run.ts',
      'runs/cancel-run.ts',
      'runs/pause-sync.ts',
      'questions/questions.ts',
      'items/former-syncs.ts',
      'compare/decide.ts',
      'compare/differences.ts',
      'undo/undo-run.ts',
      'undo/preview-undo.ts',
      'explain/explain-cluster.ts',
      'explain/explain-record.ts',
      'explain/find-records.ts',
      'items/cms-items.ts',
      'measure/change-limits.ts',
      'measure/judge-changes.ts',
      'plan/duplicate-keys.ts',
      'plan/judge-reading.ts',
      'plan/preview-records.ts',
      'spans/fold-days.ts',
      'spans/fold-reading.ts',
      'spans/span-record.ts',
      'plan/redact.ts',
      'verify/verify-syncs.ts',
      'verify/verification.ts',
      'verify/heal-run.ts',
      'evidence/cms-habits.ts',
      'deliver/deliver-batch.ts',
      'context/delivery-context.ts',
      'context/run-context.ts',
      'search/cms-search.ts',
      'passwords/password-cipher.ts',
      'items/values.ts',
    ],
    typesAreOpen: true,
  },
  'src/app': {
    imports: [
      ...['src/core', 'src/config', 'src/feed', 'src/mapping', 'src/source', 'src/ledger', 'src/limits', 'src/queue'],
      ...['src/cms', 'src/sync', 'src/alerts', 'src/inference', 'connectors'],
    ],
    face: [
      'drafts/check-typed.ts',
      'drafts/draft.ts',
      'drafts/draft-target.ts',
      'drafts/feed-drafts.ts',
      'drafts/new-draft.ts',
      'drafts/open-source.ts',
      'drafts/changed-lines.ts',
      'drafts/recipes.ts',
      'drafts/shown-text.ts',
      'uploads.ts',
      'drafts/written-draft.ts',
      'app.ts',
      'target-id.ts',
      'env-file.ts',
      'environment.ts',
      'load-config.ts',
      'log.ts',
      'machine-user.ts',
      'mapping-tests.ts',
      'people.ts',
      'queue.ts',
      'version.ts',
      'actions/action.ts',
      'actions/actions.ts',
      'service/config-watch.ts',
      'actions/due.ts',
      'actions/join-run.ts',
      'service/service.ts',
    ],
    typesAreOpen: true,
  },
  'src/doctor': {
    imports: [
      ...['src/core', 'src/config', 'src/feed', 'src/source', 'src/ledger', 'src/limits', 'src/queue', 'src/cms'],
      ...['src/sync', 'src/app'],
    ],
    face: ['examine.ts', 'findings/finding.ts'],
  },
  'src/queries': {
    imports: [
      ...['src/core', 'src/config', 'src/source', 'src/ledger', 'src/limits', 'src/sync', 'src/alerts', 'src/app'],
      'src/doctor',
    ],
    face: [
      'create-queries.ts',
      'mask-view.ts',
      'sealed-cursors.ts',
      'records/record.ts',
      'runs/run.ts',
      'syncs/questions.ts',
      'views/overview.ts',
      'views/question.ts',
      'views/record.ts',
      'views/run.ts',
      'views/shared.ts',
      'views/sync.ts',
      'views/verification.ts',
    ],
    typesAreOpen: true,
  },
  'src/documents': { imports: ['src/core', 'src/app', 'src/queries'] },
  'src/console': {
    imports: ['src/core', 'src/alerts', 'src/app', 'src/queries', 'src/documents', 'src/inference'],
    face: [
      'server.ts',
      'feeds/feed-routes.ts',
      'assets.ts',
      'metrics.ts',
      'shared-metrics.ts',
      'viewed-queries.ts',
      'pages/outside.ts',
      'pages/routes.ts',
      'pages/run.ts',
    ],
    typesAreOpen: true,
  },
  'src/cli': {
    imports: [
      ...['src/core', 'src/config', 'src/source', 'src/ledger', 'src/sync', 'src/sandbox', 'src/console'],
      ...['src/app', 'src/queries', 'src/documents', 'src/doctor', 'src/inference'],
    ],
    face: [],
  },
};

/**
 * The types of a config, derived from its schemas. Every room except the core may import them as types: they are erased
 * before the code runs, and a second set in the core would have to repeat each schema.
 */
const CONFIG_TYPES = 'src/config/types.ts';

/** More files than this in one folder are hard to survey. */
const MOST_FILES = 20;

const root = resolve(import.meta.dirname, '../..');
const sources = [...sourceFiles('src'), ...sourceFiles('connectors')];
const imports = sources.flatMap(importsOf);

describe('Rooms', () => {
  test('Every source file is in a room', () => {
    expect(sources.filter((file) => !(roomOf(file) in rooms))).toEqual([]);
    expect(Object.keys(rooms).filter((room) => !sources.some((file) => roomOf(file) === room))).toEqual([]);
  });

  test.each(Object.keys(rooms))('The room %s imports only the rooms below it', (room) => {
    const forbidden = imports.filter(({ from, to, isType }) => {
      if (roomOf(from) !== room || roomOf(to) === room) return false;
      if (isType && to === CONFIG_TYPES && room !== 'src/core') return false;
      return !rooms[room]?.imports.includes(roomOf(to));
    });
    expect(forbidden.map(described)).toEqual([]);
  });

  test.each(Object.keys(rooms))('The room %s is imported only through its face', (room) => {
    const { face, typesAreOpen = false } = rooms[room] as Room;
    if (!face) return;
    const past = imports.filter(({ from, to, isType }) => {
      const isOutside = roomOf(to) === room && roomOf(from) !== room;
      return isOutside && !face.includes(relative(room, to)) && !(typesAreOpen && isType);
    });
    expect(past.map(described)).toEqual([]);
    expect(face.filter((file) => !sources.includes(join(room, file)))).toEqual([]);
  });
});

describe('A folder', () => {
  test(`holds at most ${MOST_FILES} source files`, () => {
    const counts = new Map<string, number>();
    for (const file of sources) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
    const crowded = [...counts].filter(([, count]) => count > MOST_FILES);
    expect(crowded).toEqual([]);
  });

  // Circles of files are found by the linter (noImportCycles).
  test('is in no circle of folders that import each other', () => {
    const graph = new Map<string, Set<string>>();
    for (const { from, to, isDynamic } of imports) {
      // The command line loads each command only when it is asked for.
      if (dirname(from) === dirname(to) || isDynamic) continue;
      graph.set(dirname(from), (graph.get(dirname(from)) ?? new Set()).add(dirname(to)));
    }
    const inCircle = [...graph.keys()].filter((folder) => reachable(folder, graph).has(folder));
    expect(inCircle).toEqual([]);
  });
});

test('Only the BullMQ queue imports BullMQ', () => {
  const importing = sources.filter((file) => /from 'bullmq'/.test(readFileSync(join(root, file), 'utf8')));
  expect(importing).toEqual(['src/queue/bullmq-state.ts', 'src/queue/bullmq.ts']);
});

test('Only the moves of transitions.ts and the migrations write records', () => {
  const write =
    /\b(update|insert into|delete from) "?records\b|\b(updateTable|insertInto|deleteFrom)\(\s*['"]records['"]/i;
  const writing = sources.filter((file) => write.test(readFileSync(join(root, file), 'utf8')));
  const others = writing.filter((file) => !file.startsWith('src/ledger/database/migrations/'));
  expect(others).toEqual(['src/ledger/records/transitions.ts']);
});

test('Only the comparison with the CMS and an undo say that creates are new, and only with a verdict is a plan applied', () => {
  const using = (pattern: RegExp) => sources.filter((file) => pattern.test(readFileSync(join(root, file), 'utf8')));
  expect(using(/\bjudged\b.* from '.*\/verdict\.ts'/)).toEqual([
    'src/sync/runs/consult-cms.ts',
    'src/sync/undo/undo-run.ts',
  ]);
  expect(using(/\.plans\.apply\(/)).toEqual(['src/sync/runs/apply-plan.ts']);
});

test('The statements of the ledger are SQL, not built', () => {
  const built = /\.(selectFrom|selectNoFrom|insertInto|replaceInto|updateTable|deleteFrom|mergeInto)\(/;
  expect(sources.filter((file) => built.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
});

// Pages, terminal, mail and metrics disagreed while each judged these for itself.
test.each([
  ['The title of a record is made', /\brecordTitle\(/],
  ['Rejections are read', /\b(rejectionsOf|firstRejections|countRejections|countNewRejections|runs\.rejections)\(/],
  ['It is judged which run was a success', /\b(succeeded|countsAsSuccess|lastSuccessAgo|successAgoMs)\b/],
])('%s in at most 10 files of the faces', (_, use) => {
  const faces = sources.filter((file) => /^src\/(queries|console|cli|alerts|app)\//.test(file));
  const using = faces.filter((file) => use.test(readFileSync(join(root, file), 'utf8')));
  expect(using.slice(10)).toEqual([]);
  expect(using).not.toEqual([]);
});

test('The page docs/development/flow.md shows the map of the rooms', () => {
  const page = readFileSync(join(root, 'docs/development/flow.md'), 'utf8');
  const names = (paths: string[]) => paths.map((path) => `\`${path}\``).join(', ');
  const rows = Object.entries(rooms).map(([room, { imports: below }]) => [
    `\`${room}\``,
    names(below.map(shortName)) || 'nothing',
  ]);
  const map = page.slice(page.indexOf('## The map of the rooms'), page.indexOf('## Inside the rooms'));
  const shown = map.split('\n').filter((line) => /^\| `[^|]*\|[^|]*\|$/.test(line));
  expect(shown).toEqual(rows.map((cells) => `| ${cells.join(' | ')} |`));
});

interface Import {
  from: string;
  to: string;
  isType: boolean;
  isDynamic: boolean;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
    .toSorted();
}

function importsOf(file: string): Import[] {
  const text = readFileSync(join(root, file), 'utf8');
  const found = text.matchAll(/^(?:import|export) ([^;]*?)from '(\.[^']*)'|import\(\s*'(\.[^']*)'/gms);
  return [...found]
    .map(([, names = '', specifier, dynamic]) => ({
      from: file,
      to: relative(root, resolve(root, dirname(file), specifier ?? dynamic ?? '')),
      isType: names.startsWith('type ') || isAllTypes(names),
      isDynamic: dynamic !== undefined,
    }))
    .filter(({ to }) => !to.startsWith('node_modules/'));
}

function isAllTypes(names: string): boolean {
  const each = /^\{(.*)\}/s
    .exec(names)?.[1]
    ?.split(',')
    .map((name) => name.trim());
  return each?.every((name) => name === '' || name.startsWith('type ')) ?? false;
}

function reachable(start: string, graph: Map<string, Set<string>>): Set<string> {
  const seen = new Set<string>();
  const open = [...(graph.get(start) ?? [])];
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (seen.has(folder)) continue;
    seen.add(folder);
    open.push(...(graph.get(folder) ?? []));
  }
  return seen;
}

function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/');
  return first === 'src' ? `src/${second}` : first;
}

function described({ from, to }: Import): string {
  return `${from} → ${to}`;
}

function shortName(room: string): string {
  return room.replace('src/', '');
}
