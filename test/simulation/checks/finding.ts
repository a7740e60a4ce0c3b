/** Something that must not be. */
export interface Finding {
  is:
    | 'doubled'
    | 'lost'
    /** A run says that something is done, and it is not. */
    | 'silent'
    | 'deleted'
    | 'wrong content'
    | 'overwritten'
    | 'not undone'
    | 'uploaded again'
    | 'limit'
    | 'unsettled'
    | 'broken';
  what: string;
}
