import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { addSandboxOptions, readSandboxOptions } from '../../../../../src/cli/commands/sandbox/sandbox-options.ts';
import { switchesSchema } from '../../../../../src/sandbox/options.ts';

const read = (...args: string[]) =>
  readSandboxOptions(addSandboxOptions(new Command('sandbox')).parse(args, { from: 'user' }).opts());

describe('Command-line options of the sandbox', () => {
  test('The sandbox decides about options that are not given', () => {
    expect(read()).toEqual({ switches: {} });
  });

  test('Every switch has an option of its own type', () => {
    const { switches } = read(
      ...['--last-page', 'empty', '--links', 'bare', '--max-limit', '7', '--over-limit', '422'],
      ...['--attributes-filter', 'ignored'],
      ...['--search', 'ignored', '--date-filter', 'starts', '--cleared', 'omit', '--patch-time', 'replace'],
      ...[
        '--patch-unsent',
        'clears',
        '--attributes',
        'source_key,location',
        '--alt-text',
        'refused',
        '--answers',
        'id',
      ],
      ...['--put-strictness', 'requires', '--upload-types', 'image/png,any'],
      ...['--numbers-as-strings', '--upload-status', '200', '--missing-header', '403', '--instances', 'arts,2'],
      ...['--unique-accounts', 'email', '--max-body-bytes', '2048', '--max-upload-bytes', '4096'],
    );
    expect(Object.keys(switches ?? {})).toEqual(Object.keys(switchesSchema.shape));
    expect(switches).toEqual({
      lastPage: 'empty',
      links: 'bare',
      maxLimit: 7,
      overLimit: 422,
      attributesFilter: 'ignored',
      search: 'ignored',
      dateFilter: 'starts',
      cleared: 'omit',
      patchTime: 'replace',
      patchUnsent: 'clears',
      attributes: ['source_key', 'location'],
      altText: 'refused',
      answers: 'id',
      putStrictness: 'requires',
      numbersAsStrings: true,
      uploadTypes: ['image/png', 'any'],
      uploadStatus: 200,
      missingHeader: 403,
      instances: ['arts', '2'],
      uniqueAccounts: ['email'],
      maxBodyBytes: 2048,
      maxUploadBytes: 4096,
    });
  });

  test.each([
    ['--last-page', 'maybe', 'one of omit|empty|error'],
    ['--max-limit', '0', 'from 1 to 100000'],
    ['--max-limit', '', 'a whole number'],
    ['--over-limit', '404', 'one of reduced|400|422'],
    ['--max-body-bytes', 'many', 'a whole number from 1024,'],
    ['--missing-header', '404', 'one of 400|403|406'],
    ['--timezone', 'Mars/Olympus', 'an IANA time zone'],
    ['--port', '70000', 'from 0 to 65535'],
    ['--unique-accounts', 'username,shoe', 'a list of username|email'],
  ])('The option %s %j is refused, with the values that it accepts', (option, value, expectation) => {
    const refusal = expect.objectContaining({ code: 'FF_USAGE', message: expect.stringContaining(expectation) });
    expect(() => read(option, value)).toThrow(refusal);
    expect(() => read(option, value)).toThrow(new RegExp(`^${option} .*"${value}"`));
  });
});
