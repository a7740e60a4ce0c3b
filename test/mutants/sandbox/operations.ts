import { inFile, type Mutant } from '../mutant.ts';

/** Bugs in the six operations of a resource and in their instances. */
export const operationMutants: Mutant[] = [
  ...inFile('src/sandbox/resource-routes.ts', [
    {
      name: 'create-is-200',
      rule: 'POST: 201, created event including id',
      before: 'reply.code(201);',
      after: 'reply.code(200);',
    },
    {
      name: 'create-returns-the-id-alone',
      rule: 'After create the body is the full event',
      before: 'reply.code(201);\n    return presentWritten(item);',
      after: 'reply.code(201);\n    return { id: item.id };',
    },
    {
      name: 'put-keeps-attributes',
      rule: 'PUT: every attribute not submitted has its value cleared',
      before: 'const data = kind.merge({}, kind.check(attributesOf(request)));',
      after: 'const data = kind.merge(existing(request).data, kind.check(attributesOf(request)));',
    },
    {
      name: 'put-keeps-custom-attributes',
      rule: 'PUT: every attribute not submitted has its value cleared',
      before: 'const data = kind.merge({}, kind.check(attributesOf(request)));',
      after: `const kept = Object.entries(existing(request).data).filter(([key]) => /_|badge/.test(key));
    const data = kind.merge(Object.fromEntries(kept), kind.check(attributesOf(request)));`,
    },
    {
      name: 'put-keeps-flags',
      rule: 'PUT: every attribute not submitted has its value cleared',
      before: 'const data = kind.merge({}, kind.check(attributesOf(request)));',
      after: `const kept = Object.entries(existing(request).data).filter(([, value]) => value === true);
    const data = kind.merge(Object.fromEntries(kept), kind.check(attributesOf(request)));`,
    },
    {
      name: 'put-keeps-time',
      rule: 'PUT: every attribute not submitted has its value cleared',
      before: 'const data = kind.merge({}, kind.check(attributesOf(request)));',
      after: 'const data = kind.merge({ time: existing(request).data.time ?? {} }, kind.check(attributesOf(request)));',
    },
    {
      name: 'patch-clears',
      rule: 'PATCH updates only the submitted attributes; the others are unchanged',
      before: 'const merged = kind.merge(kept, kind.check(attributesOf(request)));',
      after: 'const merged = kind.merge({}, kind.check(attributesOf(request)));',
    },
    {
      name: 'patch-ignores-custom-attributes',
      rule: 'Custom attributes are sent like the default ones',
      before: 'const merged = kind.merge(kept, kind.check(attributesOf(request)));',
      after: `const sent = Object.entries(kind.check(attributesOf(request))).filter(([key]) => !/_|badge/.test(key));
    const merged = kind.merge(kept, Object.fromEntries(sent));`,
    },
    {
      name: 'patch-returns-what-was-sent',
      rule: 'After PATCH the body is the full event',
      before: 'return presentWritten(writeItem(kind, merged, instanceOf(request), id));',
      after: 'writeItem(kind, merged, instanceOf(request), id);\n    return { id, ...attributesOf(request) };',
    },
    {
      name: 'patch-is-204',
      rule: 'PATCH: 200, edited event',
      before: 'api.patch(`${path}/:id`, (request) => {',
      after: 'api.patch(`${path}/:id`, (request, reply) => {\n    reply.code(204);',
    },
    {
      name: 'delete-is-200-with-a-body',
      rule: 'DELETE: 204, empty body',
      before: 'return reply.code(204).send();',
      after: 'return reply.code(200).send({ deleted: true });',
    },
    {
      name: 'delete-does-nothing',
      rule: 'DELETE removes',
      before: '!table.remove(idOf(request), instanceOf(request))',
      after: '!table.find(idOf(request), instanceOf(request))',
    },
    {
      name: 'missing-item-is-400',
      rule: '404: Not Found',
      before: 'new ApiError(404, `There is no item',
      after: 'new ApiError(400, `There is no item',
    },
    {
      name: 'missing-item-is-created-by-put',
      rule: '404: Not Found',
      before: 'api.put(`${path}/:id`, (request) => {\n    const { id } = existing(request);',
      after:
        'api.put(`${path}/:id`, (request) => {\n    const id = table.find(idOf(request), instanceOf(request))?.id;',
    },
    {
      name: 'instance-ignored',
      rule: 'instance: instance key of the app',
      before: "knownInstance(single(request.query as Query, 'instance'), switches)",
      after: 'knownInstance(undefined, switches)',
    },
    {
      name: 'instance-of-accounts',
      rule: 'instance: events only',
      before: 'return kind.ofEvents ? knownInstance(',
      after: 'return kind.path ? knownInstance(',
    },
  ]),
  ...inFile('src/sandbox/store/store.ts', [
    {
      name: 'instance-ignored-by-single-reads',
      rule: 'GET of an event: query instance',
      before: 'AND instance = coalesce(?, instance)',
      after: 'AND ? IS NOT 0',
    },
    {
      name: 'instance-ignored-by-delete',
      rule: 'DELETE of an event: query instance',
      before: 'WHERE id = ? AND instance = ?`',
      after: 'WHERE id = ? AND ? IS NOT 0`',
    },
  ]),
  ...inFile('src/sandbox/items.ts', [
    {
      name: 'change-not-kept',
      rule: 'PUT replaces, PATCH updates',
      before: 'if (known !== undefined) kind.table.update',
      after: 'if (known === 0) kind.table.update',
    },
    {
      name: 'create-of-the-first-of-the-required-alone',
      rule: 'On create, title, date, endDate and the time values are the minimum',
      before: 'kind.required.filter((key) =>',
      after: 'kind.required.slice(0, 1).filter((key) =>',
    },
  ]),
];
