import { candidates } from '../columns/choose.ts';
import type { Column } from '../columns/columns.ts';
import { eventNames } from '../columns/event-names.ts';
import { type Corrections, isDecided } from '../correct/corrections.ts';
import { coverage, textRule } from '../fields/rules.ts';
import { categoryFit, imageFit, placeFit } from '../fields/values.ts';
import type { Proposal, Question } from '../proposal.ts';
import type { FeedSample } from '../sample.ts';
import { zoneByTexts } from '../times/clocks-in-texts.ts';
import type { eventAttributes } from './events.ts';
import { statusOf } from './record-status.ts';

/** Formats that define the meaning of their fields, with the field that identifies a record. */
const formats = new Map([
  ['ical', { key: 'uid', evidence: 'the properties of iCalendar (RFC 5545) have a meaning' }],
  ['jsonld', { key: 'id', evidence: 'the properties of schema.org have a meaning' }],
  ['jsonfeed', { key: 'id', evidence: 'the members of JSON Feed have a meaning' }],
]);

/** Whether a format defines the meaning of its fields. */
export function hasOwnMap(connector: string): boolean {
  return formats.has(connector);
}

/** Proposes a sync for a format that has a default map. Only adds rules that the default map does not have, or that were corrected. */
export function ownMap(
  sample: FeedSample,
  columns: readonly Column[],
  events: ReturnType<typeof eventAttributes>,
  corrections: Corrections,
): Proposal | undefined {
  const format = formats.get(sample.connector);
  if (format === undefined) return undefined;
  const { key, evidence } = format;
  const best = (names: (typeof eventNames)[keyof typeof eventNames], fits: (column: Column) => number) =>
    candidates(columns, { names, fits })[0]?.column;
  const [category, location, image, url] = [
    best(eventNames.category, categoryFit),
    best(eventNames.location, placeFit),
    best(eventNames.image, imageFit),
    best(eventNames.url, () => 1),
  ];
  const options = Object.entries(sample.options).map(([name, value]) => [
    name,
    { value, evidence: 'as the feed is written' },
  ]);
  const named =
    sample.timezone === undefined ? undefined : { value: sample.timezone, evidence: 'the calendar names it' };
  const times = new Set(columns.filter(({ path }) => path === 'start' || path === 'end'));
  const isSaid = 'source.timezone' in corrections.lines;
  const byTexts = isSaid ? {} : zoneByTexts(columns, times, corrections.answers);
  const timezone = byTexts.timezone ?? named;
  // An item of JSON Feed says when it was published; a field of an extension may say when an event starts.
  const isOfPosts = sample.connector === 'jsonfeed';
  const ofPost = isOfPosts ? [...events.times.map] : [];
  return {
    resource: { value: 'events', evidence: 'the format has events' },
    source: {
      connector: { value: sample.connector, evidence },
      ...Object.fromEntries(options),
      ...(timezone && { timezone }),
    },
    key: { value: key, evidence: 'the format has it for this' },
    map: {
      ...(category && { category: textRule(category) }),
      ...(location && { location: textRule(location) }),
      ...Object.fromEntries(ofPost),
      ...decided(events.map),
    },
    attachments: {
      ...(image && { image: { value: image.path, evidence: coverage(image) } }),
      ...decided(events.attachments),
    },
    suggested: url ? { link: textRule(url) } : {},
    open: [
      ...(isOfPosts && ofPost.length === 0 ? events.times.open.map(ofPosts) : []),
      ...(byTexts.question ? [byTexts.question] : []),
    ],
    warnings: category && !('when' in corrections.lines) ? statusOf([category], 'events', {}).warnings : [],
  };
  /** Of these formats, fields only decide about the attributes that a person has corrected. */
  function decided<Value>(attributes: Readonly<Record<string, Value>>): Record<string, Value> {
    return Object.fromEntries(Object.entries(attributes).filter(([name]) => isDecided(corrections, name)));
  }
}

function ofPosts(question: Question): Question {
  const comment =
    'date_published is when an item was published, and is taken for the start: name the field that has the start.';
  return { ...question, safe: 'date_published', comment };
}
