import type { Json, Payload, Resource } from '../../core/record.ts';
import type { PlannedChange } from '../../sync/runs/plan-run.ts';
import { describeDifference, showInLine } from './difference-lines.ts';
import { colour, indent, plain } from './tables.ts';

/** What people recognise a record by: attributes, parts of one dotted. */
const TELLING: Record<Resource, readonly string[]> = {
  events: ['title', 'date', 'time.start'],
  accounts: ['displayName', 'firstName', 'lastName', 'email', 'username'],
};

/** A change of a plan, in one line, and the attributes that differ. */
export function describeChange(change: PlannedChange): string {
  const { op, key, at, resource, payload, differences, adopts, cmsId } = change;
  const becomes = adopts === undefined ? '' : ` is item ${adopts} of the CMS`;
  const place = `${plain(key)}${becomes} ${colour('dim', `(${plain(at)})`)}`;
  if (op === 'create') return `${colour('green', '+ create')} ${place} ${telling(resource, payload)}`;
  if (op === 'delete') return `${colour('red', '- delete')} ${item(place, cmsId)} ${telling(resource, payload)}`;
  // Only an item of the CMS that is taken over as it is has nothing to change.
  const sign = op === 'mark' ? '! mark' : differences.length === 0 ? '~ adopt' : '~ update';
  return [`${colour('yellow', sign)} ${place}`, ...differences.map((each) => indent(describeDifference(each)))].join(
    '\n',
  );
}

function item(place: string, cmsId: number | undefined): string {
  return cmsId === undefined ? place : `${place} item ${cmsId}`;
}

function telling(resource: Resource, payload: Payload): string {
  const told = TELLING[resource].flatMap((path) => {
    const value = valueAt(payload, path);
    return value ? [`${path}: ${showInLine(value)}`] : [];
  });
  const others = Object.keys(payload).length - told.length;
  return [...told, ...(others > 0 ? [colour('dim', `and ${others} more attributes`)] : [])].join(', ');
}

function valueAt(payload: Payload, path: string): Json | undefined {
  return path
    .split('.')
    .reduce<Json | undefined>(
      (value, name) => (typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined),
      payload,
    );
}
