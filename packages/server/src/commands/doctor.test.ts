import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSecretsOf } from '../platform/install-key.ts';
import { openLog } from '../platform/log.ts';
import { createOutbound } from '../platform/outbound/outbound.ts';
import {
  createEmptyTestDatabase,
  createTestDatabase,
  type TestDatabase,
} from '../platform/testing/database.ts';
import { type MailServer, startMailServer } from '../platform/testing/mail-server.ts';
import { reachGitHub } from './doctor.ts';
import { runCommand } from './testing/run-command.ts';

const log = openLog({ level: 'silent' });
let folder: string;
let used: TestDatabase;
let mailServer: MailServer;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'winnow-doctor-'));
  used = await createTestDatabase();
  mailServer = await startMailServer();
  const source = { secretKey: undefined, dataDir: join(folder, 'used') };
  await openSecretsOf(source, { connection: used.connection, log });
});
afterAll(async () => {
  await used.drop();
  await mailServer.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs the doctor and returns its findings by topic. */
async function doctor(place: Parameters<typeof runCommand>[1]) {
  const { code, output } = await runCommand(['doctor'], place);
  const lines = output.trimEnd().split('\n');
  const told = Object.fromEntries(
    lines.slice(0, -1).map((line) => {
      const [, state, about = '', sentence] = /^(\w+) +([a-z ]+): (.*)$/.exec(line) ?? [];
      return [about, `${state}: ${sentence}`];
    }),
  );
  return { code, told, verdict: lines.at(-1) };
}

test('passes a healthy installation and lists every part of it', async () => {
  const env = { SMTP_URL: `smtp://${mailServer.host}`, MAIL_FROM: 'winnow@example.org' };
  const dataDir = join(folder, 'used');
  expect(await doctor({ database: used, dataDir, env })).toEqual({
    code: 0,
    told: {
      configuration: 'ok: All variables are valid.',
      'data folder': `ok: ${dataDir} is writable.`,
      secrets: 'ok: Sealed with the key file in the data folder.',
      database: 'ok: Reachable and up to date.',
      'embedding model': expect.stringMatching(/^ok: .* works\.$/),
      mail: 'ok: The mail server accepts the connection.',
      outbound: expect.stringMatching(/^(?:ok|note): /),
      payments: expect.stringMatching(/^note: /),
    },
    verdict: 'Winnow can run here.',
  });
}, 60_000);

test('changes nothing: reports a missing key without creating one', async () => {
  const dataDir = join(folder, 'empty');
  mkdirSync(dataDir);
  const beside = await doctor({
    database: used,
    dataDir,
    env: { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'w@example.org' },
  });
  expect(beside).toMatchObject({
    code: 1,
    told: {
      secrets: expect.stringMatching(/^note: There is no key yet: the first start creates .*secret\.key\.$/),
      database: expect.stringMatching(
        /^problem: There is no key file in .* Restore the previous secret\.key,/,
      ),
      mail: expect.stringMatching(/^problem: The mail server of SMTP_URL rejects the connection/),
    },
    verdict: 'Problems to fix before Winnow can run here: 2.',
  });
  expect(readdirSync(dataDir)).toEqual([]);
}, 60_000);

test('before the first start, tries the embedded database elsewhere without leaving files', async () => {
  const dataDir = join(folder, 'not', 'there');
  const first = await doctor({ dataDir });
  expect([first.code, first.verdict]).toEqual([0, 'Winnow can run here.']);
  expect(first.told).toMatchObject({
    'data folder': `note: ${dataDir} does not exist yet: the first start creates it.`,
    database: 'note: PostgreSQL runs here; the first start creates the database.',
    mail: expect.stringMatching(/^note: SMTP_URL is not set/),
  });
  expect(readdirSync(folder)).not.toContain('not');
}, 60_000);

test('reports a data folder that is a file and a damaged key as problems', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect((await doctor({ database: used, dataDir: file })).told['data folder']).toBe(
    `problem: ${file} is not a folder that the user of this process may write to. Grant write permission, or set DATA_DIR to another folder.`,
  );
  const dataDir = join(folder, 'damaged');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'secret.key'), 'x', { mode: 0o600 });
  expect((await doctor({ database: used, dataDir })).told.secrets).toMatch(
    /^problem: The key file .* is damaged/,
  );
}, 60_000);

test('notes a database with pending migrations, and reports a newer one as a problem', async () => {
  const empty = await createEmptyTestDatabase();
  const newer = await createTestDatabase();
  const dataDir = join(folder, 'used');
  try {
    expect((await doctor({ database: empty as TestDatabase, dataDir })).told.database).toBe(
      'note: Reachable; the next start or "winnow migrate" migrates it.',
    );
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(newer.db);
    expect((await doctor({ database: newer, dataDir })).told.database).toBe(
      'problem: The database was migrated by a newer Winnow (it has 9999-later). Start that version, or restore a backup from before the upgrade.',
    );
  } finally {
    await empty.drop();
    await newer.drop();
  }
}, 60_000);

describe('GitHub', () => {
  const outbound = createOutbound({
    allowedHosts: [],
    userAgent: 'test',
    log,
    resolveHost: () => Promise.reject(Object.assign(new Error('none'), { code: 'ENOTFOUND' })),
  });
  const check = () => Promise.resolve();

  test('with an unknown name is reported as a network problem, not a misspelling', async () => {
    expect(await reachGitHub(outbound)).toEqual({
      state: 'note',
      sentence:
        'api.github.com cannot be reached from here: no DNS, or a proxy is required. Trackers inside your network need OUTBOUND_ALLOWED_HOSTS.',
    });
  });

  test('is reported as reached or not reached', async () => {
    const answers = { check, fetch: async () => new Response(null) };
    expect(await reachGitHub(answers)).toEqual({ state: 'ok', sentence: 'GitHub can be reached.' });
    const silent = { check, fetch: () => Promise.reject(new Error('It is silent.')) };
    expect((await reachGitHub(silent)).sentence).toMatch(/^It is silent\. Trackers/);
  });
});

test('reports a folder without an embedding model as a problem, since no server starts with it', async () => {
  const env = { EMBEDDING_MODEL_DIR: join(folder, 'used') };
  const { code, told } = await doctor({ database: used, dataDir: join(folder, 'used'), env });
  expect(told['embedding model']).toMatch(/^problem: EMBEDDING_MODEL_DIR: /);
  expect(code).toBe(1);
}, 60_000);
