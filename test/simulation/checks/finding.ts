/** Something that must not be. */
export interface Finding {
  is:
    | 'doubled'
    | 'lost'
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
