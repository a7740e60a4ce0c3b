import type { Texts } from './texts.ts';

const quoted = (text: string) => `“${text}”`;

export const en: Texts = {
  language: 'en',
  quoted,
  where: (columns, isTable) => {
    const [one, several] = isTable ? ['column', 'columns'] : ['field', 'fields'];
    if (columns.length === 0) return '';
    return ` in the ${columns.length === 1 ? one : several} ${columns.map(quoted).join(', ')}`;
  },
  someValue: 'A value',
  mistakes: {
    date: (value, where) => `${value}${where} is not a valid date or time.`,
    missing: (_, where) => `A value is missing${where}.`,
    key: (_, where) => `What distinguishes this entry from the others is missing${where}.`,
    duplicate: (value, where) => `${value}${where} occurs several times, but the entries differ.`,
    lookup: (value, where) => `${value}${where} is not one of the values that we know.`,
    malformed: () => 'This part of the feed cannot be read.',
    email: (value, where) => `${value}${where} is not an e-mail address.`,
    web: (value, where) => `${value}${where} is not a web address.`,
    yesNo: (value, where) => `${value}${where} means neither yes nor no.`,
    value: (value, where) => `${value}${where} cannot be published as it is.`,
    noDay: (value, where) => `${value}${where} is a day that programs write if there is none.`,
    alt: (_, where) => `The picture${where} has no description.`,
    short: (value, where, limit) => `${value}${where} has fewer than ${limit} characters.`,
    long: (value, where, limit) => `${value}${where} has more than ${limit} characters.`,
    narrow: (_, where, limit) => `The picture${where} is less than ${limit} pixels wide.`,
  },
  fixes: {
    date: (_, example) =>
      `Correct it, and write it in the same way as ${example ? `here: ${example}.` : 'in the other entries.'}`,
    missing: 'Fill it in.',
    key: 'Give the entry a number or name of its own.',
    duplicate: 'Give each entry a number or name of its own, or delete those that you do not need.',
    lookup: 'Check the spelling. If the value is right, tell us, so that we can add it.',
    malformed: 'Check whether a quotation mark, a separator or a bracket is missing here, or is there by mistake.',
    email: 'Correct the address: it looks like name@example.org.',
    web: 'Correct the address: it looks like https://www.example.org/page.',
    yesNo: 'Write yes or no.',
    value: 'Correct it. If it is right, tell us.',
    noDay: 'Write the real day.',
    alt: (where) => `Write one${where}.`,
    short: 'Write a longer text.',
    long: 'Shorten it.',
    narrow: 'Use a larger one.',
  },
  files: {
    unreadable: (where) =>
      `The file${where} cannot be read. Check whether its name or address is right, and whether it is still there.`,
    type: (where) => `The file${where} is not an image or a PDF. Use one of these.`,
    large: (where) => `The file${where} is too large. Use a smaller one.`,
    outside: (where) => `The file${where} is in a folder that we may not read. Put it into the folder of the feed.`,
  },
  feeds: {
    missing: 'There is no longer a file where the feed used to be. Put it back, or tell us where it is now.',
    refused:
      'Its server refuses to give it to us. Open the address of the feed in a private window of a browser: you should see the feed, not an error. If the feed has moved, tell us the new address.',
    silent:
      'Its server does not answer in time. Open the address of the feed in a browser to see whether it works there.',
    format:
      'What we get is not the feed, or it is damaged. Open its address in a private window of a browser: you should see the feed itself, not a page for reading or for logging in.',
    columns: 'Columns that we need are missing. Name the columns as before.',
    large: 'It has become much larger than it may be. Check what it contains. If all of it is right, tell us.',
    letters: 'Its letters cannot be decoded. Save the file as UTF-8.',
    part: 'It ends too early. Save it again, or check the program that writes it.',
  },
  places: { line: 'line', row: 'row', entry: 'entry', page: 'page', event: 'event' },
  subjects: {
    unread: (feed) => `We cannot read your feed ${feed}`,
    empty: (feed) => `Your feed ${feed} has no entries`,
    rejected: (feed, count, isOne) =>
      isOne
        ? `An entry of your feed ${feed} cannot be published`
        : `${count} entries of your feed ${feed} cannot be published`,
    cancelled: (feed) => `Cancelled events of your feed ${feed} are still on the website`,
    files: (feed) => `Pictures of your feed ${feed} cannot be used`,
    over: (feed) => `Your feed ${feed} has no coming events`,
    well: (feed) => `Your feed ${feed} is in order again`,
    test: (feed) => `Test message about your feed ${feed}`,
  },
  hello: (name) => (name ? `Hello ${name},` : 'Hello,'),
  read: (feed, time) => `We last read your feed ${feed} on ${time}.`,
  heads: {
    unread: 'The feed cannot be read',
    empty: 'No entries',
    rejected: 'Entries that cannot be published',
    cancelled: 'Cancelled, but still on the website',
    files: 'Pictures and files that cannot be used',
    over: 'No coming events',
  },
  unread: (since, isPartly) =>
    `We have not been able to read the whole feed since ${since}. ${isPartly ? 'What we could read is published; nothing is removed.' : 'Until we can, the website shows what it showed then.'}`,
  empty:
    'Your feed has no entries. The website does not remove those of before by itself. Check whether the feed is written as it should be.',
  over: (day) => `The last event in your feed was on ${day}. Check whether the feed is still kept up to date.`,
  rejected: (count, all, isOne) =>
    `${count} of ${all} entries ${isOne ? 'is' : 'are'} missing on the website, or ${isOne ? 'is' : 'are'} there as before.`,
  news: (count) => `New since our last message: ${count}.`,
  waiting: (count) => `New entries that an editor of the website still has to look at: ${count}.`,
  cancelled: 'In your feed, these are cancelled or private. If they should disappear from the website, tell us.',
  filesMissing: 'The website shows these entries without the file, or with an earlier one.',
  more: (count) => `… and ${count} more`,
  attached: 'The attached table lists them with their values. It opens in any spreadsheet program.',
  closing: 'Once you have corrected something in the feed, it is published by itself.',
  link: (until) => `This page shows what is wrong at the moment. The link works until ${until}:`,
  signed:
    'This message was written by a program, and people read your answer. It writes again when something new is wrong, and when all is well.',
  well: 'Everything that we have written to you about is in order. Nothing is left to do.',
  nothing: 'Nothing is wrong with your feed.',
  unsettled: 'Your feed is not published completely at the moment. Those who run the website see to it.',
  page: (feed) => `Your feed ${feed}`,
  test: 'This is only a test: nothing is wrong. If something is wrong with your feed, a message arrives at this address.',
  table: { name: 'entries', place: 'Place', entry: 'Entry', mistake: 'What is wrong', fix: 'What to do' },
};
