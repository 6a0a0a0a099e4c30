import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import PostalMime from 'postal-mime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startMailServer } from '../testing/mail-server.ts';
import { createMailer, type Mail, MailFailed } from './mailer.ts';

const MAIL: Mail = {
  to: 'ada@example.com',
  kind: 'verify-email',
  subject: 'Confirm your address ✓',
  text: 'Open https://winnow.example.com/verify?token=abc to confirm.\n.\nEnd.',
  html: '<p>Open <a href="https://winnow.example.com/verify?token=abc">this link</a>.</p>',
};
const FROM = 'Winnow <winnow@example.com>';

const cleanups: Array<() => Promise<unknown> | unknown> = [];
let dataDir: string;
let lines: Array<Record<string, unknown>>;
const log = { info: (fields: object, message: string) => lines.push({ ...fields, message }) };

beforeEach(async () => {
  lines = [];
  dataDir = await mkdtemp(join(tmpdir(), 'winnow-mail-'));
});
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
  await rm(dataDir, { recursive: true, force: true });
});

async function smtpServer(accepts?: (recipient: string) => boolean) {
  const server = await startMailServer(accepts);
  cleanups.push(() => server.close());
  return server;
}

async function mailerFor(smtpUrl?: string) {
  const now = () => new Date('2026-03-04T05:06:07.089Z');
  const mailer = await createMailer({ smtpUrl, from: FROM, dataDir, log, now });
  cleanups.push(() => mailer.close());
  return mailer;
}

test.each([
  'ada@example.com, eve@evil.example',
  'ada@example.com;eve@evil.example',
  'ada@example.com\r\nBcc: eve@evil.example',
  'ada@example.com\nBcc: eve@evil.example',
  'Ada <ada@example.com>',
  '"a b"@example.com',
  'team: ada@example.com;',
  'ada@example.com eve@evil.example',
  'ada',
  '@example.com',
  '',
])('refuses an address that is not exactly one recipient: %j', async (to) => {
  const { received, host } = await smtpServer();
  for (const mailer of [await mailerFor(`smtp://${host}`), await mailerFor()]) {
    await expect(mailer.send({ ...MAIL, to })).rejects.toThrow(MailFailed);
  }
  expect(received).toEqual([]);
  expect(await readdir(join(dataDir, 'outbox'))).toEqual([]);
});

test('a subject cannot inject headers or a body', async () => {
  const { received, host } = await smtpServer();
  const mailer = await mailerFor(`smtp://${host}`);
  await mailer.send({ ...MAIL, subject: 'Hi\r\nBcc: eve@evil.example\r\n\r\n<script>' });
  expect(received[0]?.to).toEqual(['ada@example.com']);
  const mail = received[0]?.parsed;
  expect(mail?.subject).toBe('Hi Bcc: eve@evil.example <script>');
  expect(mail?.bcc ?? []).toEqual([]);
  expect(mail?.text?.trim()).toBe(MAIL.text);
});

test('fails without revealing address, text or password if the server refuses or is down', async () => {
  const { host } = await smtpServer(() => false);
  const refused = await mailerFor(`smtp://${host}`);
  const wrong = await mailerFor(`smtp://winnow:wrong@${host}`);
  const absent = await mailerFor('smtp://127.0.0.1:1');
  for (const mailer of [refused, wrong, absent]) {
    const failure = mailer.send(MAIL);
    await expect(failure).rejects.toThrow(MailFailed);
    await expect(failure).rejects.toMatchObject({
      detail: 'The email could not be sent: the mail server rejected it.',
    });
  }
  expect(await wrong.check()).toMatch(/SMTP_URL rejects the connection/);
  expect(await absent.check()).toMatch(/SMTP_URL rejects the connection/);
  expect(lines).toEqual([]);
});

test('delivers the complete email, and logs only its kind', async () => {
  const { received, host } = await smtpServer();
  const mailer = await mailerFor(`smtp://winnow:right@${host}`);
  expect(await mailer.check()).toBeNull();
  await mailer.send(MAIL);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: 'winnow@example.com', to: ['ada@example.com'] });
  const mail = received[0]?.parsed;
  expect(mail?.from).toMatchObject({ name: 'Winnow', address: 'winnow@example.com' });
  expect([mail?.subject, mail?.text?.trim(), mail?.html?.trim()]).toEqual([
    MAIL.subject,
    MAIL.text,
    MAIL.html,
  ]);
  expect(lines).toEqual([{ kind: 'verify-email', message: 'mail sent' }]);
});

test('treats text that looks like a file or address as text', async () => {
  const { received, host } = await smtpServer();
  const mailer = await mailerFor(`smtp://${host}`);
  await mailer.send({ ...MAIL, text: 'file:///etc/passwd', html: 'http://127.0.0.1/' });
  const mail = received[0]?.parsed;
  expect([mail?.text?.trim(), mail?.html?.trim()]).toEqual(['file:///etc/passwd', 'http://127.0.0.1/']);
});

test('without a mail server, writes each email to its own file that only this user can read', async () => {
  const mailer = await mailerFor();
  expect(await mailer.check()).toBeNull();
  await mailer.send(MAIL);
  await mailer.send({ ...MAIL, kind: '../../etc/Reset Password' });
  const files = (await readdir(join(dataDir, 'outbox'))).sort();
  expect(files).toEqual([
    expect.stringMatching(/^2026-03-04T05-06-07-089Z-etc-reset-password-[0-9a-f]{6}\.eml$/),
    expect.stringMatching(/^2026-03-04T05-06-07-089Z-verify-email-[0-9a-f]{6}\.eml$/),
  ]);
  const path = join(dataDir, 'outbox', files[1] ?? '');
  if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
  const mail = await PostalMime.parse(await readFile(path));
  expect(mail).toMatchObject({ subject: MAIL.subject, to: [{ address: 'ada@example.com' }] });
  expect(mail.text?.trim()).toBe(MAIL.text);
  expect(mail.date).toBe('2026-03-04T05:06:07.000Z');
  expect(lines.map(({ path }) => basename(String(path))).sort()).toEqual(files);
});
