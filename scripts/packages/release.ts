/** The keys of package.json that a release needs. */
export interface Manifest {
  version: string;
  homepage?: string;
  repository?: string | { url?: string };
}

/**
 * Returns the reasons, as sentences, why a tag cannot be released.
 * @param repository `owner/name` on GitHub, if the workflow runs there
 */
export function releaseProblems(
  tag: string,
  { version, homepage, repository }: Manifest,
  changelog: string,
  repositoryName?: string,
): string[] {
  const url = typeof repository === 'string' ? repository : repository?.url;
  const problems: string[] = [];
  if (tag !== `v${version}`) problems.push(`The tag is ${tag}, but the version in package.json is ${version}.`);
  if (!releaseNotes(tag, changelog))
    problems.push(`CHANGELOG.md has no section \`## ${version}\`. Rename \`## Unreleased\`.`);
  if (!homepage) problems.push('package.json has no "homepage". Add the address of the documentation.');
  if (!url)
    problems.push(
      'package.json has no "repository". Add { "type": "git", "url": "git+https://HOST/OWNER/NAME.git" }: without it, npm refuses a package with provenance.',
    );
  else if (repositoryName !== undefined && !url.includes(`/${repositoryName}`))
    problems.push(
      `"repository" in package.json is ${url}, but this is ${repositoryName}: npm would refuse the provenance.`,
    );
  return problems;
}

/** Returns the section of a version in the changelog; undefined if it is missing or empty. */
export function releaseNotes(tag: string, changelog: string): string | undefined {
  const sections = changelog.split(/^## /m).slice(1);
  const section = sections.find((text) => /^\[?([^\s\]]+)/.exec(text)?.[1] === tag.replace(/^v/, ''));
  return section?.slice(section.indexOf('\n')).trim() || undefined;
}
