import { type Chance, createChance } from '../world/chance.ts';
import type { HabitName } from '../world/habits.ts';
import type { FeatureName } from './features.ts';
import { type Happening, TROUBLE_MS } from './happenings.ts';
import type { Settings } from './settings.ts';

/** Draws what a feature of the world lets happen. `syncs`: when the ordinary ones begin. */
type FeatureDraw = (chance: Chance, run: DrawnRun) => Happening[];

interface DrawnRun {
  settings: Settings;
  syncs: readonly number[];
  name: FeatureName;
}

const ORDINARY_MS = 20_000;

/** Shortly before one of the syncs, or while it runs. */
function near(chance: Chance, syncs: readonly number[]): number {
  const at = chance.pick(syncs) + chance.between(-3_000, 1_000);
  return Math.min(TROUBLE_MS - 1, Math.max(0, at));
}

/** A habit of the CMS that begins near a sync. A change of some records precedes it, so that it matters. */
function habit(is: HabitName): FeatureDraw {
  return (chance, { syncs }) => {
    const at = near(chance, syncs);
    const of = chance.pick([1, 2, 3]);
    return [
      { at, what: 'habit', is, of, forMs: chance.between(2_000, 2 * ORDINARY_MS) },
      changes(chance, at),
      // What was believed of it shows in the next run.
      ...later(chance, at),
    ];
  };
}

const refusedWrites: FeatureDraw = (chance, { syncs }) => {
  const at = near(chance, syncs);
  const methods = chance.pick([['POST'], ['PATCH'], ['DELETE'], ['POST', 'PATCH'], ['POST', 'PATCH', 'DELETE']]);
  const status = chance.pick([400, 403, 409, 422, 422]);
  const forMs = chance.between(1_000, 2 * ORDINARY_MS);
  return [
    { at, what: 'habit', is: 'refuses', of: chance.pick([1, 2, 3]), methods, status, forMs },
    changes(chance, at),
    ...later(chance, at),
  ];
};

const refusedReads: FeatureDraw = (chance, { syncs }) => [
  {
    at: near(chance, syncs),
    what: 'habit',
    is: 'refuses',
    of: 1,
    methods: ['GET'],
    status: chance.pick([400, 403]),
    forMs: chance.between(500, ORDINARY_MS),
  },
];

const farEdits: FeatureDraw = (chance, { syncs }) =>
  Array.from({ length: chance.between(1, 3) }, () => ({
    at: near(chance, syncs),
    what: 'editor',
    does: chance.pick(['rename', 'move', 'clear'] as const),
    item: chance.below(1000),
  }));

const copies: FeatureDraw = (chance, { syncs }) => [
  { at: near(chance, syncs), what: 'editor', does: 'copy', item: chance.below(1000) },
];

/** Away for a run, back for one, and away again. */
const comingAndGoing: FeatureDraw = (chance, { settings }) => {
  const record = chance.below(1000);
  const by = chance.below(settings.processes);
  const everyMs = chance.between(3_000, 12_000);
  const first = chance.between(0, TROUBLE_MS - 4 * everyMs);
  return [0, 1, 2].flatMap((nth) => [
    { at: first + nth * everyMs, what: 'come and go' as const, record },
    { at: first + nth * everyMs + 1, what: 'sync' as const, by },
  ]);
};

/** A key passes on to another record, or is shared with one; some of them change at the same time. */
function withKeys(what: 'pass on' | 'share a key'): FeatureDraw {
  return (chance, { syncs }) =>
    Array.from({ length: chance.between(1, 2) }, () => near(chance, syncs)).flatMap((at) => [
      { at, what, record: chance.below(1000) },
      ...(chance.chance(0.5) ? [changes(chance, at)] : []),
      ...later(chance, at),
    ]);
}

/** A record leaves the source for so long that its item may be deleted, and returns while the CMS hides what it has. */
const returning: FeatureDraw = (chance, { settings }) => {
  const record = chance.below(1000);
  const by = chance.below(settings.processes);
  const everyMs = chance.between(3_000, 8_000);
  const first = chance.between(0, TROUBLE_MS - 6 * everyMs);
  const at = (nth: number) => first + nth * everyMs;
  return [
    { at: at(0), what: 'come and go', record },
    { at: at(3), what: 'habit', is: chance.pick(['hidesAll', 'hidesItems'] as const), of: 1, forMs: everyMs },
    { at: at(3), what: 'come and go', record },
    ...[0, 1, 2, 3, 4].map((nth) => ({ at: at(nth) + 1, what: 'sync' as const, by })),
  ];
};

/** The source takes back what the CMS has applied without saying so. Edits of these positions take the last one back. */
const updatesTakenBack: FeatureDraw = (chance, { settings }) => {
  const by = chance.below(settings.processes);
  const at = chance.between(0, TROUBLE_MS / 2);
  const forMs = chance.between(1_000, ORDINARY_MS);
  const changed = [0, 5];
  const edit = { what: 'edit' as const, changed, added: 0, removed: [], returned: [], swapped: false };
  return [
    { at, what: 'habit', is: chance.pick(['losesUpdates', 'refusesRepeats'] as const), of: 1, forMs },
    { at, ...edit },
    { at: at + 1, what: 'sync', by },
    { at: at + forMs, ...edit },
    { at: at + forMs + 1, what: 'sync', by },
  ];
};

/** An update is applied without an answer; then the source changes again, and the CMS answers without applying that. */
const updatesWithoutEffect: FeatureDraw = (chance, { settings }) => {
  const by = chance.below(settings.processes);
  const at = chance.between(0, TROUBLE_MS / 2);
  const forMs = chance.between(1_000, ORDINARY_MS);
  const edit = { what: 'edit' as const, changed: [1, 6], added: 0, removed: [], returned: [], swapped: false };
  return [
    { at, what: 'habit', is: 'losesUpdates', of: 1, forMs },
    { at, ...edit },
    { at: at + 1, what: 'sync', by },
    { at: at + forMs, what: 'habit', is: chance.pick(['keepsOld', 'takesTextOnCreate'] as const), of: 1, forMs },
    { at: at + forMs, ...edit },
    { at: at + forMs + 1, what: 'sync', by },
  ];
};

/** Records leave the source while deletes have no effect; some are undone. */
const deletesWithoutEffect: FeatureDraw = (chance, { syncs, settings }) => {
  const at = near(chance, syncs);
  const by = chance.below(settings.processes);
  const removed = [chance.below(1000), chance.below(1000)];
  const status = chance.pick([204, 404]);
  const edit = { what: 'edit' as const, changed: [], added: 1, removed, returned: [], swapped: false };
  const undo: Happening[] = chance.chance(0.3) ? [{ at: at + 4_000, what: 'undo', by }] : [];
  return [
    { at, what: 'habit', is: 'keepsDeleted', of: chance.pick([1, 2, 3]), status, forMs: chance.between(5_000, 30_000) },
    { at, ...edit },
    { at: at + 1, what: 'sync', by },
    ...undo,
    ...later(chance, at),
  ].filter((each) => each.at < TROUBLE_MS) as Happening[];
};

/** Editors have noted something on items whose records then change; at times, no answer arrives, or the process is killed before it does. */
const lostNote: FeatureDraw = (chance, run) => {
  const notes = Array.from({ length: 3 }, () => chance.below(1000));
  const lost = habit('dropsNote')(chance, run);
  const at = Math.max(0, (lost[0]?.at ?? 0) - 1);
  const by = chance.below(run.settings.processes);
  const unseen: Happening = chance.pick([
    { at, what: 'weather', weather: { wayMs: 5, lostAfter: 0.6 }, forMs: 5_000 },
    { at: at + 1, what: 'kill', by, steps: chance.between(20, 150), when: 'before', restartAfterMs: 5_000 },
  ]);
  return [
    ...notes.map((item) => ({ at, what: 'editor' as const, does: 'note' as const, item })),
    ...lost,
    { at: at + 1, what: 'sync', by },
    unseen,
  ];
};

/** Some time after editors have added an item, the CMS answers creates with it. */
const wrongAnswers: FeatureDraw = (chance, run) => {
  const wrong = habit('answersWithOthers')(chance, run);
  return [{ at: Math.max(0, (wrong[0]?.at ?? 0) - 5_000), what: 'editor', does: 'add', item: 0 }, ...wrong];
};

/** Editors copy an item with its external id and rewrite the copy; the item itself cannot be seen for a while. */
const hiddenCopies: FeatureDraw = (chance, { syncs }) => {
  const at = near(chance, syncs);
  return [
    { at, what: 'editor', does: 'copy', item: chance.below(1000) },
    { at, what: 'habit', is: 'hidesItems', of: 1, forMs: chance.between(2_000, ORDINARY_MS) },
    changes(chance, at),
    ...later(chance, at),
  ];
};

/** The source removes a record whose create has no answer yet. */
const createsTakenBack: FeatureDraw = (chance, { settings }) => {
  const by = chance.below(settings.processes);
  const at = chance.between(0, TROUBLE_MS / 2);
  const forMs = chance.between(1_000, ORDINARY_MS);
  return [
    { at, what: 'habit', is: 'losesCreates', of: 1, forMs },
    { at, what: 'edit', changed: [], added: 1, removed: [], returned: [], swapped: false },
    { at: at + 1, what: 'sync', by },
    { at: at + chance.between(500, forMs), what: 'come and go', record: 'last' },
    { at: at + forMs + 1, what: 'sync', by },
  ];
};

const configChanges: FeatureDraw = (chance, { settings, syncs }) => {
  const all = ['mapsPlace', 'onDeletedInCms', 'window'] as const;
  const possible = settings.resource === 'events' ? all : all.slice(0, 2);
  return Array.from({ length: chance.between(1, 2) }, () => {
    return {
      at: near(chance, syncs),
      what: 'config',
      change: chance.pick(possible),
      forMs: chance.between(500, ORDINARY_MS),
    };
  });
};

const mistakenResource: FeatureDraw = (chance, { syncs }) => [
  { at: near(chance, syncs), what: 'config', change: 'resource', forMs: chance.between(3_000, ORDINARY_MS) },
];

const failingPictures: FeatureDraw = (chance, { syncs }) =>
  Array.from({ length: chance.between(1, 3) }, () => {
    const at = near(chance, syncs);
    return { at, what: 'picture fails', record: chance.below(1000), forMs: chance.between(500, 2 * ORDINARY_MS) };
  });

const otherSync: FeatureDraw = (chance, { settings, syncs, name }) => {
  const by = chance.below(settings.processes);
  const isAlike = name === 'the same events in another sync';
  const first = near(chance, syncs);
  return [
    { at: first, what: 'other source', adds: 3, alike: isAlike ? chance.between(1, 2) : 0 },
    { at: first, what: 'sync', by, of: 'other' },
    { at: Math.min(TROUBLE_MS - 1, first + chance.between(5_000, ORDINARY_MS)), what: 'sync', by, of: 'other' },
  ];
};

/** The other source has some of the events, and some of its own; at times it cannot be read, or only in part. */
const twoSources: FeatureDraw = (chance, { syncs }) => {
  const first = near(chance, syncs);
  const troubles = Array.from({ length: chance.between(0, 2) }, () => {
    const state = chance.pick(['cut', 'silentCut', 'empty', 'down'] as const);
    return {
      at: near(chance, syncs),
      what: 'source' as const,
      of: 'other' as const,
      state,
      forMs: chance.between(500, ORDINARY_MS),
    };
  });
  return [
    { at: first, what: 'other source', adds: chance.between(1, 4), alike: chance.between(0, 3) },
    ...later(chance, first),
    ...troubles,
  ];
};

const movedIds: FeatureDraw = (chance, { syncs }) => {
  const at = near(chance, syncs);
  return [{ at, what: 'move ids', by: 1_000 }, changes(chance, at), ...later(chance, at)];
};

function changes(chance: Chance, at: number): Happening {
  const changed = Array.from({ length: chance.between(1, 6) }, () => chance.below(1000));
  return { at, what: 'edit', changed, added: chance.below(3), removed: [], returned: [], swapped: false };
}

/** Two runs after something began: what the first has done wrong, the second believes. */
function later(chance: Chance, at: number): Happening[] {
  return [1, 2].flatMap((nth) => {
    const then = at + nth * chance.between(2_000, 8_000);
    return then < TROUBLE_MS ? [{ at: then, what: 'sync' as const, by: 0 }] : [];
  });
}

const nothing: FeatureDraw = () => [];

const draws: Record<FeatureName, FeatureDraw> = {
  'keys that begin alike': nothing,
  'keys that differ in case': nothing,
  'refused writes': refusedWrites,
  'refused reads': refusedReads,
  'edits that go far': farEdits,
  'copies with the external id': copies,
  'records that come and go': comingAndGoing,
  'records that return to hidden items': returning,
  'keys that pass on': withKeys('pass on'),
  'copies that share a key': withKeys('share a key'),
  'updates in doubt that are taken back': updatesTakenBack,
  'creates in doubt that are taken back': createsTakenBack,
  'config that changes': configChanges,
  'pictures that fail': failingPictures,
  'another sync': otherSync,
  'the same events in another sync': otherSync,
  'two sources of one sync': twoSources,
  'a second source is added': twoSources,
  'answers without applying': habit('keepsOld'),
  'dropped attributes': habit('dropsText'),
  'attributes taken on create only': habit('takesTextOnCreate'),
  'a PATCH that replaces': habit('replaces'),
  'creates that vanish': habit('forgetsCreates'),
  'hidden items': habit('hidesItems'),
  'hidden items and lists': habit('hidesAll'),
  'moved ids': movedIds,
  'failed creates in late lists': habit('failsCreates'),
  'deletes without effect': deletesWithoutEffect,
  'a lost note': lostNote,
  "creates answered with editors' items": wrongAnswers,
  'lists without names': habit('hidesNames'),
  'uploads stored by name': nothing,
  'copies of hidden items': hiddenCopies,
  'updates without effect after updates in doubt': updatesWithoutEffect,
  'cut external ids': habit('cutsExternalIds'),
  'another resource by mistake': mistakenResource,
};

/** Draws what the features of a run let happen. @param ordinary what happens besides */
export function drawFeatured(seed: number, settings: Settings, ordinary: readonly Happening[]): Happening[] {
  const syncs = ordinary.flatMap(({ what, at }) => (what === 'sync' ? [at] : []));
  return settings.features.flatMap((name) => {
    return draws[name](createChance(`what happens with ${name} ${seed}`), { settings, syncs, name });
  });
}
