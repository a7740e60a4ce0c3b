/** Under which name the members, readings and answers of a sync are kept: its own, or that of the draft of a plan. */
export type KeptAs = (sync: string) => string;

export const inPlace: KeptAs = (sync) => sync;

/** No sync has a blank in its name. */
const DRAFT = 'plan ';

/** The name under which the draft of a plan is kept. */
export function draftOf(run: string): string {
  return `${DRAFT}${run}`;
}

/** Returns the plan whose draft has this name; undefined: it is the name of a sync. */
export function runOfDraft(name: string): string | undefined {
  return name.startsWith(DRAFT) ? name.slice(DRAFT.length) : undefined;
}
