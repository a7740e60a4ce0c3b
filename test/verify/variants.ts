import type { TestCmsOptions } from '../support/cms/start-cms.ts';

type Switches = NonNullable<TestCmsOptions['switches']>;

/** Each switch of the sandbox, in each of its behaviours that is not the default. Those that cannot matter are tried together. */
export const variants: readonly Switches[] = [
  {},
  { lastPage: 'empty' },
  { lastPage: 'error' },
  { links: 'bare' },
  { maxLimit: 7 },
  { maxLimit: 100_000 },
  { maxLimit: 50, overLimit: 400 },
  { maxLimit: 7, overLimit: 422 },
  { attributesFilter: 'ignored' },
  { search: 'ignored' },
  { dateFilter: 'starts' },
  { cleared: 'null' },
  { cleared: 'omit' },
  { patchTime: 'replace' },
  // Only what feedferry does not write: what the CMS ignores of the rest is unverified.
  { attributes: ['source_key', 'editorsText', 'teaser', 'image'] },
  { answers: 'id' },
  { numbersAsStrings: true },
  { instances: ['main'] },
  // What no list and no item shows.
  {
    ...{ uploadStatus: 200, missingHeader: 403, uniqueAccounts: ['username', 'email'], maxBodyBytes: 4096 },
    ...{ maxUploadBytes: 2048, putStrictness: 'requires', uploadTypes: ['any'] },
  },
  { missingHeader: 406, altText: 'ignored' },
];

/** Puts variants together that have no switch in common, so that few sites show all of them. */
export function together(each: readonly Switches[]): Switches[] {
  const sites: Switches[] = [];
  for (const variant of each) {
    const site = sites.find((other) => !Object.keys(variant).some((name) => name in other));
    if (site) Object.assign(site, variant);
    else sites.push({ ...variant });
  }
  return sites;
}
