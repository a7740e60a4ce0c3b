import { isObject } from '../../core/record.ts';
import { type Guess, isProposedFile, type Proposal, type ProposedFile, type ProposedRule } from '../proposal.ts';
import { type Corrections, isAttributeLine, lineOf, sourceKeysOf } from './corrections.ts';

const SAID = 'as you said';

/** The parts of a proposal that are lists of lines. */
interface Lines {
  map: Record<string, Guess<ProposedRule>>;
  attachments: Record<string, Guess<ProposedFile>>;
  suggested: Record<string, Guess<ProposedRule>>;
}

/** Replaces the lines of a proposal that a person has written as in a sync file, and removes those that were left out. */
export function applyLines(proposal: Proposal, corrections: Corrections): Proposal {
  const { lines } = corrections;
  const parts: Lines = {
    map: { ...proposal.map },
    attachments: { ...proposal.attachments },
    suggested: { ...proposal.suggested },
  };
  for (const [line, value] of Object.entries(lines)) if (isAttributeLine(line)) setAttribute(parts, line, value, lines);
  for (const [line, value] of Object.entries(lines)) {
    if (line.startsWith('attachments.')) setAttachment(parts, line.slice('attachments.'.length), value);
    else if (line.endsWith('.format')) setFormat(parts, line.slice(0, -'.format'.length), value);
  }
  return {
    ...proposal,
    ...parts,
    source: sourceWith(proposal.source, corrections),
    ...('key' in lines && lines.key !== null && { key: said(lines.key as string | readonly string[]) }),
    ...keyWith('when', lines),
    ...keyWith('schedule', lines),
    ...keyWith('authority', lines),
    ...keyWith('missing', lines),
    ...(Object.hasOwn(lines, 'recurrence') && {
      recurrence: lines.recurrence === null ? undefined : said(lines.recurrence),
    }),
  };
}

function setAttribute(
  { map, attachments, suggested }: Lines,
  line: string,
  value: unknown,
  lines: Corrections['lines'],
): void {
  // Fields of a whole line were already turned into rules.
  const isPart = lineOf(line) !== line;
  if (isObject(value) && !isPart) dropParts(map, line, value, lines);
  if (isObject(value) || (isPart && typeof value === 'string')) map[line] = said(value);
  if (value !== null) return;
  const isOf = (attribute: string) => attribute === line || lineOf(attribute) === line;
  for (const attributes of [map, attachments, suggested]) {
    for (const attribute of Object.keys(attributes).filter(isOf)) delete attributes[attribute];
  }
}

/** Removes the inferred parts of a time that a person has written as a whole, because they would come first. */
function dropParts(map: Lines['map'], line: string, rule: object, lines: Corrections['lines']): void {
  const hasTimes = readsTimes(rule);
  for (const attribute of Object.keys(map)) {
    if (attribute === line || lineOf(attribute) !== line || Object.hasOwn(lines, attribute)) continue;
    if (hasTimes || !attribute.startsWith('time.')) delete map[attribute];
  }
}

/** Whether a rule for a start or an end reads times, too, and not only days. */
function readsTimes(rule: object): boolean {
  const formats = 'format' in rule ? [rule.format].flat().map(String) : undefined;
  return formats?.some((format) => /[Hh]|^unix|^excel$/.test(format.replace(/'[^']*'/g, ''))) ?? true;
}

function setAttachment({ attachments }: Lines, attribute: string, value: unknown): void {
  if (isProposedFile(value)) attachments[attribute] = said(value);
  else if (!isObject(value)) delete attachments[attribute];
}

/** Sets the format of the first attribute of a line: that of `start` may be in `date`. */
function setFormat({ map }: Lines, line: string, format: unknown): void {
  const attributes = Object.keys(map);
  const attribute = attributes.find((name) => name === line) ?? attributes.find((name) => lineOf(name) === line);
  const given = attribute === undefined ? undefined : map[attribute]?.value;
  if (attribute === undefined || given === undefined) return;
  const { format: _, ...others } = isObject(given) ? given : { field: given };
  map[attribute] = said({ ...others, ...(format !== null && { format }) });
}

function sourceWith(source: Proposal['source'], corrections: Corrections): Proposal['source'] {
  const kept = Object.entries(source).filter(([name]) => corrections.lines[`source.${name}`] !== null);
  const given = Object.entries(sourceKeysOf(corrections)).map(([name, value]) => [name, said(value)]);
  return { ...Object.fromEntries(kept), ...Object.fromEntries(given) };
}

function keyWith<Name extends 'when' | 'authority' | 'schedule' | 'missing'>(name: Name, lines: Corrections['lines']) {
  if (!Object.hasOwn(lines, name)) return {};
  const value = lines[name];
  return { [name]: isObject(value) ? said(value) : undefined };
}

function said<Value>(value: Value): Guess<Value> {
  return { value, evidence: SAID };
}
