import { describe, expectTypeOf, test } from 'vitest';
import type {
  AccountInput,
  CmsAccount,
  CmsClient,
  CmsError,
  CmsEvent,
  ErrorCode,
  ErrorDetail,
  EventInput,
  FileReference,
  ItemChanges,
  Page,
  UploadFile,
} from '../../../src/cms/client.ts';
import type { Payload } from '../../../src/core/record.ts';

interface Custom {
  source_key: string;
  image?: FileReference;
}
type Events = ReturnType<typeof events>;
type OwnEvents = ReturnType<typeof ownEvents>;
declare const client: CmsClient;
const events = () => client.events();
const ownEvents = () => client.events<Custom>();
const anyEvents = () => client.events<Payload>();
const ownAccounts = () => client.accounts<{ badge: number }>();

const concert = { title: 'Concert', date: '2030-05-01', endDate: '2030-05-01', time: { start: '19:30:00' } };

describe('Inputs', () => {
  test('An event needs its title, dates and time, and has no unknown or ill-typed attribute', () => {
    expectTypeOf(concert).toExtend<EventInput>();
    expectTypeOf<EventInput>().pick('title').toEqualTypeOf<{ title: string }>();
    expectTypeOf<{ titel: string; date: number }>().not.toExtend<EventInput>();
    expectTypeOf<Omit<typeof concert, 'time'>>().not.toExtend<EventInput>();
    // @ts-expect-error no such attribute
    () => events().create({ ...concert, titel: 'typo' });
    // @ts-expect-error no time at all
    () => events().create({ ...concert, time: {} });
    () => events().create({ ...concert, time: { type: 'timed' } });
    // @ts-expect-error a date is text
    () => events().create({ ...concert, date: 7 });
    // @ts-expect-error no such part
    () => events().patch(1, { time: { begin: '10:00:00' } });
  });

  test('A patch takes any part of the attributes, and null to clear one', () => {
    expectTypeOf<Events['patch']>().parameter(1).toEqualTypeOf<ItemChanges<EventInput>>();
    expectTypeOf<{ description: null }>().toExtend<ItemChanges<EventInput>>();
    expectTypeOf<{ title: null }>().not.toExtend<EventInput>();
  });

  test('Custom attributes are typed, and other ones refused', () => {
    expectTypeOf<OwnEvents['create']>().parameter(0).toEqualTypeOf<EventInput<Custom>>();
    expectTypeOf<typeof concert & { source_key: string }>().toExtend<EventInput<Custom>>();
    expectTypeOf(concert).not.toExtend<EventInput<Custom>>();
    // @ts-expect-error a custom attribute that is not named
    () => events().create({ ...concert, source_key: 'a:1' });
    expectTypeOf<ReturnType<typeof ownAccounts>['create']>()
      .parameter(0)
      .toEqualTypeOf<AccountInput<{ badge: number }>>();
    expectTypeOf<{ phoneHome: number }>().not.toExtend<AccountInput>();
  });

  test('With an index signature, any attribute is allowed', () => {
    expectTypeOf<ReturnType<typeof anyEvents>['create']>().parameter(0).toEqualTypeOf<Payload>();
  });

  test('A file is a Blob, bytes, a stream or a File', () => {
    expectTypeOf<{ fileName: string; content: NodeJS.ReadableStream & AsyncIterable<Buffer> }>().toExtend<UploadFile>();
    expectTypeOf<{ fileName: string; content: ReadableStream<Uint8Array> }>().toExtend<UploadFile>();
    expectTypeOf<File>().toExtend<Parameters<CmsClient['upload']>[1]>();
  });
});

describe('Results', () => {
  test('Items have the attributes of the API, and all others as unknown', () => {
    expectTypeOf<CmsEvent['id']>().toEqualTypeOf<number>();
    expectTypeOf<CmsEvent['isToday']>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<CmsAccount['lastName']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<CmsEvent['colour']>().toBeUnknown();
  });

  test('Custom attributes have their type, but may be missing', () => {
    expectTypeOf<OwnEvents['get']>().returns.resolves.toEqualTypeOf<CmsEvent<Custom>>();
    expectTypeOf<CmsEvent<Custom>['source_key']>().toEqualTypeOf<string | null | undefined>();
  });

  test('Lists yield items, and pages hold them', () => {
    expectTypeOf<Events['page']>().returns.resolves.toEqualTypeOf<Page<CmsEvent>>();
    expectTypeOf<Events['list']>().returns.toEqualTypeOf<AsyncGenerator<CmsEvent, number | undefined, undefined>>();
  });

  test('Errors have typed facts', () => {
    expectTypeOf<CmsError['code']>().toEqualTypeOf<ErrorCode>();
    expectTypeOf<CmsError['kind']>().toEqualTypeOf<'permanent' | 'retryable' | 'stops'>();
    expectTypeOf<CmsError['errors']>().toEqualTypeOf<readonly ErrorDetail[]>();
    expectTypeOf<CmsError['requestId']>().toEqualTypeOf<string | undefined>();
  });
});
