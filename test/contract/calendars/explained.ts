/** Differences between the connector and node-ical, and why the connector is right, or what was decided. */
export const explained: ReadonlyArray<{
  because: string;
  /** The UIDs by file. */
  in: Readonly<Record<string, readonly string[]>>;
}> = [
  {
    because: 'One event that node-ical cannot read makes it throw away the whole file.',
    in: {
      '23-time-zones.ics': ['(file)'],
      '25-exceptions.ics': ['(file)'],
      '25-floods.ics': ['(file)'],
      'node-ical-bad-items.ics': ['(file)'],
    },
  },
  {
    because: 'Cancelled events are not published (docs/ical.md); node-ical returns them.',
    in: {
      'campus-calendar.ics': ['faculty-recital-2026@calendar.alder.example.edu'],
      'calendar.ics': ['off@alder.example.edu'],
      '25-changed-instances.ics': ['cancelled-instance', 'cancelled-series'],
      'google-calendar.ics': ['3a1b2c3d4e5f@google.com'],
      'meetup.ics': ['event_310000004@meetup.com'],
    },
  },
  {
    because: 'Private events are not published (docs/ical.md); node-ical returns them.',
    in: { 'outlook.ics': ['040000008200E00074C5B7101A82E0080000000004'] },
  },
  {
    because: 'X-MICROSOFT-CDO-ALLDAYEVENT makes whole days of midnights (docs/ical.md); node-ical returns times.',
    in: { 'outlook.ics': ['040000008200E00074C5B7101A82E0080000000002'] },
  },
  {
    because: 'Dates and times that do not exist are rejected; node-ical rolls 30 February over to 2 March.',
    in: {
      'campus-calendar.ics': ['alumni-board-2027@calendar.alder.example.edu'],
      'calendar.ics': ['bad-date@alder.example.edu'],
      '25-changed-instances.ics': ['unreadable-change'],
      'node-ical-bad-items.ics': ['30-february', 'hour-25', 'bad-exdate'],
    },
  },
  {
    because: 'X-WR-TIMEZONE is the zone of floating times; node-ical takes that of the machine.',
    in: { 'calendar.ics': ['breakfast@alder.example.edu'], '23-time-zones.ics': ['floating-is-x-wr-timezone'] },
  },
  {
    because:
      'A time in the gap of spring moves forward by the gap (RFC 5545, 3.3.5); node-ical leaves that day out of a series.',
    in: { '22-daylight-saving.ics': ['daily-through-the-gap'] },
  },
  {
    because: 'A time in the repeated hour of autumn is the first one (RFC 5545, 3.3.5); node-ical takes the second.',
    in: { '22-daylight-saving.ics': ['single-in-the-fold'] },
  },
  {
    because: 'A DURATION of a day is one day of the calendar (RFC 5545, 3.3.6); to node-ical it is 24 hours.',
    in: { '22-daylight-saving.ics': ['a-nominal-day'] },
  },
  {
    because: 'A display text of Windows means a zone; node-ical takes the offset in it, which is that of winter.',
    in: { '23-time-zones.ics': ['windows-display-name'] },
  },
  {
    because: 'The zone at the end of a path is meant; node-ical takes the zone of the machine.',
    in: { '23-time-zones.ics': ['mozilla-prefix', 'freeassociation-prefix'] },
  },
  {
    because: 'The rules of a VTIMEZONE define its zone; node-ical ignores them.',
    in: {
      '23-time-zones.ics': [
        'custom-rules-summer',
        'custom-rules-winter',
        'custom-rules-gap',
        'custom-rules-fold',
        'custom-rules-series',
        'custom-rules-before-they-began',
        'custom-rules-that-ended',
        'custom-rules-in-their-time',
        'custom-rules-by-dates',
        'custom-rules-by-dates-after',
        'abbreviation-that-the-calendar-defines',
      ],
    },
  },
  {
    because: 'An ambiguous abbreviation is in the configured zone, with a warning; node-ical throws.',
    in: {
      '23-time-zones.ics': ['abbreviation-that-nobody-defines'],
      'node-ical-bad-items.ics': ['tzid-cst', 'tzid-bst'],
    },
  },
  {
    because: 'An abbreviation of one zone is that zone; node-ical throws.',
    in: { 'node-ical-bad-items.ics': ['tzid-pst', 'tzid-jst'] },
  },
  {
    because:
      'A RECURRENCE-ID that is a floating time or a DATE names the occurrence at that time or on that day; node-ical keeps both.',
    in: { '25-changed-instances.ics': ['moved'] },
  },
  {
    because: 'RANGE=THISANDFUTURE changes all later occurrences; node-ical changes one.',
    in: { '25-changed-instances.ics': ['this-and-future', 'this-and-future-cancelled'] },
  },
  {
    because: 'An occurrence with a time may be moved to a whole day; node-ical takes the form of its series.',
    in: { '25-changed-instances.ics': ['instance-all-day'] },
  },
  {
    because: 'Changed instances of a series that is not in the feed are events; node-ical keeps one of them.',
    in: { '25-changed-instances.ics': ['no-master'] },
  },
  {
    because: 'A floating EXDATE is on the clock of its series; node-ical takes the zone of the machine.',
    in: { '25-exceptions.ics': ['exdate-floating'] },
  },
  {
    because: 'EXRULE removes dates; node-ical ignores it.',
    in: { '25-exceptions.ics': ['exrule'] },
  },
  {
    because: 'RDATE adds dates; node-ical ignores it.',
    in: {
      '25-exceptions.ics': ['rdate-times', 'rdate-dates', 'rdate-period', 'rdate-beside-a-rule', 'rdate-and-exdate'],
    },
  },
  {
    because: 'All rules of a series count; node-ical follows the last one.',
    in: { '25-exceptions.ics': ['several-rules'] },
  },
  {
    because: 'Rules may be in lower case (RFC 5545, 2); node-ical throws.',
    in: { '25-exceptions.ics': ['lower-case-rule'] },
  },
  {
    because: 'A series with too many dates is cut off and reported; node-ical throws.',
    in: { '25-floods.ics': ['every-second', 'every-second-counted', 'every-second-excepted'] },
  },
  {
    because: 'DTSTART is an occurrence even if no rule makes it (RFC 5545, 3.8.5.3); node-ical leaves it out.',
    in: { '25-floods.ics': ['never', 'never-by-seconds', 'never-by-position'] },
  },
  {
    because: 'An empty RRULE is none; node-ical throws.',
    in: { 'node-ical-bad-items.ics': ['empty-rule'] },
  },
  {
    because:
      'A rule that cannot be read rejects its event; node-ical throws, or ignores the part that it does not know.',
    in: {
      'node-ical-bad-items.ics': [
        ...['no-freq', 'byday-xx', 'interval-0', 'bad-until', 'until-30-february', 'hour-25-rule', 'unknown-part'],
      ],
    },
  },
  {
    because: 'An event with two starts or ends is rejected; node-ical throws.',
    in: { 'node-ical-bad-items.ics': ['doubled-dtstart', 'doubled-dtend'] },
  },
  {
    because:
      'Any text may be a UID; node-ical stores events beside the properties of the calendar, and loses those of the same name, or throws.',
    in: { 'node-ical-bad-items.ics': ['type', 'version', 'prodid', 'vcalendar', 'params'] },
  },
  {
    because: 'Names of properties may be in lower case (RFC 5545, 2); node-ical does not know them.',
    in: { 'node-ical-bad-items.ics': ['lower-case'] },
  },
  {
    because:
      'An escaped backslash is a backslash (RFC 5545, 3.3.11); node-ical makes a line break of the second one and the n after it.',
    in: { 'node-ical-bad-items.ics': ['backslash'] },
  },
];
