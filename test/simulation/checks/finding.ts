/** Something that must not be. */
export interface Finding {
  is: 'doubled' | 'lost' | 'deleted' | 'wrong content' | 'overwritten' | 'limit' | 'unsettled' | 'broken';
  what: string;
}
