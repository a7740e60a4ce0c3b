import { createChance } from '../world/chance.ts';

/** What decides whether a feature makes sense in a run. */
interface Place {
  resource: 'events' | 'accounts';
  externalId: boolean;
  files: boolean;
  disaster?: string;
}

/** What a world may have beyond ordinary trouble: each in a few runs only, so that most runs stay ordinary. */
interface Feature {
  /** Of a hundred runs in which it makes sense, so many have it. */
  percent: number;
  /** Off: what the product does not do yet. Then only runs have it that are asked for it. */
  offUntil?: string;
  /** Where it makes sense. */
  fits?: (place: Place) => boolean;
  /** Whether seeds in a row share it: a first sync depends on it. */
  isShared?: true;
  /** What it never comes together with, because nothing could tell what is right then. */
  notWith?: readonly string[];
}

const hasExternalId = ({ externalId }: Place) => externalId;
const hasEvents = ({ resource }: Place) => resource === 'events';
const hasAccounts = ({ resource }: Place) => resource === 'accounts';
const hasFiles = ({ files }: Place) => files;
const keepsLedger = ({ disaster }: Place) => disaster === undefined;
const canBeFound = (place: Place) => hasExternalId(place) && keepsLedger(place);

/** All of them, and their switches. What each lets happen: feature-happenings.ts. */
export const features = {
  'keys that begin alike': { percent: 10, isShared: true },
  'keys that differ in case': { percent: 5, isShared: true, fits: hasEvents },
  'refused writes': { percent: 6 },
  'refused reads': { percent: 2 },
  'edits that go far': {
    percent: 5,
    fits: hasExternalId,
    // An event that is hidden, and moved to another day, is found only where the whole list is read.
    notWith: [
      'hidden items',
      'hidden items and lists',
      'copies of hidden items',
      'records that return to hidden items',
    ],
  },
  'copies with the external id': { percent: 3, fits: canBeFound },
  'records that come and go': { percent: 3 },
  'records that return to hidden items': { percent: 1 },
  'keys that pass on': { percent: 5, fits: (place) => hasAccounts(place) && keepsLedger(place) },
  // An item keeps the external id of the first key until something else of it changes.
  'copies that share a key': {
    percent: 20,
    fits: (place) => hasEvents(place) && !hasExternalId(place),
    notWith: ['a second source is added'],
  },
  'updates in doubt that are taken back': { percent: 2 },
  'creates in doubt that are taken back': { percent: 2 },
  'config that changes': { percent: 4 },
  'pictures that fail': { percent: 10, fits: hasFiles },
  'another sync': { percent: 4, fits: keepsLedger },
  'the same events in another sync': {
    percent: 4,
    fits: (place) => hasEvents(place) && keepsLedger(place),
  },
  'two sources of one sync': {
    percent: 35,
    isShared: true,
    // The item of an event has the external id of the source that had it first.
    fits: (place) => hasEvents(place) && keepsLedger(place) && !hasExternalId(place),
    notWith: ['another sync', 'the same events in another sync'],
  },
  'a second source is added': {
    percent: 20,
    fits: (place) => hasEvents(place) && keepsLedger(place) && !hasExternalId(place),
    notWith: [
      'two sources of one sync',
      'another sync',
      'the same events in another sync',
      'another resource by mistake',
    ],
  },
  'answers without applying': { percent: 5 },
  'dropped attributes': { percent: 4 },
  'attributes taken on create only': { percent: 4 },
  // Without the ledger, nothing tells whose item has lost its external id.
  'a PATCH that replaces': { percent: 3, fits: keepsLedger },
  'creates that vanish': { percent: 3, offUntil: 'a create counts once its item was seen' },
  'hidden items': { percent: 4 },
  'hidden items and lists': { percent: 4 },
  // An event with another id and another day is found only where the whole list is read.
  'moved ids': { percent: 5, fits: canBeFound, notWith: ['edits that go far'] },
  'failed creates in late lists': { percent: 5 },
  'deletes without effect': { percent: 4 },
  // A note that cannot be given back, because nothing is applied, looks like an attribute that the CMS sets itself.
  'a lost note': {
    percent: 3,
    notWith: ['answers without applying', 'updates without effect after updates in doubt'],
  },
  "creates answered with editors' items": { percent: 3 },
  'lists without names': { percent: 2, fits: hasAccounts },
  'uploads stored by name': { percent: 10, fits: hasFiles },
  'copies of hidden items': { percent: 3, fits: canBeFound },
  'updates without effect after updates in doubt': { percent: 2 },
  // A CMS that cuts ids has cut all of them: among whole ones, a short one is not taken for the beginning of another.
  'cut external ids': { percent: 3, offUntil: 'the first sync of a world is cut, too', fits: canBeFound },
  'another resource by mistake': { percent: 2, fits: hasEvents },
} satisfies Record<string, Feature>;

export type FeatureName = keyof typeof features;

/** Environment variable with features, separated by commas, that all runs have in which they make sense. */
const featuresVariable = 'FEEDFERRY_SIMULATION_FEATURES';

/** Lets all runs of this process, and of its workers, have some features. @throws Error if one of them has another name */
export function askForFeatures(names: readonly string[]): void {
  const wrong = names.find((name) => !Object.hasOwn(features, name));
  if (wrong !== undefined) throw new Error(`The features are ${Object.keys(features).join(', ')}; not "${wrong}".`);
  if (names.length > 0) process.env[featuresVariable] = names.join();
}

/** Returns the features of a seed. One that is switched on or off changes only the runs that have it. @param seedsAlike in a row */
export function drawFeatures(seed: number, place: Place, seedsAlike: number): FeatureName[] {
  const asked = process.env[featuresVariable]?.split(',') ?? [];
  const possible = (Object.keys(features) as FeatureName[]).filter((name) => ofName(name).fits?.(place) ?? true);
  const drawn = possible.filter((name) => {
    const { percent, offUntil, isShared } = ofName(name);
    if (offUntil !== undefined) return false;
    return createChance(`${name} ${isShared ? Math.floor(seed / seedsAlike) : seed}`).chance(percent / 100);
  });
  const on = drawn.filter((name) => !drawn.some((other) => ofName(name).notWith?.includes(other)));
  return possible.filter((name) => on.includes(name) || (asked.includes(name) && !on.some(clashesWith(name))));
}

function ofName(name: FeatureName): Feature {
  return features[name];
}

function clashesWith(name: FeatureName) {
  return (other: FeatureName) => ofName(name).notWith?.includes(other) || ofName(other).notWith?.includes(name);
}
