/** The keys of package.json that a release needs. The address of the repository decides the other addresses. */
export interface Manifest {
  version: string;
  homepage?: string;
  bugs?: string;
  repository?: { url?: string };
}

/**
 * Returns the reasons, as sentences, why a tag cannot be released.
 * @param repositoryName `owner/name` on GitHub, if the workflow runs there
 */
export function releaseProblems(
  tag: string,
  { version, homepage, bugs, repository }: Manifest,
  changelog: string,
  repositoryName?: string,
): string[] {
  const problems: string[] = [];
  if (tag !== `v${version}`) problems.push(`The tag is ${tag}, but the version in package.json is ${version}.`);
  if (!releaseNotes(tag, changelog)) problems.push(`CHANGELOG.md has no section \`## ${version}\`.`);
  const page = /^git\+(https:\/\/[^/]+\/[^/]+\/[^/]+)\.git$/.exec(repository?.url ?? '')?.[1];
  if (page === undefined) {
    return [
      ...problems,
      'package.json has no "repository" with a "url" such as git+https://HOST/OWNER/NAME.git: npm would refuse the provenance.',
    ];
  }
  if (repositoryName !== undefined && !page.endsWith(`/${repositoryName}`))
    problems.push(
      `"repository" in package.json is ${page}, but this is ${repositoryName}: npm would refuse the provenance.`,
    );
  const owed = { homepage: `${page}#readme`, bugs: `${page}/issues` };
  if (homepage !== owed.homepage) problems.push(`"homepage" in package.json should be ${owed.homepage}.`);
  if (bugs !== owed.bugs) problems.push(`"bugs" in package.json should be ${owed.bugs}.`);
  return problems;
}

/** Returns the section of a version in the changelog; undefined if it is missing or empty. */
export function releaseNotes(tag: string, changelog: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\s\]]+)/.exec(text)?.[1] === tag.replace(/^v/, ''));
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}
