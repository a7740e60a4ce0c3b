import type { History, Move } from './history.ts';

interface Mended {
  /** What went wrong, and the page that says otherwise. */
  name: string;
  history: History;
}

const keep = { policy: 'keep', uniqueAccounts: false } as const;
const move = (kind: Move['kind'], value = 0): Move => ({ kind, pick: 0, value });

/** The shortest histories of what went wrong, and is right by now. */
export const mended: Mended[] = [
  {
    name: 'exchanged keys: "distinct" puts both on the site twice (delivery.md: no duplicates)',
    history: { ...keep, kind: 'csv', begin: [0, 7], steps: [{ moves: [move('swap')], answers: 'all' }] },
  },
  {
    name: 'a key passes on while its thing gets a new one: the thing is created again (missing.md: keeps its item)',
    history: {
      ...{ ...keep, kind: 'csv', begin: [0, 7] },
      steps: [{ moves: [move('handOver', 20), move('returnRenamed')], answers: 'none' }],
    },
  },
  {
    name: 'a person under the key of one who has left: the account is deleted during the question (missing.md: no new key)',
    history: {
      ...{ kind: 'accounts', policy: 'delete at once', uniqueAccounts: false, begin: [17, 48] },
      steps: [{ moves: [move('swap'), move('leave')], answers: 'none' }],
    },
  },
  {
    name: 'a record gets another key while it is asked whether its key has passed on: the account passes on (missing.md)',
    history: {
      ...{ ...keep, kind: 'accounts', begin: [46, 9] },
      steps: [
        { moves: [move('handOver', 60)], answers: 'none' },
        { moves: [{ kind: 'rekey', pick: 1, value: 0 }], answers: 'none' },
      ],
    },
  },
  {
    name: 'a retry of another record after "distinct" was stored: the counts (commands.md)',
    history: {
      ...{ ...keep, kind: 'accounts', begin: [17, 48] },
      steps: [{ moves: [move('handOver', 20), move('editorCreates', 5)], answers: 'all' }],
    },
  },
  {
    name: 'a record that is not in the feed counts as read after "distinct" (commands.md: the counts)',
    history: { ...keep, kind: 'accounts', begin: [17, 48], steps: [{ moves: [move('handOver', 20)], answers: 'all' }] },
  },
  {
    name: 'a key of a deleted account passes on: the other person is left out (missing.md: the update is held)',
    history: {
      ...{ ...keep, kind: 'accounts', begin: [17, 48] },
      steps: [
        { moves: [move('editorDeletes'), move('change', 3)], answers: 'none' },
        { moves: [{ kind: 'handOver', pick: 0, value: 4 }], answers: 'none' },
      ],
    },
  },
  {
    name: 'the CMS refuses a "distinct" account, which changes then: the account of editors is taken over (adopting.md)',
    history: {
      ...{ kind: 'accounts', policy: 'keep', uniqueAccounts: true, begin: [41, 54] },
      steps: [
        { moves: [move('editorCreates', 48)], answers: 'all' },
        { moves: [{ kind: 'change', pick: 2, value: 26 }], answers: 'none' },
      ],
    },
  },
  {
    name: 'a record under the key of another one is a missing one, whose account is deleted meanwhile (missing.md)',
    history: {
      kind: 'accounts',
      policy: 'delete later',
      uniqueAccounts: false,
      begin: [5, 2],
      steps: [
        {
          moves: [
            { kind: 'editorCreates', pick: 8, value: 0 },
            { kind: 'returnChanged', pick: 5, value: 52 },
          ],
          answers: 'taken back',
        },
        {
          moves: [
            { kind: 'rekeyChanged', pick: 5, value: 40 },
            { kind: 'appear', pick: 2, value: 30 },
          ],
          answers: 'none',
        },
        {
          moves: [
            { kind: 'change', pick: 4, value: 30 },
            { kind: 'return', pick: 0, value: 36 },
            { kind: 'handOver', pick: 4, value: 31 },
          ],
          answers: 'all',
        },
        {
          moves: [
            { kind: 'return', pick: 0, value: 35 },
            { kind: 'swap', pick: 4, value: 45 },
          ],
          answers: 'all',
        },
      ],
    },
  },
  {
    name: 'an occurrence and another event exchange their keys: each takes the item of the other (missing.md)',
    history: {
      ...{ ...keep, kind: 'ical', begin: [17, 12, 44] },
      steps: [
        { moves: [move('shareUid')], answers: 'none' },
        { moves: [move('swap', 1)], answers: 'none' },
      ],
    },
  },
];
