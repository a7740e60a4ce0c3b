import type { Member } from '../../ledger/members/members.ts';
import type { RunContext } from '../context/run-context.ts';
import { type EventQuestion, formClusters, type JoinRules } from './form-clusters.ts';

const PAGE = 200;

type JoinContext = Pick<RunContext, 'ledger' | 'sync'>;

/** What came of some members that were in no cluster. */
interface Joined {
  /** The clusters that are new. */
  founded: string[];
  /** How many members wait for an answer. */
  waiting: number;
}

/** Joins the new members of a sync to the records that they are published as, a page of events at a time. */
export async function* joinMembers(rules: JoinRules, context: JoinContext): AsyncGenerator<Joined> {
  const { ledger, sync } = context;
  for await (const { clusters, founded, questions } of undecided(rules, context)) {
    await ledger.members.setClusters(sync.name, clusters);
    yield { founded, waiting: new Set(questions.map(({ member }) => member.key)).size };
  }
}

/** The questions about members that wait for an answer. */
export async function* openQuestions(rules: JoinRules, context: JoinContext): AsyncGenerator<EventQuestion> {
  for await (const { questions } of undecided(rules, context)) yield* questions;
}

/** Decides about the members without a cluster, a page of events at a time. */
async function* undecided(rules: JoinRules, { ledger, sync }: JoinContext) {
  const { members: store } = ledger;
  for (let after = ''; ; ) {
    const hashes = await store.undecidedEvents(sync.name, after, PAGE);
    const members = await store.membersBy('event_hash', sync.name, hashes);
    const sourcesOf = await store.sourcesOfClusters(sync.name, [
      ...new Set(members.flatMap(({ cluster }) => cluster ?? [])),
    ]);
    const fresh = members.filter(({ cluster }) => cluster === undefined).map(({ key }) => key);
    const homes = await store.takenHomes(sync.name, fresh);
    const ownRecords = await store.publishedAlone(
      sync.name,
      fresh.filter((key) => !homes.has(key)),
    );
    const groups = [...Map.groupBy(members, ({ eventHash }: Member) => eventHash).values()];
    const formed = groups.map((group) => formClusters({ members: group, sourcesOf, ownRecords, homes }, rules));
    const clusters = new Map(formed.flatMap((each) => [...each.clusters]));
    yield {
      clusters,
      founded: [...clusters].flatMap(([key, cluster]) => (cluster === (homes.get(key) ?? key) ? [cluster] : [])),
      questions: formed.flatMap(({ questions }) => questions),
    };
    if (hashes.length < PAGE) return;
    after = hashes.at(-1) ?? after;
  }
}
