import type { PlannedChange } from '../../sync/runs/plan-run.ts';
import { describeDifference } from './difference-lines.ts';
import { colour, indent, plain } from './print.ts';

/** The key of a record, then its title: lists with a key in front are easy to search. */
export function keyAndTitle({ key, title = '' }: { key: string; title?: string }): string {
  return [colour('bold', plain(key)), plain(title)].filter(Boolean).join(' ');
}

/** Describes a change of a plan in one line, then the attributes that differ. */
export function describeChange(change: PlannedChange): string {
  const { op, key, title, at, differences, adopts, cmsId } = change;
  const becomes = adopts === undefined ? '' : ` is CMS item ${adopts}`;
  const place = op === 'delete' && cmsId !== undefined ? `CMS item ${cmsId}, ${at}` : at;
  const record = `${keyAndTitle({ key, title })}${becomes} ${colour('dim', `(${plain(place)})`)}`;
  if (change.isCreatedAgain) {
    return `${colour('green', '+ create again')} ${record}: item ${cmsId} was deleted in the CMS`;
  }
  if (op === 'create') return `${colour('green', '+ create')} ${record}`;
  if (op === 'delete') return `${colour('red', '- delete')} ${record}`;
  if (change.retriesFiles === 'only') {
    const files = differences.map(({ attribute }) => attribute).join(', ');
    return `${colour('yellow', '~ try again')} ${record} ${files}`;
  }
  // An update without differences is an adopted item.
  const sign = op === 'mark' ? '! mark' : differences.length === 0 ? '~ adopt' : '~ update';
  return [`${colour('yellow', sign)} ${record}`, ...differences.map((each) => indent(describeDifference(each)))].join(
    '\n',
  );
}
