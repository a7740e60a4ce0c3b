import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in lists: query parameters, pages and their links. */
export const listMutants: Mutant[] = [
  ...inFile('src/sandbox/list.ts', [
    {
      name: 'default-limit-of-25',
      rule: 'limit: default 20',
      before: 'const defaultLimit = 20;',
      after: 'const defaultLimit = 25;',
    },
    {
      name: 'limit-ignored',
      rule: 'limit: maximum number of items to return',
      before: "single(query, 'limit', wholeNumber) ?? defaultLimit",
      after: 'defaultLimit',
    },
    {
      name: 'page-ignored',
      rule: 'page: page number of results',
      before: "single(query, 'page', wholeNumber) ?? 1",
      after: '1',
    },
    {
      name: 'attributes-ignored',
      rule: 'attributes: returns items whose values match',
      before: "switches.attributesFilter === 'on' ?",
      after: "switches.attributesFilter !== 'on' ?",
    },
    {
      name: 'search-ignored',
      rule: 'search: returns events matching the query',
      before: "ofEvents && switches.search === 'on' ?",
      after: "!ofEvents && switches.search === 'on' ?",
    },
    {
      name: 'search-of-accounts',
      rule: 'search: events only',
      before: "ofEvents && switches.search === 'on' ?",
      after: "switches.search === 'on' ?",
    },
    {
      name: 'start-date-ignored',
      rule: 'startDate: only events on or after the date',
      before: 'startDate: ofEvents ?',
      after: 'startDate: !ofEvents ?',
    },
    {
      name: 'start-date-of-accounts',
      rule: 'Accounts: query attributes, limit, page, sort',
      before: 'startDate: ofEvents ?',
      after: 'startDate: true ?',
    },
    {
      name: 'end-date-ignored',
      rule: 'endDate: only events on or before the date',
      before: 'endDate: ofEvents ?',
      after: 'endDate: !ofEvents ?',
    },
    {
      name: 'end-date-of-accounts',
      rule: 'Accounts: query attributes, limit, page, sort',
      before: 'endDate: ofEvents ?',
      after: 'endDate: true ?',
    },
    {
      name: 'sort-ignored',
      rule: 'sort: sort order',
      before: 'sort: sortTerms(query),',
      after: 'sort: [],',
    },
    {
      name: 'sort-reversed',
      rule: 'sort: values are prefixed with + or -',
      before: "descending: text.startsWith('-')",
      after: "descending: !text.startsWith('-')",
    },
    {
      name: 'sort-with-minus-refused',
      rule: 'sort: values are prefixed with + or -',
      before: "text.replace(/^[+ -]/, '')",
      after: "text.replace(/^[+ ]/, '')",
    },
    {
      name: 'total-items-of-the-page',
      rule: 'totalItems: the total number of items that could be returned',
      before: 'totalItems: total,',
      after: 'totalItems: data.length,',
    },
    {
      name: 'total-items-missing',
      rule: 'List envelope: totalItems',
      before: '    totalItems: total,\n',
      after: '',
    },
    {
      name: 'total-of-the-page',
      rule: 'List envelope: pagination.total',
      before: 'count: data.length, totalPages, total, links',
      after: 'count: data.length, totalPages, total: data.length, links',
    },
    {
      name: 'count-of-all-items',
      rule: 'pagination.count: items in this set',
      before: 'count: data.length, totalPages',
      after: 'count: total, totalPages',
    },
    {
      name: 'total-pages-rounded-down',
      rule: 'List envelope: pagination.totalPages',
      before: 'Math.ceil(total / limit)',
      after: 'Math.floor(total / limit)',
    },
    {
      name: 'total-pages-with-an-empty-last-one',
      rule: 'List envelope: pagination.totalPages',
      before: 'Math.ceil(total / limit)',
      after: 'total === 0 ? 0 : Math.floor(total / limit) + 1',
    },
    {
      name: 'per-page-is-always-20',
      rule: 'limit changes the set size',
      before: 'perPage: limit,',
      after: 'perPage: defaultLimit,',
    },
    {
      name: 'current-page-from-0',
      rule: 'pagination.currentPage',
      before: 'currentPage: page,',
      after: 'currentPage: page - 1,',
    },
    {
      name: 'next-link-to-the-same-page',
      rule: 'pagination.links holds next',
      before: 'next: link(page + 1)',
      after: 'next: link(page)',
    },
    {
      name: 'next-link-missing',
      rule: 'pagination.links holds next',
      before: 'page < lastLinked &&',
      after: 'page < 1 &&',
    },
    {
      name: 'previous-link-on-the-first-page',
      rule: 'previous, when a page beyond the first is requested',
      before: 'page > 1 &&',
      after: 'page > 0 &&',
    },
    {
      name: 'previous-link-missing',
      rule: 'previous, when a page beyond the first is requested',
      before: 'page > 1 &&',
      after: 'page > lastLinked &&',
    },
    {
      name: 'links-named-prev',
      rule: 'links: optional next and previous',
      before: '{ previous: link(page - 1) }',
      after: '{ prev: link(page - 1) }',
    },
    {
      name: 'links-without-instance',
      rule: 'instance: instance key of the app',
      before: "if (name === 'page' || name === 'limit') continue;",
      after: "if (name === 'page' || name === 'limit' || name === 'instance') continue;",
    },
    {
      name: 'links-without-limit',
      rule: 'links: such as ?page=<n>&limit=<n>',
      before: '{ page: String(page), limit: String(limit) }',
      after: '{ page: String(page) }',
    },
  ]),
  ...inFile('src/sandbox/store/store-sql.ts', [
    {
      name: 'attributes-joined-by-any',
      rule: 'attributes: values match the value given for each attribute',
      before: "where: terms.map(([sql]) => sql).join(' AND '),",
      after:
        "where: terms\n      .map(([sql], at) => {\n        const isFilter = (index: number) => terms[index]?.[0].includes(' IN (') ?? false;\n        const joint = at === 0 ? '' : isFilter(at) && isFilter(at - 1) ? ' OR ' : ' AND ';\n        const [open, close] = [isFilter(at) && !isFilter(at - 1), isFilter(at) && !isFilter(at + 1)];\n        return `${joint}${open ? '(' : ''}${sql}${close ? ')' : ''}`;\n      })\n      .join(''),",
    },
    {
      name: 'only-one-attribute-filters',
      rule: 'attributes: one or more attributes',
      before: 'of query.attributes) {',
      after: 'of query.attributes.slice(0, 1)) {',
    },
    {
      name: 'only-the-last-attribute-filters',
      rule: 'attributes: one or more attributes',
      before: 'of query.attributes) {',
      after: 'of query.attributes.slice(-1)) {',
    },
    {
      name: 'start-date-exclusive',
      rule: 'startDate: only events on or after the date',
      before: '${lastDay} >= ?',
      after: '${lastDay} > ?',
    },
    {
      name: 'end-date-exclusive',
      rule: 'endDate: only events on or before the date',
      before: "'first_day <= ?'",
      after: "'first_day < ?'",
    },
    {
      name: 'list-of-all-instances',
      rule: 'instance: instance key of the app',
      before: "['instance = ?', query.instance]",
      after: "['? IS NOT 0', query.instance]",
    },
  ]),
  ...inFile('src/sandbox/store/store.ts', [
    {
      name: 'pages-overlap',
      rule: 'limit changes the set size and page selects the set',
      before: '(query.page - 1) * query.limit',
      after: '(query.page - 1) * (query.limit - 1)',
    },
  ]),
  ...inFile('src/sandbox/resource-routes.ts', [
    {
      name: 'list-without-nested-attributes',
      rule: 'List envelope: data is an array of items',
      before: 'envelope(items.map(present),',
      after: 'envelope(items.map(present).map(({ time: _, badge: __, ...rest }) => rest),',
    },
  ]),
];
