import { randomUUID } from 'node:crypto';
import { id, instant } from '@winnow/contract/primitives';
import { z } from 'zod';
import { defineJob, type HandledJob, handle, JobCannotSucceed } from '../jobs/job.ts';
import type { EnqueueOptions, Jobs } from '../jobs/jobs.ts';
import { type Secrets, SecretUnreadable } from '../secrets.ts';
import type { Mail, Mailer } from './mailer.ts';

/**
 * Job that sends one email, with retries for two and a half days. The payload is encrypted, since
 * the link in the email may grant access. So neither the job table nor a backup of it reveals the
 * link or the recipient.
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
  /** Key for replacing emails: an email replaces a waiting email with the same key. */
  readonly key?: string;
  /** Expiry: from this time on, the email is useless and is not sent. */
  readonly notAfter?: Date;
}

/**
 * Queues emails in the database. Callers do not wait for the mail server, and its outages lose no
 * emails.
 */
export class MailQueue {
  readonly #jobs: Jobs;
  readonly #secrets: Secrets;

  constructor(options: { jobs: Jobs; secrets: Secrets }) {
    this.#jobs = options.jobs;
    this.#secrets = options.secrets;
  }

  /**
   * Queues an email. With a transaction (`db`), the email is sent only if the transaction commits.
   */
  async add(mail: Mail, { db, key, notAfter }: QueueMailOptions = {}): Promise<void> {
    const mailId = randomUUID();
    const payload = {
      id: mailId,
      kind: mail.kind,
      sealed: this.#secrets.seal(JSON.stringify(mail), mailContextOf(mailId)).toString('base64'),
      not_after: notAfter?.toISOString() ?? null,
    };
    await this.#jobs.enqueue(sendMail, payload, {
      ...(db === undefined ? {} : { db }),
      ...(key === undefined ? {} : { key: `mail:${key}` }),
    });
  }
}

/** Returns the handler that passes queued emails to the mailer. */
export function handleMail(options: { mailer: Mailer; secrets: Secrets; now: () => Date }): HandledJob {
  const { mailer, secrets, now } = options;
  return handle(sendMail, async ({ id: mailId, kind, sealed, not_after }) => {
    if (not_after !== null && new Date(not_after) <= now()) {
      throw new JobCannotSucceed(`The email ${kind} could not be sent before it expired.`);
    }
    await mailer.send(opened(secrets, sealed, mailId));
  });
}

function opened(secrets: Secrets, sealed: string, mailId: string): Mail {
  try {
    return mailSchema.parse(JSON.parse(secrets.open(Buffer.from(sealed, 'base64'), mailContextOf(mailId))));
  } catch (error) {
    if (!(error instanceof SecretUnreadable)) throw error;
    throw new JobCannotSucceed('The email was sealed with another key.', error);
  }
}

/** Returns the encryption context of a queued email. */
export function mailContextOf(mailId: string): string {
  return `mail:${mailId}`;
}
