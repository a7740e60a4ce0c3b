import { z } from 'zod';
import { connectors } from '../../../connectors/index.ts';
import type { AnyConnector } from '../../core/connector.ts';
import { CodedError } from '../../core/errors.ts';
import type { SampleFormat } from './sample-format.ts';

/**
 * Replaces how a feed is read by what a person has said.
 * @param keys keys of `source`, as in a sync file
 * @throws CodedError FF_USAGE if there is no such connector, or if its options are not valid
 */
export function correctFormat(
  format: SampleFormat,
  { connector: kind, ...keys }: Readonly<Record<string, unknown>>,
): SampleFormat {
  const isOther = kind !== undefined && kind !== format.connector;
  const connector = connectors.find((one) => one.kind === (kind ?? format.connector));
  if (connector === undefined) {
    const kinds = connectors.map((one) => one.kind).join(', ');
    throw new CodedError('FF_USAGE', `source.connector: "${String(kind)}" must be one of ${kinds}.`);
  }
  const names = optionsOf(connector);
  const given = Object.fromEntries(Object.entries(keys).filter(([name]) => names.has(name)));
  if (!isOther && Object.keys(given).length === 0) return format;
  const read = connector.options.safeParse(given);
  if (!read.success) {
    throw new CodedError('FF_USAGE', `The ${connector.kind} feed cannot be read so: ${z.prettifyError(read.error)}`);
  }
  const base = isOther ? {} : format.options;
  const said = Object.fromEntries(Object.keys(given).map((name) => [name, 'as you said']));
  return {
    ...(isOther ? { evidence: {} } : format),
    connector: connector.kind,
    options: { ...base, ...given },
    reading: { ...(isOther ? {} : (format.reading ?? format.options)), ...(read.data as object) },
    evidence: { ...(isOther ? {} : format.evidence), ...said, ...(isOther && { connector: 'as you said' }) },
  };
}

/** The options of a connector. The other keys of `source` say how a feed is opened, or what its records mean. */
function optionsOf({ options }: AnyConnector): Set<string> {
  const { properties = {} } = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' });
  return new Set(Object.keys(properties));
}
