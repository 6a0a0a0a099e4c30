import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { launch } from '../../launch.mjs';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const READY = /^Winnow is ready at (\S+)$/;
const KEPT_LOG_LINES = 200;

/** A Winnow process with a data folder, as an operator runs it. */
export interface ServerProcess {
  url: string;
  dataDir: string;
  /** Milliseconds from the start of the process until it was ready. */
  readyMs: number;
  pid: number;
  /**
   * Returns the resident memory of the Node process in bytes, including its worker threads. Null if
   * unknown.
   */
  residentBytes(): Promise<number | null>;
  /** Returns the last lines of the server's log. */
  log(): string;
  /** Stops the server as an operator would, and waits until it has ended. Keeps the data folder. */
  stop(): Promise<void>;
  /** Kills the server, to simulate a crash. */
  kill(): Promise<void>;
  /** Stops the server and deletes its data folder. */
  remove(): Promise<void>;
}

/**
 * Starts Winnow on a free port, and waits until it is ready. By default, creates a new data folder.
 * `main` is the main program to run, for example that of another checkout.
 */
export async function startServer(
  options: { dataDir?: string; env?: Record<string, string>; timeoutMs?: number; main?: string } = {},
): Promise<ServerProcess> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), 'winnow-')));
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...launch.flags, options.main ?? MAIN, 'start'], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...launch.env, ...process.env, PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'warn', ...options.env },
  });
  const lines: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => {
    lines.push(...chunk.toString().split('\n'));
    lines.splice(0, lines.length - KEPT_LOG_LINES);
  });
  const url = await readyAddress(child, options.timeoutMs ?? 60_000).catch((error: unknown) => {
    child.kill('SIGKILL');
    throw new Error(`The server did not get ready.\n${lines.join('\n')}`, { cause: error });
  });
  const readyMs = performance.now() - startedAt;
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  return {
    url,
    dataDir,
    readyMs,
    pid: child.pid ?? 0,
    residentBytes: () => residentBytes(child.pid ?? 0),
    log: () => lines.join('\n'),
    stop: () => end('SIGTERM'),
    kill: () => end('SIGKILL'),
    async remove() {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function readyAddress(child: ChildProcess, timeoutMs: number): Promise<string> {
  if (!child.stdout) throw new Error('no output');
  const output = createInterface({ input: child.stdout });
  const timer = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    for await (const line of output) {
      const address = READY.exec(line)?.[1];
      if (address !== undefined) return address;
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error('It ended before it was ready.');
}

async function residentBytes(pid: number): Promise<number | null> {
  try {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    const kilobytes = /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
    return kilobytes === undefined ? null : Number(kilobytes) * 1024;
  } catch {
    return null;
  }
}
