/** A mistake of a newcomer, and texts that the command must print: what is wrong, where, and what to write instead. */
export interface Mistake {
  mistake: string;
  /** Files below config/ that replace files of `baseFiles`. */
  files?: Record<string, string | Uint8Array>;
  /** Default: `validate`. */
  args?: string[];
  env?: Record<string, string>;
  /** Texts in the output, in any order. `HOST` is the server of feeds, without `http://`. */
  says: string[];
}

const TARGET = `target:
  baseUrl: \${CMS_BASE_URL}
  token: \${CMS_API_TOKEN}
  timezone: America/New_York
`;

const MUSEUM = `resource: events
source:
  connector: csv
  url: museum.csv
key: Nr
map:
  title: Titel
  start: Beginn
`;

const PEOPLE = `resource: accounts
source:
  connector: json
  url: people.json
key: login
map:
  username: login
  email: contact.email
`;

const CSV = 'Nr;Titel;Beginn\n2026-101;Alte Karten;2027-03-01\n2026-102;Segeln;2027-03-02\n';
const RECORDS = JSON.stringify([{ login: 'ada', contact: { email: 'ada@example.edu' } }]);

const oldSpreadsheet = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);

/** A config without mistakes: calendar events from CSV, and accounts from JSON. */
export const baseFiles: Record<string, string> = {
  'feedferry.yaml': TARGET,
  'syncs/museum.yaml': MUSEUM,
  'syncs/museum.csv': CSV,
  'syncs/people.yaml': PEOPLE,
  'syncs/people.json': RECORDS,
};

const museum = (from: string, to: string) => ({ 'syncs/museum.yaml': MUSEUM.replace(from, to) });
const people = (from: string, to: string) => ({ 'syncs/people.yaml': PEOPLE.replace(from, to) });
const target = (from: string, to: string) => ({ 'feedferry.yaml': TARGET.replace(from, to) });
const begins = (...dates: string[]) => ({
  'syncs/museum.csv': `Nr;Titel;Beginn\n${dates.map((date, index) => `${index + 1};Karten;${date}\n`).join('')}`,
});
const from = (path: string) => people('people.json', `http://HOST/${path}\n  allowPrivateNetwork: true\n  retries: 0`);

const preview = ['preview', 'museum'];

export const mistakes: Mistake[] = [
  // Map
  { mistake: 'unknown column', files: museum('Titel', 'Title'), args: preview, says: ['did you mean "Titel"?'] },
  {
    mistake: 'unknown JSON field',
    files: people('contact.email', 'email'),
    args: ['preview', 'people'],
    says: ['"email" of map.email', 'did you mean "contact.email"?'],
  },
  {
    mistake: 'unknown JSON key',
    files: people('key: login', 'key: email'),
    args: ['preview', 'people'],
    says: ['"email" of key', 'did you mean "contact.email"?'],
  },
  { mistake: 'attribute startDate', files: museum('start:', 'startDate:'), says: ['did you mean "start"?'] },
  {
    mistake: 'German dates',
    files: begins('1.3.2027', '12.11.2027'),
    args: preview,
    says: ['add format: d.M.yyyy', 'write start: { field: "Beginn", format: "d.M.yyyy" } (fits 2 of 2 values)'],
  },
  {
    mistake: 'DD.MM.YYYY',
    files: museum('start: Beginn', 'start: { field: Beginn, format: DD.MM.YYYY }'),
    says: ['dd.MM.yyyy'],
  },
  {
    mistake: 'dates with slashes',
    files: begins('1/3/2027', '12/24/2027'),
    args: preview,
    says: ['add format: d/M/yyyy or M/d/yyyy', 'format: "M/d/yyyy" } (fits 2 of 2 values)'],
  },
  {
    mistake: 'day that does not exist',
    files: { ...museum('start: Beginn', 'start: { field: Beginn, format: dd.MM.yyyy }'), ...begins('30.02.2027') },
    args: preview,
    says: ['"30.02.2027" is not a calendar date'],
  },
  {
    mistake: 'template as a field',
    files: museum('title: Titel', 'title: "{{ Titel }}"'),
    says: ['write { template: "{{ Titel }}" }'],
  },
  {
    mistake: 'lookup',
    files: museum('title: Titel', 'title: { field: Titel, lookup: { A: B } }'),
    args: preview,
    says: ['"Alte Karten" is not in the lookup table', 'field "Titel"'],
  },
  // CMS
  {
    mistake: 'wrong token',
    args: ['doctor'],
    env: { CMS_API_TOKEN: 'wrong' },
    says: ['Settings, API', 'CMS_API_TOKEN'],
  },
  { mistake: 'CMS refuses', args: ['doctor'], env: { CMS_BASE_URL: 'http://127.0.0.1:1' }, says: ['target.baseUrl'] },
  {
    mistake: 'address with /api/v1',
    files: target('${CMS_BASE_URL}', 'https://www.example.edu/api/v1'),
    says: ['remove /api/v1 from target.baseUrl'],
  },
  {
    mistake: 'https on an http port',
    args: ['doctor'],
    env: { CMS_BASE_URL: 'https://HOST' },
    says: ['does not use TLS', 'correct the port'],
  },
  {
    mistake: 'address without https://',
    env: { CMS_BASE_URL: 'www.example.edu' },
    says: ['write https://www.example.edu'],
  },
  {
    mistake: 'http elsewhere',
    args: ['doctor'],
    env: { CMS_BASE_URL: 'http://www.example.edu' },
    says: ['Use https://', 'allowHttp: true'],
  },
  // Feeds
  {
    mistake: '404',
    files: from('404'),
    args: ['preview', 'people'],
    says: ['nothing at this address', 'Correct `source.url`'],
  },
  { mistake: '401', files: from('401'), args: ['preview', 'people'], says: ['auth:'] },
  {
    mistake: 'https feed on http port',
    files: people('people.json', 'https://HOST/a\n  allowPrivateNetwork: true\n  retries: 0'),
    args: ['preview', 'people'],
    says: ['does not use TLS', 'correct the port'],
  },
  {
    mistake: 'feed host unknown',
    files: people('people.json', 'https://feeds.invalid/a\n  retries: 0'),
    args: ['preview', 'people'],
    // Without a network, the name server does not respond.
    says: ['the host feeds.invalid ', 'check'],
  },
  {
    mistake: 'feed file missing',
    files: museum('museum.csv', 'musuem.csv'),
    says: ['syncs/musuem.csv does not exist', 'source.url'],
  },
  {
    mistake: 'JSON error object',
    files: { 'syncs/people.json': '{"error":"key expired"}' },
    args: ['preview', 'people'],
    says: ['key expired'],
  },
  {
    mistake: 'JSON list inside',
    files: { 'syncs/people.json': `{"meta":1,"data":{"people":${RECORDS},"other":[{"a":1}]}}` },
    args: ['preview', 'people'],
    says: ['items: $.data.people'],
  },
  {
    mistake: 'xls',
    files: { 'syncs/museum.csv': oldSpreadsheet },
    args: preview,
    says: ['(.xls)', 'password', '.xlsx', 'CSV'],
  },
  {
    mistake: 'web page',
    files: { 'syncs/museum.csv': '<!doctype html><title>Login</title>' },
    args: preview,
    says: ['web page', '`source.url`'],
  },
  {
    mistake: 'wrong delimiter',
    files: museum('csv\n', 'csv\n  delimiter: ","\n'),
    args: preview,
    says: ['write delimiter: ";" under source'],
  },
  { mistake: 'header only', files: { 'syncs/museum.csv': 'Nr;Titel;Beginn\n' }, args: preview, says: ['0 records'] },
  {
    mistake: 'header only, sync',
    files: { 'syncs/museum.csv': 'Nr;Titel;Beginn\n' },
    args: ['sync', 'museum'],
    says: ['museum: syncs/museum.csv has no records'],
  },
  { mistake: 'empty list', files: { 'syncs/people.json': '[]' }, args: ['preview', 'people'], says: ['0 records'] },
  { mistake: 'empty file', files: { 'syncs/museum.csv': '' }, args: preview, says: ['empty'] },
  {
    mistake: 'connector excel',
    files: museum('connector: csv', 'connector: excel'),
    says: ['write connector: csv, which reads .xlsx, too'],
  },
  { mistake: 'connector ics', files: museum('connector: csv', 'connector: ics'), says: ['connector: ical'] },
  // YAML
  { mistake: 'indentation', files: museum('  url', '    url'), says: ['indented too far', 'connector: csv', '^'] },
  {
    mistake: 'no colon',
    files: museum('title: Titel', 'title Titel'),
    says: ['the colon is missing: write title: Titel', 'title Titel', '^'],
  },
  {
    mistake: 'no space',
    files: museum('title: Titel', 'title:Titel'),
    says: ['the space after the colon is missing: write title: Titel', 'title:Titel', '^'],
  },
  { mistake: 'tab', files: museum('  title', '\ttitle'), says: ['spaces, not with tabs', '^'] },
  {
    mistake: 'cron unquoted',
    files: museum('key: Nr', 'key: Nr\nschedule: { cron: */15 * * * * }'),
    says: ['write cron: "*/15 * * * *"', '^'],
  },
  {
    mistake: 'variable in braces',
    files: target('token: ${CMS_API_TOKEN}', 'token: { token: ${CMS_API_TOKEN} }'),
    says: ['write "${CMS_API_TOKEN}"', '^'],
  },
  {
    mistake: '{{ unquoted',
    files: museum('title: Titel', 'title: {{ Titel }}'),
    says: ['write title: { template: "{{ Titel }}" }', '^'],
  },
  { mistake: 'key twice', files: museum('key: Nr', 'key: Nr\nkey: Nr'), says: ['twice', '^'] },
  // Variables
  {
    mistake: 'variable missing',
    files: target('${CMS_API_TOKEN}', '${CMS_TOKEN}'),
    says: ['CMS_TOKEN is not set; did you mean CMS_API_TOKEN?', '.env', '${NAME:-default}'],
  },
  {
    mistake: 'colon in .env',
    files: { '../.env': '# CMS\nCMS_API_TOKEN: abc\n' },
    says: ['.env:2 is not NAME=value', 'Correct the line: `NAME=value`'],
  },
  { mistake: 'variable empty', env: { CMS_API_TOKEN: '' }, says: ['the variable CMS_API_TOKEN is empty'] },
  // Keys and values
  { mistake: 'unknown key', files: museum('key: Nr', 'key: Nr\nshedule: 1'), says: ['"schedule"'] },
  { mistake: 'retries in target', files: target('timezone', 'retries: 3\n  timezone'), says: ['maxAttempts'] },
  {
    mistake: 'cron as text',
    files: museum('key: Nr', 'key: Nr\nschedule: "*/15 * * * *"'),
    says: ['schedule: { cron: "*/15 * * * *" }'],
  },
  { mistake: 'schedule: daily', files: museum('key: Nr', 'key: Nr\nschedule: daily'), says: ['{ every: 1d }'] },
  {
    mistake: 'every: 15',
    files: museum('key: Nr', 'key: Nr\nschedule: { every: 15 }'),
    says: ['write 15s or 15m or 15h'],
  },
  { mistake: 'past: 30', files: museum('key: Nr', 'key: Nr\nwindow: { past: 30 }'), says: ['write 30d'] },
  { mistake: 'timezone Berlin', files: target('America/New_York', 'Berlin'), says: ['Europe/Berlin'] },
  {
    mistake: 'timezone of a city',
    files: target('America/New_York', 'Europe/Munich'),
    says: ['write', 'Europe/Berlin'],
  },
  { mistake: 'timezone of a country', files: target('America/New_York', 'Germany'), says: ['"Europe/Berlin"'] },
  { mistake: 'timezone CEST', files: target('America/New_York', 'CEST'), says: ['did you mean "Europe/Berlin"?'] },
  { mistake: 'timezone EST typo', files: target('America/New_York', 'America/New York'), says: ['America/New_York'] },
  // Command line
  { mistake: 'command typo', args: ['validat'], says: ['Did you mean validate?'] },
  { mistake: 'init without a terminal', args: ['init', 'a.csv'], says: ['feedferry init SOURCE --yes'] },
  { mistake: 'help', args: ['help'], says: ['Every day:', 'feedferry help topics'] },
  { mistake: 'help, list', args: ['help', 'topics'], says: ['configuration  ', 'Configuration'] },
  { mistake: 'help, page', args: ['help', 'mapping'], says: ['A map turns the fields of a record'] },
  { mistake: 'help, command', args: ['help', 'sync'], says: ['Usage: feedferry sync', '--dry-run'] },
  { mistake: 'help, error', args: ['help', 'ff_guard_empty'], says: ['The feed has no records', '→'] },
  { mistake: 'help, typo', args: ['help', 'maping'], says: ['did you mean "mapping"?', 'feedferry help topics'] },
  { mistake: 'version', args: ['version'], says: ['feedferry --version'] },
  { mistake: '-v', args: ['-v'], says: ['feedferry --version'] },
  { mistake: '--dry-run', args: ['sync', '--dry-run'], says: ['museum: 2 read, 2 to create', 'people: 1 read'] },
  { mistake: '--dry-run of a retry', args: ['retry', 'museum', '--dry-run'], says: ['feedferry sync --dry-run'] },
  {
    mistake: '--config first',
    args: ['--config', 'DIR', 'validate'],
    env: { FEEDFERRY_CONFIG: '/nowhere' },
    says: ['valid'],
  },
  { mistake: 'sync name typo', args: ['preview', 'musuem'], says: ['"museum"'] },
  { mistake: 'preview alone', args: ['preview'], says: ['museum, people'] },
  { mistake: 'plan alone', args: ['plan'], says: ['museum, people'] },
  { mistake: 'explain alone', args: ['explain'], says: ['museum, people'] },
  { mistake: 'explain without key', args: ['explain', 'museum'], says: ['feedferry explain SYNC KEY'] },
  { mistake: 'explain, key typo', args: ['explain', 'museum', '2026-1O1'], says: ['2026-101'] },
  {
    mistake: 'explain, title',
    args: ['explain', 'museum', 'Karten'],
    says: ['Alte Karten, 2027-03-01 (2026-101) of museum\n', 'Accepted'],
  },
  { mistake: 'preview, key typo', args: ['preview', 'museum', '--key', '2026-10'], says: ['2026-101'] },
  { mistake: 'run id', args: ['undo', 'abc'], says: ['feedferry runs'] },
  { mistake: 'mistake in another file', files: people('key:', 'kye:'), args: preview, says: ['2026-101'] },
];
