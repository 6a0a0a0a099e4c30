import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import PostalMime, { type Email } from 'postal-mime';
import { SMTPServer } from 'smtp-server';

/** An email that the server has accepted, with the sender and recipients of its envelope. */
export interface ReceivedMail {
  from: string;
  to: string[];
  parsed: Email;
}

/** An SMTP server on this machine. */
export interface MailServer {
  /** Address as `host:port`. It stays the same after {@link MailServer.away}. */
  readonly host: string;
  /** Emails that the server has accepted, in order of arrival. */
  readonly received: ReceivedMail[];
  /** Stops accepting connections until {@link MailServer.back}. */
  away(): Promise<void>;
  back(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts an SMTP server. It accepts any sender, the recipients for which `accepts` returns true,
 * and only the password "right".
 */
export async function startMailServer(
  accepts: (recipient: string) => boolean = () => true,
): Promise<MailServer> {
  const received: ReceivedMail[] = [];
  let server = await listen(0);
  const { port } = server.server.address() as AddressInfo;

  async function listen(at: number): Promise<SMTPServer> {
    const opened = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      onAuth: (auth, _session, done) =>
        done(auth.password === 'right' ? null : new Error('wrong password'), { user: auth.username }),
      onRcptTo: ({ address }, _session, done) => done(accepts(address) ? null : new Error('no such user')),
      onData: (stream, session, done) => {
        const pieces: Buffer[] = [];
        stream.on('data', (piece: Buffer) => pieces.push(piece));
        stream.on('end', () => {
          const { mailFrom, rcptTo } = session.envelope;
          PostalMime.parse(Buffer.concat(pieces)).then((parsed) => {
            received.push({
              from: mailFrom === false ? '' : mailFrom.address,
              to: rcptTo.map((recipient) => recipient.address),
              parsed,
            });
            done();
          }, done);
        });
      },
    });
    opened.on('error', () => undefined);
    opened.listen(at, '127.0.0.1');
    await once(opened.server, 'listening');
    return opened;
  }

  const close = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return {
    host: `127.0.0.1:${port}`,
    received,
    away: close,
    async back() {
      server = await listen(port);
    },
    close,
  };
}
