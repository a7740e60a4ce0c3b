import type { Payload, Resource } from '../../core/record.ts';
import { valueAt } from '../../sync/items/values.ts';
import type { PlannedChange } from '../../sync/runs/plan-run.ts';
import { describeDifference, showInLine } from './difference-lines.ts';
import { colour, indent, plain } from './print.ts';

/** Attributes by which people recognise a record; a part of an attribute has a dotted name. */
const IDENTIFYING: Record<Resource, readonly string[]> = {
  events: ['title', 'date', 'time.start'],
  accounts: ['displayName', 'firstName', 'lastName', 'email', 'username'],
};

/** Describes a change of a plan in one line, then the attributes that differ. */
export function describeChange(change: PlannedChange): string {
  const { op, key, at, resource, payload, differences, adopts, cmsId } = change;
  const becomes = adopts === undefined ? '' : ` is CMS item ${adopts}`;
  const place = `${plain(key)}${becomes} ${colour('dim', `(${plain(at)})`)}`;
  if (op === 'create') return `${colour('green', '+ create')} ${place} ${describeRecord(resource, payload)}`;
  if (op === 'delete') return `${colour('red', '- delete')} ${item(place, cmsId)} ${describeRecord(resource, payload)}`;
  if (change.retriesFiles === 'only') {
    const files = differences.map(({ attribute }) => attribute).join(', ');
    return `${colour('yellow', '~ try again')} ${place} ${files}`;
  }
  // An update without differences is an adopted item.
  const sign = op === 'mark' ? '! mark' : differences.length === 0 ? '~ adopt' : '~ update';
  return [`${colour('yellow', sign)} ${place}`, ...differences.map((each) => indent(describeDifference(each)))].join(
    '\n',
  );
}

function item(place: string, cmsId: number | undefined): string {
  return cmsId === undefined ? place : `${place} CMS item ${cmsId}`;
}

function describeRecord(resource: Resource, payload: Payload): string {
  const shown = IDENTIFYING[resource].flatMap((path) => {
    const value = valueAt(payload, path);
    return value ? [`${path}: ${showInLine(value)}`] : [];
  });
  const others = Object.keys(payload).length - shown.length;
  return [...shown, ...(others > 0 ? [colour('dim', `and ${others} more attributes`)] : [])].join(', ');
}
