import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

/** A list of things that arrive one after the other, for which tests can wait. */
export interface Inbox<Thing> {
  readonly all: Thing[];
  /** Waits until `count` things have arrived. */
  arrived(count: number): Promise<Thing[]>;
}

function createInbox<Thing>(): Inbox<Thing> & { put(thing: Thing): void } {
  const all: Thing[] = [];
  let wake = Promise.withResolvers<void>();
  return {
    all,
    put(thing) {
      all.push(thing);
      wake.resolve();
      wake = Promise.withResolvers();
    },
    async arrived(count) {
      while (all.length < count) await wake.promise;
      return all;
    },
  };
}

export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
  json: Record<string, unknown> & { type?: string; kinds?: string[]; text: string };
}

export interface WebhookServer extends AsyncDisposable {
  url: string;
  received: Inbox<Received>;
  /** Statuses of the next responses; later responses have status 200. */
  answers: number[];
  /** Address in the `location` header of responses. */
  location: string;
}

/** A web address that receives alerts. */
export async function startWebhookServer(): Promise<WebhookServer> {
  const received = createInbox<Received>();
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    outgoing.writeHead(hook.answers.shift() ?? 200, { location: hook.location }).end();
    received.put({ headers: incoming.headers, body, json: JSON.parse(body) as Received['json'] });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const hook: WebhookServer = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received,
    answers: [],
    location: '/elsewhere',
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return hook;
}

/** Starts a server for a feed that receives requests and never responds. */
export async function startHangingServer(): Promise<AsyncDisposable & { url: string; asked: Promise<unknown> }> {
  const server = createServer();
  const asked = once(server, 'request');
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/feed.csv`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Mail {
  from: string;
  to: string[];
  user: string | undefined;
  content: string;
}

export interface MailServer extends AsyncDisposable {
  port: number;
  received: Inbox<Mail>;
  /** Number of attempts to log in. */
  logins(): number;
}

/** Starts a mail server that accepts messages from the user `feeds` with the password `p/w`, except for `nobody@` any domain. */
export async function startMailServer(): Promise<MailServer> {
  const received = createInbox<Mail>();
  let logins = 0;
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    authOptional: true,
    onAuth({ username = '', password }, _session, done) {
      logins += 1;
      if (password === 'p/w') done(null, { user: username });
      else done(new Error('no such user'));
    },
    onRcptTo({ address }, _session, done) {
      if (address.startsWith('nobody@')) done(new Error('no such mailbox'));
      else done();
    },
    onData(stream, { envelope, user }, done) {
      text(stream).then((content) => {
        received.put({
          from: envelope.mailFrom ? envelope.mailFrom.address : '',
          to: envelope.rcptTo.map(({ address }) => address),
          user: typeof user === 'string' ? user : undefined,
          content,
        });
        done();
      }, done);
    },
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.server.address() as AddressInfo).port,
    received,
    logins: () => logins,
    async [Symbol.asyncDispose]() {
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** A mail as a person reads it: its subject, and the content of each part, by its type. */
export function readMail({ content }: Mail): { subject: string; parts: Map<string, string> } {
  const [head = ''] = content.split('\r\n\r\n', 1);
  const unfolded = head.replaceAll(/\r\n[ \t]+/g, ' ');
  const [, subject = ''] = /^Subject: (.*)$/m.exec(unfolded) ?? [];
  return { subject: decodedWords(subject), parts: new Map(partsOf(content)) };
}

function partsOf(content: string): Array<[string, string]> {
  const end = content.indexOf('\r\n\r\n');
  const head = content.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' ');
  const body = content.slice(end + 4);
  const [, boundary] = /boundary="([^"]+)"/.exec(head) ?? [];
  if (boundary)
    return body
      .split(`--${boundary}`)
      .slice(1, -1)
      .flatMap((part) => partsOf(part.replace(/^\r\n/, '')));
  const [, type = 'text/plain'] = /^Content-Type: ([^;\r\n]+)/im.exec(head) ?? [];
  const [, encoding = '7bit'] = /^Content-Transfer-Encoding: (\S+)/im.exec(head) ?? [];
  return [[type, decoded(body, encoding)]];
}

function decoded(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body.replaceAll('\r\n', '\n');
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([\dA-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString().replaceAll('\r\n', '\n');
}

/** Decodes the words of a header that are not ASCII (RFC 2047). */
function decodedWords(text: string): string {
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_, kind: string, word: string) => {
      if (kind.toUpperCase() === 'B') return Buffer.from(word, 'base64').toString();
      return decoded(word.replaceAll('_', ' '), 'quoted-printable');
    });
}
