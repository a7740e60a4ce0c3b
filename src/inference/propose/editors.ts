import type { Corrections } from '../correct/corrections.ts';
import type { Guess, Proposal } from '../proposal.ts';
import { hasOwnMap } from './own-map.ts';

const TEXTS = ['title', 'description'];
const EVIDENCE = 'what editors write on the site wins over the feed';

/** Lets editors improve the texts and pictures of events on the site, unless a person has said who may change them. */
export function withEditors(proposal: Proposal, connector: string, { lines }: Corrections): Proposal {
  if (proposal.resource.value !== 'events' || Object.hasOwn(lines, 'authority')) return proposal;
  const texts = TEXTS.filter((name) => name in proposal.map || hasOwnMap(connector));
  const names = [...texts, ...Object.keys(proposal.attachments)];
  if (names.length === 0) return proposal;
  const authority: Guess<Record<string, 'editor'>> = {
    value: Object.fromEntries(names.map((name) => [name, 'editor'])),
    evidence: EVIDENCE,
  };
  return { ...proposal, authority };
}
