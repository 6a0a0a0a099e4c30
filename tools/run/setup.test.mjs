import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { sourcesOf } from './build-web.mjs';
import { isInstalled } from './install.mjs';
import { oneAtATime } from './one-at-a-time.mjs';
import { run } from './setup.mjs';
import {
  closingLine,
  countsOf,
  failuresOfVitest,
  flakyOfPlaywright,
  flakyOfVitest,
  readPlaywright,
  readVitest,
  sum,
  uncheckedMessages,
} from './totals.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'winnow-set-up-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

function write(path, content) {
  const file = join(root, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
}

describe('the dependencies', () => {
  const wanted = {
    '': { name: 'winnow' },
    'packages/web': { name: '@winnow/web' },
    'node_modules/@winnow/web': { link: true },
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/for-us': { version: '1.0.0', optional: true, os: [process.platform], cpu: [process.arch] },
    'node_modules/for-others': { version: '1.0.0', optional: true, os: ['plan9'], cpu: [process.arch] },
    'node_modules/for-a-c-library': {
      version: '1.0.0',
      optional: true,
      os: [process.platform],
      cpu: [process.arch],
      libc: ['other'],
    },
  };
  const there = {
    'node_modules/a': { version: '1.0.0', integrity: 'x' },
    'node_modules/for-us': { version: '1.0.0' },
  };
  const decide = (packages) => {
    write('package-lock.json', { packages: wanted });
    if (packages !== null) write('node_modules/.package-lock.json', { packages });
    return isInstalled(root);
  };

  test('are missing on a fresh clone, and after an interrupted installation', () => {
    expect(decide(null)).toBe(false);
    mkdirSync(join(root, 'node_modules', 'a'), { recursive: true });
    expect(isInstalled(root)).toBe(false);
  });

  test('are complete if npm installed the lock file, manually or not', () => {
    expect(decide(there)).toBe(true);
  });

  test.each([
    ['another version', { ...there, 'node_modules/a': { version: '1.0.1', integrity: 'x' } }],
    ['changed content', { ...there, 'node_modules/a': { version: '1.0.0', integrity: 'y' } }],
    ['a missing package', { 'node_modules/for-us': { version: '1.0.0' } }],
    [
      'a missing optional package of this platform',
      { 'node_modules/a': { version: '1.0.0', integrity: 'x' } },
    ],
  ])('are outdated with %s', (_, packages) => {
    expect(decide(packages)).toBe(false);
  });
});

test('the web build depends on the sources of web and contract, not on tests or builds', () => {
  write('package-lock.json', '{}');
  for (const path of [
    'src/main.tsx',
    'src/deep/a.css',
    'public/icon.svg',
    'console.html',
    'src/a.test.tsx',
    'dist/x.js',
  ]) {
    write(join('packages/web', path), path);
  }
  write('packages/contract/src/issue.ts', '');
  write('packages/passwords/src/levels.ts', '');
  const names = sourcesOf(root).map((file) => file.slice(root.length + 1));
  expect(names.sort()).toEqual([
    'package-lock.json',
    'packages/contract/src/issue.ts',
    'packages/passwords/src/levels.ts',
    'packages/web/console.html',
    'packages/web/public/icon.svg',
    'packages/web/src/deep/a.css',
    'packages/web/src/main.tsx',
  ]);
});

describe('the setup lock', () => {
  test('waits for another command', async () => {
    const module = JSON.stringify(new URL('./one-at-a-time.mjs', import.meta.url).href);
    const script = `import { oneAtATime } from ${module}; import { appendFileSync } from 'node:fs';
      oneAtATime(${JSON.stringify(root)}, () => {
        appendFileSync(${JSON.stringify(join(root, 'order'))}, 'begin ');
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
        appendFileSync(${JSON.stringify(join(root, 'order'))}, 'end ');
      });`;
    const children = [1, 2, 3].map(() => spawn(process.execPath, ['--input-type=module', '-e', script]));
    await Promise.all(children.map((child) => once(child, 'exit')));
    expect(readFileSync(join(root, 'order'), 'utf8')).toBe('begin end begin end begin end ');
  });

  test('ignores a killed process, and is released if the work fails', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    write('.cache/setup.lock', String(pid));
    expect(() =>
      oneAtATime(root, () => {
        throw new Error('failed');
      }),
    ).toThrow('failed');
    expect(existsSync(join(root, '.cache', 'setup.lock'))).toBe(false);
    expect(oneAtATime(root, () => 'done')).toBe('done');
  });
});

describe('a started program', () => {
  test.each([
    ['process.exit(7)', 7],
    ['process.kill(process.pid, "SIGKILL")', 137],
    ['', 0],
  ])('%s ends with its exit code', async (script, code) => {
    expect(await run(process.execPath, ['-e', script])).toBe(code);
  });

  test('that does not exist fails', async () => {
    expect(await run(join(root, 'missing'), [], { stdio: 'ignore' })).toBe(1);
  });

  test('receives signals of its parent, and its exit code is returned', async () => {
    const module = JSON.stringify(new URL('./setup.mjs', import.meta.url).href);
    const child =
      "process.on('SIGTERM', () => process.exit(5)); setInterval(() => {}, 1000); console.log('ready')";
    const parent = `import { run } from ${module}; process.exit(await run(process.execPath, ['-e', ${JSON.stringify(child)}]));`;
    const started = spawn(process.execPath, ['--input-type=module', '-e', parent]);
    await once(started.stdout, 'data');
    started.kill('SIGTERM');
    expect((await once(started, 'exit'))[0]).toBe(5);
  });
});

describe('under npm', () => {
  test('the program stops when the shell that npm started is killed', async () => {
    const module = JSON.stringify(new URL('./setup.mjs', import.meta.url).href);
    const child =
      "process.on('SIGTERM', () => { console.log('stopped'); process.exit() }); setInterval(() => {}, 1000); console.log('ready')";
    write(
      'run.mjs',
      `import { run } from ${module}; await run(process.execPath, ['-e', ${JSON.stringify(child)}]);`,
    );
    // With two commands, the shell stays the parent process. With one command, it would replace
    // itself by the program.
    const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" "${join(root, 'run.mjs')}"; true`], {
      env: { ...process.env, npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: shell.stdout });
    expect(await once(lines, 'line')).toEqual(['ready']);
    shell.kill('SIGTERM');
    expect(await once(lines, 'line')).toEqual(['stopped']);
  });
});

describe('the closing line', () => {
  const passedAtOnce = { status: 'passed', fullName: 'another', failureMessages: [] };
  const passedLater = { status: 'passed', fullName: 'a late one', failureMessages: ['late'] };
  const vitest = {
    numPassedTests: 10,
    numFailedTests: 1,
    numPendingTests: 1,
    numTodoTests: 1,
    testResults: [{ name: 'pairs.test.ts', message: '', assertionResults: [passedAtOnce, passedLater] }],
  };
  const playwright = { stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 0 } };
  const report = (content) => {
    write('report.json', content);
    return join(root, 'report.json');
  };

  test('adds up both runs, and counts flaky tests as neither passed nor failed', () => {
    const total = sum([
      countsOf(report(vitest), 1, readVitest),
      countsOf(report(playwright), 1, readPlaywright),
    ]);
    expect(closingLine(total)).toBe('13 passed, 2 failed, 2 flaky, 2 skipped');
  });

  test('omits flaky and skipped tests if there are none', () => {
    expect(closingLine({ passed: 3, failed: 0, flaky: 0, skipped: 0 })).toBe('3 passed, 0 failed');
  });

  test('counts messages that were not compared with an official description', () => {
    const file = join(root, 'unchecked.txt');
    writeFileSync(file, 'github\njira\ngithub\n');
    expect(uncheckedMessages(join(root, 'never.txt'))).toEqual([]);
    expect(uncheckedMessages(file)).toEqual([
      { tracker: 'github', count: 2 },
      { tracker: 'jira', count: 1 },
    ]);
    const counts = { passed: 3, failed: 0, flaky: 0, skipped: 12 };
    expect(closingLine(counts, 3)).toBe('3 passed, 0 failed, 12 skipped, 3 messages not checked');
  });

  test('lists flaky tests by file, line and title, and no others', () => {
    const spec = (title, line, status) => ({ file: 'pairs.test.ts', line, title, tests: [{ status }] });
    const file = {
      title: 'pairs.test.ts',
      line: 0,
      specs: [spec('opens', 3, 'flaky'), spec('fails', 5, 'unexpected')],
      suites: [
        { title: 'a pair', line: 8, specs: [spec('closes', 9, 'flaky'), spec('merges', 12, 'expected')] },
      ],
    };
    expect(flakyOfPlaywright({ suites: [file] })).toEqual([
      'pairs.test.ts:3 › opens',
      'pairs.test.ts:9 › a pair › closes',
    ]);
  });

  test('lists failed and flaky tests with their messages, including files that could not be loaded', () => {
    const failed = {
      status: 'failed',
      fullName: 'a pair is found',
      failureMessages: ['expected 1\nreceived 2'],
    };
    const testResults = [
      { name: 'pairs.test.ts', message: '', assertionResults: [passedAtOnce, failed, passedLater] },
      { name: 'broken.test.ts', message: 'Cannot find module', assertionResults: [] },
      { name: 'green.test.ts', message: '', assertionResults: [passedAtOnce] },
    ];
    expect(failuresOfVitest({ testResults })).toEqual([
      'pairs.test.ts › a pair is found\n    expected 1\n    received 2',
      'broken.test.ts\n    Cannot find module',
    ]);
    expect(flakyOfVitest({ testResults })).toEqual(['pairs.test.ts › a late one\n    late']);
  });

  test('counts a failed run without a failed test or without a report as one failure', () => {
    const green = {
      numPassedTests: 2,
      numFailedTests: 0,
      numPendingTests: 0,
      numTodoTests: 0,
      testResults: [],
    };
    expect(closingLine(countsOf(report(green), 1, readVitest))).toBe('2 passed, 1 failed');
    expect(closingLine(countsOf(join(root, 'never.json'), 1, readVitest))).toBe('0 passed, 1 failed');
    expect(closingLine(countsOf(report(green), 0, readVitest))).toBe('2 passed, 0 failed');
  });
});
