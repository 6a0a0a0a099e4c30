import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../log.ts';
import { type Binaries, programPath } from './binaries.ts';
import { type Cluster, reasonOf } from './cluster.ts';
import { EmbeddedPostgresError } from './embedded-postgres-error.ts';
import type { ServerAccount } from './server-account.ts';
import { serverEnvironment } from './server-settings.ts';

const READY = 'database system is ready to accept connections';
const WATCHDOG = 'read -r _; kill -INT "$1"; rm -rf "$2"';
const MAX_OUTPUT_LINES = 40;
const FINAL_OUTPUT_WAIT_MS = 1_000;
const FAST_STOP_MS = 30_000;
const IMMEDIATE_STOP_MS = 5_000;
const MAX_RESTART_DELAY_MS = 10_000;

export interface PostmasterOptions {
  readonly cluster: Cluster;
  readonly binaries: Binaries;
  readonly account: ServerAccount;
  readonly settings: readonly string[];
  /**
   * Folder of the server's socket. The watchdog removes it if this process ends without stopping
   * the server.
   */
  readonly socketFolder: string | null;
  readonly log: Log;
}

/** A running server process with its output and watchdog. */
interface Running {
  readonly server: ChildProcess;
  readonly exited: Promise<unknown>;
  readonly watchdog: ChildProcess | null;
}

/**
 * Keeps a PostgreSQL server running on a cluster until {@link stop}, and restarts it if it ends
 * unexpectedly. The server has its own process group, so that Ctrl+C does not reach it. {@link
 * startWatchdog} stops the server when this process ends.
 */
export class Postmaster {
  readonly #options: PostmasterOptions;
  readonly #stopping = new AbortController();
  #running: Running | null = null;
  #restarting: Promise<void> = Promise.resolve();

  constructor(options: PostmasterOptions) {
    this.#options = options;
  }

  /**
   * Resolves when the server accepts connections. Waits without a time limit while the server
   * recovers after a crash.
   *
   * @throws {EmbeddedPostgresError} if it does not start
   */
  async start(): Promise<void> {
    const { cluster, log } = this.#options;
    const running = this.#spawn();
    const lastLines: string[] = [];
    const ready = Promise.withResolvers<boolean>();
    if (running.server.stderr === null) throw new Error('PostgreSQL was started without its output streams.');
    const output = createInterface({ input: running.server.stderr });
    output.on('line', (line) => {
      lastLines.push(line);
      if (lastLines.length > MAX_OUTPUT_LINES) lastLines.shift();
      if (line.includes(READY)) ready.resolve(true);
      logServerLine(log, line);
    });
    // The output stream closes after the server ends, once the last messages have been read.
    const silent = once(output, 'close');
    void running.exited.then(async () => {
      await endsWithin(silent, FINAL_OUTPUT_WAIT_MS);
      ready.resolve(false);
    });
    if (!(await ready.promise)) {
      throw new EmbeddedPostgresError(
        `PostgreSQL did not start on ${cluster.folder}: ${reasonOf(lastLines.join('\n'))} Fix that and start again, or set DATABASE_URL.`,
      );
    }
    this.#running = running;
    this.#restarting = running.exited.then(() => this.#afterExit());
  }

  /**
   * Stops the server. Open transactions are rolled back, and committed data is on disk. Safe to
   * call twice.
   */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const running = this.#running;
    if (running !== null) {
      const steps = [
        ['SIGINT', FAST_STOP_MS],
        ['SIGQUIT', IMMEDIATE_STOP_MS],
        ['SIGKILL', IMMEDIATE_STOP_MS],
      ] as const;
      for (const [signal, timeoutMs] of steps) {
        this.#send(running, signal);
        if (await endsWithin(running.exited, timeoutMs)) break;
        this.#options.log.warn({ signal }, 'PostgreSQL is slow to stop.');
      }
    }
    await this.#restarting;
  }

  #spawn(): Running {
    const { cluster, binaries, account, settings, socketFolder } = this.#options;
    const server = spawn(programPath(binaries, 'postgres'), ['-D', cluster.folder, ...settings], {
      ...account.identity,
      ...serverEnvironment(),
      cwd: cluster.folder,
      detached: process.platform !== 'win32',
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const exited = new Promise<void>((resolve) => {
      server.once('exit', () => resolve());
      server.once('error', (error) => {
        this.#options.log.error({ error }, 'PostgreSQL could not be run.');
        resolve();
      });
    });
    const watchdog = server.pid === undefined ? null : startWatchdog(server.pid, socketFolder, account);
    void exited.then(() => watchdog?.kill('SIGKILL'));
    return { server, exited, watchdog };
  }

  async #afterExit(): Promise<void> {
    this.#running = null;
    const { log } = this.#options;
    const { signal } = this.#stopping;
    for (let pauseMs = 100; !signal.aborted; pauseMs = Math.min(pauseMs * 2, MAX_RESTART_DELAY_MS)) {
      log.error('PostgreSQL ended by itself; restarting it.');
      try {
        await this.start();
        if (signal.aborted) await this.#stopRestarted();
        return;
      } catch (error) {
        log.error({ error }, 'PostgreSQL could not be restarted.');
        await pause(pauseMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /**
   * Stops a server that was being restarted when {@link stop} was called. `stop` found no running
   * server and waits for this method.
   */
  async #stopRestarted(): Promise<void> {
    const running = this.#running;
    if (running === null) return;
    this.#send(running, 'SIGINT');
    await running.exited;
  }

  #send(running: Running, signal: 'SIGINT' | 'SIGQUIT' | 'SIGKILL'): void {
    if (process.platform === 'win32' && signal !== 'SIGKILL') {
      const mode = signal === 'SIGINT' ? 'fast' : 'immediate';
      spawn(programPath(this.#options.binaries, 'pg_ctl'), [
        'stop',
        '-D',
        this.#options.cluster.folder,
        '-m',
        mode,
        '-W',
      ]);
    } else {
      running.server.kill(signal);
    }
  }
}

/**
 * Starts the watchdog: a shell that waits for the end of a pipe, which only this process holds
 * open. The pipe closes when this process ends, even by SIGKILL. The shell then stops the server
 * and removes its socket.
 *
 * Windows has no such shell. There, the next start of Winnow stops the old server.
 */
function startWatchdog(
  serverPid: number,
  socketFolder: string | null,
  account: ServerAccount,
): ChildProcess | null {
  if (socketFolder === null) return null;
  const watchdog = spawn('/bin/sh', ['-c', WATCHDOG, 'winnow-watchdog', String(serverPid), socketFolder], {
    ...account.identity,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  watchdog.unref();
  watchdog.stdin?.on('error', () => undefined);
  if (watchdog.stdin !== null && 'unref' in watchdog.stdin && typeof watchdog.stdin.unref === 'function') {
    watchdog.stdin.unref();
  }
  return watchdog;
}

async function endsWithin(ended: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  const timer = new AbortController();
  const late = pause(timeoutMs, false, { signal: timer.signal }).catch(() => false);
  const result = await Promise.race([ended.then(() => true), late]);
  timer.abort();
  return result;
}

/**
 * Logs a line of PostgreSQL's output at debug level. Clients receive errors themselves, and
 * failures to start or stop are logged separately.
 */
function logServerLine(log: Log, line: string): void {
  const [, severity, text] = /^(\w+):\s+(.*)$/.exec(line) ?? [];
  const level = severity === 'PANIC' ? 'error' : 'debug';
  log[level]({ postgres: severity ?? null }, text ?? line);
}
