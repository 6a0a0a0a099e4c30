import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openLog } from '../log.ts';
import { openEmbeddedPostgres } from './embedded-postgres.ts';
import { readPostmasterFile } from './postmaster-file.ts';

const STAND_IN = fileURLToPath(new URL('../testing/winnow-stand-in.ts', import.meta.url));
const isRoot = process.getuid?.() === 0;
const PLAIN_USER = { uid: 65_534, gid: 65_534 };

const firstWords = z.union([
  z.object({
    connection: z.object({
      host: z.string(),
      port: z.number(),
      user: z.string(),
      password: z.string(),
      database: z.string(),
    }),
  }),
  z.object({ refused: z.string() }),
]);

let base = '';
let unwanted: string[] = [];
const started = new Set<ChildProcess>();
const silent = openLog({ level: 'silent' });

beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'winnow-life-cycle-'));
  chmodSync(base, 0o755);
});

afterEach(() => {
  for (const child of started) child.kill('SIGKILL');
  started.clear();
});

afterAll(() => {
  for (const path of [...unwanted, base]) rmSync(path, { recursive: true, force: true, maxRetries: 5 });
  unwanted = [];
});

/** Starts a process that uses the database like Winnow, and waits for its first message. */
async function startWinnow(dataDir: string, extra: { attach?: true; durable?: true; plainUser?: true } = {}) {
  const wishes = (['attach', 'durable'] as const).filter((wish) => extra[wish]);
  const child = spawn(process.execPath, [STAND_IN, dataDir, ...wishes], {
    stdio: ['ignore', 'pipe', 'inherit'],
    ...(extra.plainUser && isRoot ? PLAIN_USER : {}),
  });
  started.add(child);
  const [line] = await once(createInterface({ input: child.stdout }), 'line');
  return { child, said: firstWords.parse(JSON.parse(line)) };
}

async function startReady(dataDir: string, extra: Parameters<typeof startWinnow>[1] = {}) {
  const { child, said } = await startWinnow(dataDir, extra);
  if (!('connection' in said)) throw new Error(said.refused);
  return { child, connection: said.connection };
}

async function ask(connection: object, text: string): Promise<unknown[]> {
  const client = new Client(connection);
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

async function endOf(child: ChildProcess, signal: NodeJS.Signals): Promise<unknown> {
  const ended = once(child, 'exit');
  child.kill(signal);
  return (await ended)[0];
}

function serverPid(dataDir: string): number {
  const pid = readPostmasterFile(join(dataDir, 'postgres'))?.pid;
  if (pid === undefined) throw new Error('No server runs on this folder.');
  return pid;
}

async function waitUntil(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe('a data folder', () => {
  let dataDir = '';
  beforeAll(() => {
    dataDir = join(base, 'one', 'data');
  });

  test('keeps committed data over a graceful stop, which leaves no process; never runs as root', async () => {
    const first = await startReady(dataDir);
    const pid = serverPid(dataDir);
    if (isRoot) expect(statSync(`/proc/${pid}`).uid).not.toBe(0);
    await ask(first.connection, 'create table survivor (id int); insert into survivor values (1)');
    expect(await endOf(first.child, 'SIGTERM')).toBe(0);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(first.connection.host)).toBe(false);

    const second = await startReady(dataDir);
    expect(await ask(second.connection, 'select id from survivor')).toEqual([{ id: 1 }]);
    await endOf(second.child, 'SIGTERM');
  });

  test('is refused to a second Winnow, naming the process that holds it; a command may attach', async () => {
    const first = await startReady(dataDir);
    const second = await startWinnow(dataDir);
    expect(second.said).toEqual({
      refused: expect.stringMatching(new RegExp(`process ${first.child.pid}\\).*DATA_DIR`)),
    });

    const command = await startReady(dataDir, { attach: true });
    expect(await ask(command.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await endOf(command.child, 'SIGTERM')).toBe(0);
    expect(await ask(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    await endOf(first.child, 'SIGTERM');
  });

  test('is free again after its Winnow was killed: the server stops by itself, and no committed data is lost', async () => {
    const first = await startReady(dataDir);
    const pid = serverPid(dataDir);
    await ask(first.connection, 'insert into survivor values (2)');
    await endOf(first.child, 'SIGKILL');

    const second = await startReady(dataDir);
    expect(serverPid(dataDir)).not.toBe(pid);
    expect(await ask(second.connection, 'select max(id) as id from survivor')).toEqual([{ id: 2 }]);
    await endOf(second.child, 'SIGKILL');
    await waitUntil(() => readPostmasterFile(join(dataDir, 'postgres')) === null);
    await waitUntil(() => !existsSync(second.connection.host));
  });

  test('is taken over from a server whose Winnow and watchdog were both killed', async () => {
    const first = await startReady(dataDir);
    await killWatchdogOf(serverPid(dataDir));
    await endOf(first.child, 'SIGKILL');
    expect(await ask(first.connection, 'select 1 as one')).toEqual([{ one: 1 }]);

    const second = await startReady(dataDir);
    await expect(ask(first.connection, 'select 1')).rejects.toThrow();
    expect(existsSync(first.connection.host)).toBe(false);
    await endOf(second.child, 'SIGTERM');
  });

  test('recovers after server and Winnow were killed together, despite a stale pid file', async () => {
    const first = await startReady(dataDir, { durable: true });
    const pid = serverPid(dataDir);
    await ask(first.connection, 'insert into survivor values (3)');
    first.child.kill('SIGSTOP');
    process.kill(pid, 'SIGKILL');
    await endOf(first.child, 'SIGKILL');
    expect(readPostmasterFile(join(dataDir, 'postgres'))?.pid).toBe(pid);

    const second = await startReady(dataDir);
    expect(await ask(second.connection, 'select max(id) as id from survivor')).toEqual([{ id: 3 }]);
    await endOf(second.child, 'SIGTERM');
  });

  test('starts even if the pid of its pid file belongs to another program', async () => {
    const file = join(dataDir, 'postgres', 'postmaster.pid');
    const owner = statSync(join(dataDir, 'postgres'));
    writeFileSync(file, `${process.pid}\n${join(dataDir, 'postgres')}\n0\n5432\n/nowhere\n\n0 0\nready\n`);
    chownSync(file, owner.uid, owner.gid);
    const { child } = await startReady(dataDir);
    await endOf(child, 'SIGTERM');
  });

  test('of another PostgreSQL version is refused, naming both versions', async () => {
    const version = join(dataDir, 'postgres', 'PG_VERSION');
    const now = readFileSync(version, 'utf8');
    writeFileSync(version, '16\n');
    const { said } = await startWinnow(dataDir);
    writeFileSync(version, now);
    expect(said).toEqual({ refused: expect.stringMatching(/PostgreSQL 16.*PostgreSQL 18/) });
  });

  test("whose files do not start is refused with PostgreSQL's reason", async () => {
    const control = join(dataDir, 'postgres', 'global', 'pg_control');
    const now = readFileSync(control);
    writeFileSync(control, '');
    const { said } = await startWinnow(dataDir);
    writeFileSync(control, now);
    expect(said).toEqual({ refused: expect.stringMatching(/did not start.*pg_control.*DATABASE_URL/) });
  });

  test('with a partial database from an interrupted first start starts over', async () => {
    const half = join(base, 'half');
    mkdirSync(half, { mode: 0o700 });
    mkdirSync(join(half, 'postgres.new', 'base'), { recursive: true });
    const { child, connection } = await startReady(half);
    expect(await ask(connection, 'show server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
    expect(existsSync(join(half, 'postgres.new'))).toBe(false);
    await endOf(child, 'SIGTERM');
  });
});

describe('the server', () => {
  test('restarts if it ends by itself, at the same address', async () => {
    const dataDir = join(base, 'half');
    const postgres = await openEmbeddedPostgres({ dataDir, log: silent, durable: false });
    const pid = serverPid(dataDir);
    process.kill(pid, 'SIGKILL');
    await waitUntil(() => {
      const file = readPostmasterFile(join(dataDir, 'postgres'));
      return file !== null && file.pid !== pid && file.isReady;
    });
    expect(await ask(postgres.connection, 'select 1 as one')).toEqual([{ one: 1 }]);
    const pidNow = serverPid(dataDir);
    await postgres.stop();
    await postgres.stop();
    expect(isAlive(pidNow)).toBe(false);
  });

  test('refuses connections without the password, all connections over TCP, and access to its socket folder by others', async () => {
    const dataDir = join(base, 'half');
    const postgres = await openEmbeddedPostgres({ dataDir, log: silent, durable: false });
    try {
      await expect(ask({ ...postgres.connection, password: 'guess' }, 'select 1')).rejects.toThrow(
        /password/,
      );
      expect(await ask(postgres.connection, 'show listen_addresses')).toEqual([{ listen_addresses: '' }]);
      expect(await ask(postgres.connection, 'show data_checksums')).toEqual([{ data_checksums: 'on' }]);
      expect(statSync(String(postgres.connection.host)).mode & 0o077).toBe(0);
      expect(statSync(join(dataDir, 'postgres', 'winnow.password')).mode & 0o077).toBe(0);
      expect(statSync(dataDir).mode & 0o007).toBe(0);
    } finally {
      await postgres.stop();
    }
  });
});

describe.runIf(isRoot)('started as root', () => {
  test('in a data folder of a plain user, it runs as that user, who can use the folder afterwards', async () => {
    const dataDir = join(base, 'of-somebody');
    mkdirSync(dataDir, { mode: 0o700 });
    chownSync(dataDir, PLAIN_USER.uid, PLAIN_USER.gid);
    const first = await startReady(dataDir);
    await ask(first.connection, 'create table survivor (id int)');
    expect(statSync(`/proc/${serverPid(dataDir)}`).uid).toBe(PLAIN_USER.uid);
    await endOf(first.child, 'SIGTERM');
    const second = await startReady(dataDir, { plainUser: true });
    expect(await ask(second.connection, 'select count(*)::int as n from survivor')).toEqual([{ n: 0 }]);
    await endOf(second.child, 'SIGTERM');
  });

  test('in a folder only root may enter, the database is stored elsewhere and found again', async () => {
    const closed = join(base, 'closed');
    mkdirSync(closed, { mode: 0o700 });
    const dataDir = join(closed, 'data');
    const first = await startReady(dataDir);
    unwanted.push(dirname(realpathSync(join(dataDir, 'postgres'))));
    expect(lstatSync(join(dataDir, 'postgres')).isSymbolicLink()).toBe(true);
    expect(statSync(closed).mode & 0o777).toBe(0o700);
    await ask(first.connection, 'create table survivor (id int)');
    await endOf(first.child, 'SIGTERM');
    const second = await startReady(dataDir);
    expect(await ask(second.connection, 'select count(*)::int as n from survivor')).toEqual([{ n: 0 }]);
    await endOf(second.child, 'SIGTERM');

    // A database of a deleted temporary data folder is removed when the next database is created.
    const former = dirname(realpathSync(join(dataDir, 'postgres')));
    rmSync(dataDir, { recursive: true });
    const other = await startReady(join(closed, 'other'));
    unwanted.push(dirname(realpathSync(join(closed, 'other', 'postgres'))));
    expect(existsSync(former)).toBe(false);
    await endOf(other.child, 'SIGTERM');
  });
});

describe.runIf(isRoot)('started as a plain user', () => {
  test('it does not need root', async () => {
    const dataDir = join(base, 'plain');
    mkdirSync(dataDir);
    chownSync(dataDir, PLAIN_USER.uid, PLAIN_USER.gid);
    const { child } = await startReady(dataDir, { plainUser: true });
    expect(await endOf(child, 'SIGTERM')).toBe(0);
  });

  test('the data folder of another user is refused with a sentence', async () => {
    for (const [name, mode] of [
      ['closed to all', 0o700],
      ['only to be read', 0o755],
    ] as const) {
      const dataDir = join(base, name);
      mkdirSync(dataDir, { mode });
      const { said } = await startWinnow(dataDir, { plainUser: true });
      expect(said).toEqual({
        refused: expect.stringMatching(/Set DATA_DIR to a folder.*user running Winnow/),
      });
    }
  });
});

/**
 * Kills the watchdog of a server. The watchdog is the shell whose last argument is the server's
 * pid.
 */
async function killWatchdogOf(pid: number): Promise<void> {
  const { stdout } = spawn('ps', ['-eo', 'pid=,args='], { stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: stdout })) {
    const found = /^\s*(\d+) .*winnow-watchdog (\d+) /.exec(line);
    if (Number(found?.[2]) === pid) process.kill(Number(found?.[1]), 'SIGKILL');
  }
}
