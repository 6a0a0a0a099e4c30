import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Runs `work` while no other command sets up this checkout. The lock is a file that contains the
 * process id. A lock of a process that has ended is removed.
 */
export function oneAtATime(root, work) {
  const folder = join(root, '.cache');
  const lock = join(folder, 'setup.lock');
  mkdirSync(folder, { recursive: true });
  let told = false;
  while (!take(lock)) {
    if (!told) process.stderr.write('Another command is setting up; waiting for it…\n');
    told = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 200);
  }
  try {
    return work();
  } finally {
    rmSync(lock, { force: true });
  }
}

function take(lock) {
  try {
    const file = openSync(lock, 'wx');
    writeSync(file, String(process.pid));
    closeSync(file);
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    if (!isAlive(holder(lock))) rmSync(lock, { force: true });
    return false;
  }
}

/**
 * Returns the process id in the lock file. Returns NaN while another process is still writing the
 * file.
 */
function holder(lock) {
  try {
    return Number.parseInt(readFileSync(lock, 'utf8'), 10);
  } catch {
    return Number.NaN;
  }
}

function isAlive(pid) {
  if (Number.isNaN(pid)) return true;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}
