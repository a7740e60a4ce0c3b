/** Changes of the sources between the first and the second pass of the demo, each of one record. */
export const sourceEdits = [
  {
    file: 'museum-events.csv',
    what: '“How to Read a Portolan Chart” starts half an hour later',
    from: 'TK-0412,How to Read a Portolan Chart,2026-01-22,,18:30,20:00',
    to: 'TK-0412,How to Read a Portolan Chart,2026-01-22,,19:00,20:30',
  },
  {
    file: 'museum-events.csv',
    what: '“Lunchtime Piano” gets another picture',
    from: 'CON,Atrium,Free with admission,files/concert.jpg',
    to: 'CON,Atrium,Free with admission,files/gallery.png',
  },
  {
    file: 'campus-calendar.ics',
    what: '“Spring break” is named after its year',
    from: 'SUMMARY:Spring break',
    to: 'SUMMARY:Spring break 2026',
  },
  {
    file: 'staff.json',
    what: 'Amara Okonkwo has a new phone number',
    from: '"office": "+1 207 555 0100"',
    to: '"office": "+1 207 555 0199"',
  },
];
