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

/** What the doctor says: its lines by what they are about. */
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

test('an installation that is in order passes, and every part of it is named', async () => {
  const env = { SMTP_URL: `smtp://${mailServer.host}`, MAIL_FROM: 'winnow@example.org' };
  const dataDir = join(folder, 'used');
  expect(await doctor({ database: used, dataDir, env })).toEqual({
    code: 0,
    told: {
      configuration: 'ok: Every variable can be read.',
      'data folder': `ok: ${dataDir} can be written.`,
      secrets: 'ok: Sealed under the key file in the data folder.',
      database: 'ok: Reachable and up to date.',
      'embedding model': expect.stringMatching(/^ok: .* works\.$/),
      mail: 'ok: The mail server accepts us.',
      outbound: expect.stringMatching(/^(?:ok|note): /),
      payments: expect.stringMatching(/^note: /),
    },
    verdict: 'Winnow can run here.',
  });
}, 60_000);

test('it changes nothing: where there is no key it says so, and makes none', async () => {
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
      secrets: expect.stringMatching(/^note: There is no key yet: the first start makes .*secret\.key\.$/),
      database: expect.stringMatching(/^problem: There is no key file in .* Put the former secret\.key back/),
      mail: expect.stringMatching(/^problem: The mail server of SMTP_URL does not accept us/),
    },
    verdict: '2 to mend before Winnow can run here.',
  });
  expect(readdirSync(dataDir)).toEqual([]);
}, 60_000);

test('before the first start it tries the embedded database elsewhere, and leaves no trace', async () => {
  const dataDir = join(folder, 'not', 'there');
  const first = await doctor({ dataDir });
  expect([first.code, first.verdict]).toEqual([0, 'Winnow can run here.']);
  expect(first.told).toMatchObject({
    'data folder': `note: ${dataDir} is not there yet: the first start makes it.`,
    database: 'note: PostgreSQL runs here; the first start makes the database.',
    mail: expect.stringMatching(/^note: SMTP_URL is not set/),
  });
  expect(readdirSync(folder)).not.toContain('not');
}, 60_000);

test('a data folder that is a file, and a key that is damaged, are to be mended', async () => {
  const file = join(folder, 'file');
  writeFileSync(file, '');
  expect((await doctor({ database: used, dataDir: file })).told['data folder']).toBe(
    `problem: ${file} is no folder that the user of this process may write to. Give them the right, or name another with DATA_DIR.`,
  );
  const dataDir = join(folder, 'damaged');
  mkdirSync(dataDir);
  writeFileSync(join(dataDir, 'secret.key'), 'x', { mode: 0o600 });
  expect((await doctor({ database: used, dataDir })).told.secrets).toMatch(
    /^problem: The key file .* is damaged/,
  );
}, 60_000);

test('a database that is older than this Winnow is noted, and one that is newer is to be mended', async () => {
  const empty = await createEmptyTestDatabase();
  const newer = await createTestDatabase();
  const dataDir = join(folder, 'used');
  try {
    expect((await doctor({ database: empty as TestDatabase, dataDir })).told.database).toBe(
      'note: Reachable; the next start, or "winnow migrate", brings it up to date.',
    );
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(newer.db);
    expect((await doctor({ database: newer, dataDir })).told.database).toBe(
      'problem: A newer Winnow has migrated it (9999-later). Start that version.',
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

  test('whose name leads nowhere is a matter of the network, and of no spelling', async () => {
    expect(await reachGitHub(outbound)).toEqual({
      state: 'note',
      sentence:
        'api.github.com cannot be reached from here: no DNS, or a proxy is needed. Trackers inside your network need OUTBOUND_ALLOWED_HOSTS.',
    });
  });

  test('that answers is reached, and one that does not is told of', async () => {
    const answers = { check, fetch: async () => new Response(null) };
    expect(await reachGitHub(answers)).toEqual({ state: 'ok', sentence: 'GitHub can be reached.' });
    const silent = { check, fetch: () => Promise.reject(new Error('It is silent.')) };
    expect((await reachGitHub(silent)).sentence).toMatch(/^It is silent\. Trackers/);
  });
});
