import fc from 'fast-check';
import type { Combination } from './combination.ts';

/** A change of the source. */
export interface Edit {
  /** How many records are new. */
  events: number;
  accounts: number;
  /** Which records are changed: positions, modulo how many there are. */
  changed: number[];
  /** Which records vanish from the feeds, or come back where they had vanished: positions, modulo how many there are. */
  toggled: number[];
  /** How many of the latest changes are taken back. */
  takenBack: number;
}

/** When something happens: a pause after what happened before it, or after the next write that arrives at the CMS then. */
interface Moment {
  afterMs: number;
  afterWrite: boolean;
}

/** Something that goes wrong. `nth`: which of the processes; modulo how many. */
export type Disturbance = Moment &
  (
    | { what: 'kill planner' | 'kill worker'; nth: number }
    | { what: 'suspend planner' | 'suspend worker'; nth: number; forMs: number }
    | { what: 'restart sandbox' | 'restart redis'; downMs: number }
    | { what: 'flush redis' | 'restart postgres' }
    | { what: 'burst of 429'; times: number }
    | { what: 'edit feed'; edit: Edit }
    | { what: 'turn clock'; byMs: number }
  );

/**
 * How lists lie, each for a share of the seconds: they are empty; they count new items and do not show them; they show new
 * items only once a create may be looked up.
 */
export type Lies = 'none' | 'emptyLists' | 'shortLists' | 'lateLists';

/** What happens to the site between runs; before or after the trouble. */
export interface PlannedMishap {
  what: 'none' | 'ledger lost' | 'ledger restored' | 'CMS restored' | 'feed cut';
  when: 'before' | 'after';
  /** What is delivered between a backup and the mishap, if it happens before the trouble. */
  edit: Edit;
  /** What the operator does about a lost ledger if there are no external ids. */
  remedy: 'adopt' | 'restore';
}

/** `sync` processes at once. */
export const MOST_PLANNERS = 3;

/** All that is random in a round. */
export interface RoundPlan {
  /** Whether items carry external ids. */
  externalId: boolean;
  /** Whether what was deleted in the CMS is created again. */
  recreates: boolean;
  /** In how many readings a record has to be missing. */
  missingAfter: 1 | 2;
  mishap: PlannedMishap;
  /** How lists lie. */
  lies: Lies;
  planners: number;
  /** The second planner carries backfills out. */
  backfills: boolean;
  workers: number;
  faultSeed: number;
  /** What the source is changed to before anything goes wrong. */
  edit: Edit;
  /** A process whose clock is turned some time after its start; modulo how many. */
  turnedClock: { nth: number; afterMs: number; byMs: number };
  /** The first disturbance waits until the first write has arrived at the CMS. */
  startsAtFirstWrite: boolean;
  disturbances: Disturbance[];
  /** How long the last planners may take before they are killed. */
  patienceMs: number;
  /** How workers are sent home. */
  ending: 'SIGTERM' | 'SIGKILL';
}

/** The round of a seed: the same seed makes the same plan. */
export function planRound(combination: Combination, seed: number): RoundPlan {
  const [plan] = fc.sample(fc.noBias(roundPlans(combination)), { seed, numRuns: 1 });
  if (!plan) throw new Error('no plan was drawn');
  return plan;
}

function roundPlans({ ledger, queue }: Combination): fc.Arbitrary<RoundPlan> {
  const bullmq = queue === 'bullmq';
  const down = fc.record({ downMs: fc.integer({ min: 0, max: 600 }) });
  const which = fc.record({ nth: fc.nat(3) });
  const nothing = fc.constant({});
  const killPlanner = disturbance('kill planner', which);
  const killWorker = disturbance('kill worker', which);
  const kills = bullmq ? [killPlanner, killWorker, killWorker] : [killPlanner];
  const suspended = fc.record({ nth: fc.nat(3), forMs: fc.integer({ min: 500, max: 8_000 }) });
  const suspendPlanner = disturbance('suspend planner', suspended);
  const suspensions = bullmq ? [suspendPlanner, disturbance('suspend worker', suspended)] : [suspendPlanner];
  const clock = disturbance('turn clock', fc.record({ byMs: turns }));
  const others = [
    ...suspensions,
    clock,
    disturbance('restart sandbox', down),
    disturbance('burst of 429', fc.record({ times: fc.integer({ min: 5, max: 20 }) })),
    disturbance('edit feed', fc.record({ edit: edits({ added: 10, changed: 16 }) })),
    ...(bullmq ? [disturbance('restart redis', down), disturbance('flush redis', nothing)] : []),
    ...(ledger === 'postgresql' ? [disturbance('restart postgres', nothing)] : []),
  ];
  const disturbances = fc
    .tuple(
      fc.oneof(...kills),
      fc.oneof(...suspensions, ...suspensions, clock),
      fc.array(fc.oneof(...kills, ...others), { maxLength: 3 }),
    )
    .chain(([kill, other, more]) => fc.shuffledSubarray([kill, other, ...more], { minLength: more.length + 2 }));
  return fc
    .record({
      externalId: fc.boolean(),
      recreates: fc.boolean(),
      missingAfter: fc.constantFrom(1, 1, 2),
      mishap: mishaps,
      lies: fc.constantFrom('emptyLists', 'shortLists', 'lateLists'),
      planners: bullmq ? fc.constantFrom(1, 2) : fc.constantFrom(2, MOST_PLANNERS),
      workers: bullmq ? fc.constantFrom(2, 4) : fc.constant(0),
      faultSeed: fc.nat(),
      turnedClock: fc.record({ nth: fc.nat(5), afterMs: fc.integer({ min: 0, max: 1_500 }), byMs: turns }),
      edit: edits({ added: 60, changed: 30 }),
      startsAtFirstWrite: fc.oneof(fc.constant(true), fc.constant(true), fc.constant(false)),
      disturbances,
      patienceMs: fc.constantFrom(0, 1_500, 3_000),
      ending: fc.constantFrom('SIGTERM', 'SIGKILL'),
      backfills: fc.boolean(),
    })
    .map(withoutTheUndecidable);
}

/** From the corrections of a clock to the wrong zone. */
const turns = fc.oneof(fc.integer({ min: -30_000, max: 30_000 }), fc.integer({ min: -7_200_000, max: 7_200_000 }));

const mishaps: fc.Arbitrary<PlannedMishap> = fc.record({
  what: fc.constantFrom('none', 'ledger lost', 'ledger restored', 'CMS restored', 'feed cut'),
  when: fc.constantFrom('before', 'after'),
  edit: edits({ added: 20, changed: 16 }),
  remedy: fc.constantFrom('adopt', 'restore'),
});

/** Leaves out what no program could decide, or what the documentation promises only with such a config. */
function withoutTheUndecidable(plan: RoundPlan): RoundPlan {
  const { what, when } = plan.mishap;
  const isLedgerOld = what === 'ledger lost' || what === 'ledger restored';
  return {
    ...plan,
    // A new ledger cannot know that a list is not as empty as it looks.
    lies: isLedgerOld && when === 'before' ? 'none' : plan.lies,
    // An old ledger takes what feedferry has deleted since for deleted by editors.
    // Without external ids, a backup of the ledger would not know what was created again.
    recreates: what === 'ledger restored' || (plan.recreates && (plan.externalId || what !== 'CMS restored')),
    missingAfter: what === 'feed cut' ? 2 : plan.missingAfter,
  };
}

function disturbance<What extends string, Details>(what: What, details: fc.Arbitrary<Details>) {
  const moment = fc.record({ afterMs: fc.integer({ min: 0, max: 500 }), afterWrite: fc.boolean() });
  return fc.tuple(moment, details).map(([when, more]) => ({ what, ...when, ...more }));
}

function edits({ added, changed }: { added: number; changed: number }): fc.Arbitrary<Edit> {
  return fc.record({
    events: fc.integer({ min: added / 2, max: added }),
    accounts: fc.integer({ min: 0, max: added / 2 }),
    changed: fc.array(fc.nat(10_000), { minLength: changed / 2, maxLength: changed }),
    toggled: fc.array(fc.nat(10_000), { maxLength: changed / 2 }),
    takenBack: fc.nat(changed / 2),
  });
}
