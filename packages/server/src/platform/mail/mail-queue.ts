import { randomUUID } from 'node:crypto';
import { id, instant } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob, type HandledJob, handle, JobCannotSucceed } from '../jobs/job.ts';
import type { EnqueueOptions, Jobs } from '../jobs/jobs.ts';
import { type Secrets, SecretUnreadable } from '../secrets.ts';
import type { Mail, Mailer } from './mailer.ts';

/**
 * Sends one mail; tried again for two and a half days. The mail is sealed, as its link may let somebody in: who reads the
 * table of jobs, or a backup of it, reads neither the link nor to whom it goes.
 */
export const sendMail = defineJob({
  name: 'send-mail',
  version: 1,
  payload: z.object({ id, kind: z.string(), sealed: z.base64(), not_after: instant.nullable() }),
  maxAttempts: 20,
});

const mailSchema = z.object({
  to: z.string(),
  kind: z.string(),
  subject: z.string(),
  text: z.string(),
  html: z.string(),
}) satisfies z.ZodType<Mail>;

export interface QueueMailOptions extends Pick<EnqueueOptions, 'db'> {
  /** Of the mails of one key that wait, only the newest is sent. */
  readonly key?: string;
  /** What it says is of no use later: then it is not sent any more. */
  readonly notAfter?: Date;
}

/** Mails that are on their way: nobody waits for the mail server, and nothing is lost while it is away. */
export class MailQueue {
  readonly #jobs: Jobs;
  readonly #secrets: Secrets;

  constructor(options: { jobs: Jobs; secrets: Secrets }) {
    this.#jobs = options.jobs;
    this.#secrets = options.secrets;
  }

  /** Sees to it that the mail is sent, when and only when the transaction `db` is committed. */
  async add(mail: Mail, { db, key, notAfter }: QueueMailOptions = {}): Promise<void> {
    const mailId = randomUUID();
    const payload = {
      id: mailId,
      kind: mail.kind,
      sealed: this.#secrets.seal(JSON.stringify(mail), placeOf(mailId)).toString('base64'),
      not_after: notAfter?.toISOString() ?? null,
    };
    await this.#jobs.enqueue(sendMail, payload, {
      ...(db === undefined ? {} : { db }),
      ...(key === undefined ? {} : { key: `mail:${key}` }),
    });
  }
}

/** Hands queued mails to the mailer. */
export function handleMail(options: { mailer: Mailer; secrets: Secrets; now: () => Date }): HandledJob {
  const { mailer, secrets, now } = options;
  return handle(sendMail, async ({ id: mailId, kind, sealed, not_after }) => {
    if (not_after !== null && new Date(not_after) <= now()) {
      throw new JobCannotSucceed(`The mail ${kind} could not be sent before what it says was out of date.`);
    }
    await mailer.send(opened(secrets, sealed, mailId));
  });
}

function opened(secrets: Secrets, sealed: string, mailId: string): Mail {
  try {
    return mailSchema.parse(JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), placeOf(mailId))));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new JobCannotSucceed('The mail was sealed with another key.', error);
  }
}

/** What a mail that waits is sealed for. */
export function placeOf(mailId: string): string {
  return `mail:${mailId}`;
}
