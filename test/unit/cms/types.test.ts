import { describe, expectTypeOf, test } from 'vitest';
import type {
  CmsAccount,
  CmsClient,
  CmsError,
  CmsEvent,
  ErrorCode,
  ErrorDetail,
  Page,
} from '../../../src/cms/client.ts';

type Events = ReturnType<CmsClient['events']>;

describe('Results', () => {
  test('Items have the attributes of the API, and all others as unknown', () => {
    expectTypeOf<CmsEvent['id']>().toEqualTypeOf<number>();
    expectTypeOf<CmsEvent['isToday']>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<CmsAccount['lastName']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<CmsEvent['colour']>().toBeUnknown();
  });

  test('Lists yield items, and pages hold them', () => {
    expectTypeOf<Events['page']>().returns.resolves.toEqualTypeOf<Page<CmsEvent>>();
    expectTypeOf<Events['list']>().returns.toEqualTypeOf<AsyncGenerator<CmsEvent, number | undefined, undefined>>();
  });

  test('Errors have typed facts', () => {
    expectTypeOf<CmsError['code']>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<CmsError['kind']>().toEqualTypeOf<'permanent' | 'retryable' | 'stops'>();
    expectTypeOf<CmsError['errors']>().toEqualTypeOf<readonly ErrorDetail[]>();
  });
});
