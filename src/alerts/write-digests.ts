import type { SyncConfig } from '../config/types.ts';
import { siteTime } from '../core/dates/site-time.ts';
import { hashJson } from '../core/hash.ts';
import type { SyncHealth } from '../ledger/runs/sync-health.ts';
import type { Send } from './channel.ts';
import { type Digest, digestOf, wellDigest } from './digests/compose.ts';
import { type DigestFacts, digestFacts, wrongIn } from './digests/facts.ts';
import { linkFor } from './digests/link.ts';
import type { FeedOwner } from './digests/owners.ts';
import { digestMail, digestText } from './digests/render.ts';
import { entryTable } from './digests/table.ts';
import type { Mail } from './email.ts';
import type { Writer, WriterContext } from './writer.ts';

/** The kind under which the ledger keeps that something is wrong with a feed. */
const KIND = 'partial';

/**
 * Writes the digests for an owner of a feed: what is wrong with it, when something new is, and that all is well again.
 * @param replyTo the people who run the site
 * @param judged channel → the run by which the feed was judged last
 */
export function digestWriter(
  { sync, owner, channel }: { sync: SyncConfig; owner: FeedOwner; channel: string },
  health: SyncHealth,
  { mailer, replyTo, judged }: { mailer: Send<Mail>; replyTo: readonly string[]; judged: Map<string, string> },
  { timezone, consoleUrl, ledger }: Omit<WriterContext, 'config'>,
): Writer {
  const { name } = sync;
  const today = siteTime(health.now, timezone).slice(0, 10);
  let facts: Promise<DigestFacts> | undefined;
  const read = () => {
    facts ??= digestFacts(sync, owner, { health, today, ledger });
    return facts;
  };
  return { everyMs: owner.every, note, write };

  async function note(): Promise<boolean> {
    const run = health.latest?.run;
    if (run === undefined || judged.get(`${name} ${channel}`) === run) return true;
    const ids = wrongIn(await read());
    if (ids.length === 0 && (await read()).isUnsettled) return false;
    const { reported = new Set<string>() } = (await ledger.alerts.lastNoted(name, channel, KIND)) ?? {};
    const known = ids.filter((id) => reported.has(id));
    if (reported.size > known.length) await ledger.alerts.keepReported(name, channel, KIND, known);
    const causes = new Map(ids.length > 0 ? [[KIND, run] as const] : []);
    await ledger.alerts.note(name, channel, causes, new Set(known.length === ids.length ? [KIND] : []));
    judged.set(`${name} ${channel}`, run);
    return true;
  }

  async function write([{ run, since, isOver, sentCount, reported }]: Parameters<Writer['write']>[0]) {
    const found = await read();
    const digest = isOver
      ? wellDigest(found, owner, timezone)
      : digestOf(found, owner, { timezone, reported, link: await linkToPage() });
    const mail: Mail = {
      ...mailOf(digest, owner, replyTo),
      id: hashJson(['digest', name, channel, isOver, since, run, sentCount]).slice(0, 32),
      ...(!isOver &&
        found.rejected.length + found.files.length > 0 && {
          attachments: [{ ...entryTable(found, owner.language), contentType: 'text/csv; charset=utf-8' }],
        }),
    };
    const ids = isOver ? [] : wrongIn(found);
    return { title: digest.title, run, reported: ids, send: (signal: AbortSignal) => mailer(mail, signal) };
  }

  async function linkToPage() {
    const link = consoleUrl && (await linkFor(name, owner, { now: health.now, secrets: ledger.sessions }));
    return link ? { to: `${consoleUrl}${link.path}`, until: link.until } : undefined;
  }
}

/** A digest as a mail, in plain text and HTML. */
export function mailOf(digest: Digest, { email }: FeedOwner, replyTo: readonly string[]): Omit<Mail, 'id'> {
  return { to: [email], replyTo, subject: digest.title, text: digestText(digest), html: digestMail(digest) };
}
