/** What is wrong with a feed for a while. */
export type Trouble = 'none' | 'web page' | 'empty' | 'cut off' | 'unavailable';
