import { expect, test } from 'vitest';
import { alertMail, createMailer } from '../../../src/alerts/email.ts';
import type { AlertMessage } from '../../../src/alerts/message.ts';
import { startMailServer } from '../../support/alert-servers.ts';

const message: AlertMessage = {
  id: '0a1b',
  type: 'alert',
  sync: 'talks',
  kinds: ['failed'],
  title: 'talks: the run failed',
  text: 'Look further: feedferry status talks',
  since: '2027-03-01T08:00:00.000Z',
  times: 1,
  problems: [],
  commands: [],
};
const never = new AbortController().signal;

function channel(host: string, port: number, password: string) {
  const smtp = { host, port, secure: false, auth: { user: 'feeds', password } };
  const send = createMailer({ from: 'Feeds <feeds@example.edu>', smtp });
  return { send: (what: AlertMessage, signal: AbortSignal) => send(alertMail(what, ['a@example.edu']), signal) };
}

test('An e-mail says what happened, and is marked as automatic', async () => {
  await using server = await startMailServer();
  await channel('127.0.0.1', server.port, 'p/w').send(message, never);
  const [{ content, user } = { content: '', user: '' }] = server.received.all;
  expect(user).toBe('feeds');
  expect(content).toContain('Message-ID: <0a1b@example.edu>');
  expect(content).toContain('Auto-Submitted: auto-generated');
  expect(content).toContain('talks: the run failed\r\n\r\nLook further: feedferry status talks');
});

test('A refusal of the mail server is reported without the password', async () => {
  await using server = await startMailServer();
  const sent = channel('127.0.0.1', server.port, 'hush-hush').send(message, never);
  await expect(sent).rejects.toMatchObject({
    code: 'FF_ALERT_UNSENT',
    message: expect.not.stringContaining('hush-hush'),
  });
  expect(server.received.all).toEqual([]);
});

test('No password is sent unencrypted to another machine', async () => {
  await using server = await startMailServer();
  // This address is not known to be this machine, though it leads here.
  const sent = channel('0.0.0.0', server.port, 'p/w').send(message, never);
  await expect(sent).rejects.toMatchObject({ code: 'FF_ALERT_UNSENT', message: expect.stringMatching(/TLS/) });
  expect(server.logins()).toBe(0);
});
