import { createTransport } from 'nodemailer';
import { AppError } from '../errors.ts';
import { openOutbox } from './outbox.ts';

export type Mail = {
  /** Recipient, exactly one email address. */
  to: string;
  /** Kind of email, such as `verify-email`. The outbox uses it for file names. */
  kind: string;
  subject: string;
  text: string;
  html: string;
};

export type Mailer = {
  /**
   * Sends the email by SMTP, or writes it to the outbox if no SMTP server is configured. Does not
   * retry. Throws {@link MailFailed} on failure.
   */
  send(mail: Mail): Promise<void>;
  /**
   * Returns null if the SMTP server accepts the login, or none is configured. Otherwise returns a
   * sentence for the command `winnow doctor`.
   */
  check(): Promise<string | null>;
  close(): void;
};

export type MailerOptions = {
  /**
   * Address of the SMTP server: `smtp://user:password@host:587` or `smtps://…`. Without it, emails
   * are written to `DATA_DIR/outbox`.
   */
  smtpUrl?: string | undefined;
  /** Sender, such as `Winnow <winnow@example.com>`. */
  from: string;
  dataDir: string;
  log: { info(fields: object, message: string): void };
  now: () => Date;
};

/**
 * Thrown if the mail server rejects an email. `detail` contains neither the recipient nor the text.
 */
export class MailFailed extends AppError {
  constructor(detail: string, cause?: unknown) {
    super({ code: 'mail_failed', category: 'upstream_failed', detail, cause });
  }
}

/** Keeps the mail library from reading files or URLs that an email names. */
const NO_EXTERNAL_CONTENT = { disableFileAccess: true, disableUrlAccess: true };
const SMTP_TIMEOUTS = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/**
 * Creates the mailer. Throws an Error if the SMTP URL is invalid or the outbox folder is unusable.
 */
export async function createMailer(options: MailerOptions): Promise<Mailer> {
  return options.smtpUrl === undefined ? outboxMailer(options) : smtpMailer(options.smtpUrl, options);
}

function smtpMailer(smtpUrl: string, { from, log }: MailerOptions): Mailer {
  const transport = createTransport({ url: smtpUrl, ...SMTP_TIMEOUTS, ...NO_EXTERNAL_CONTENT });
  return {
    async send(mail) {
      const message = messageOf(mail, from);
      try {
        await transport.sendMail(message);
      } catch (error) {
        throw new MailFailed('The email could not be sent: the mail server rejected it.', error);
      }
      log.info({ kind: mail.kind }, 'mail sent');
    },
    async check() {
      try {
        await transport.verify();
        return null;
      } catch (error) {
        const said = error instanceof Error ? error.message.split('\n', 1)[0] : 'no reason given';
        return `The mail server of SMTP_URL rejects the connection (${said}). Check its address, user and password.`;
      }
    },
    close: () => transport.close(),
  };
}

async function outboxMailer({ from, dataDir, log, now }: MailerOptions): Promise<Mailer> {
  const outbox = await openOutbox(dataDir);
  const composer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...NO_EXTERNAL_CONTENT,
  });
  return {
    async send(mail) {
      const { message } = await composer.sendMail({ ...messageOf(mail, from), date: now() });
      if (!Buffer.isBuffer(message)) throw new MailFailed('The email could not be written.');
      const path = await outbox.write(mail.kind, message, now());
      log.info({ kind: mail.kind, path }, 'SMTP_URL is not set. The email was written to the outbox.');
    },
    check: async () => null,
    close: () => composer.close(),
  };
}

/**
 * Returns the message for the mail library. The recipient is an object, because commas or brackets
 * in a plain text could add recipients.
 */
function messageOf(mail: Mail, from: string) {
  return {
    from,
    to: { name: '', address: singleAddress(mail.to) },
    subject: oneLine(mail.subject),
    text: mail.text,
    html: mail.html,
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
}

/**
 * A simple email address: the RFC 5322 format without quotes, comments, lists, groups or control
 * characters.
 */
const EMAIL_ADDRESS = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,255}$/u;

function singleAddress(address: string): string {
  if (!EMAIL_ADDRESS.test(address))
    throw new MailFailed('The email could not be sent: the address is not valid.');
  return address;
}

function oneLine(text: string): string {
  return text.replace(/\s+/gu, ' ').trim();
}
