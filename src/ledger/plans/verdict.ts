declare const isJudged: unique symbol;

/** That so many creates of a plan are new things: without it, no plan becomes the desired state. src/sync/match/verdict.ts gives it. */
export interface Verdict {
  readonly creates: number;
  readonly [isJudged]: true;
}
