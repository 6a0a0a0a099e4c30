import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { launch } from './packages/server/launch.mjs';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/src/**/*.test.tsx', 'tools/**/*.test.{ts,mjs}'],
    // Starts PostgreSQL for the run when the first test file requests a database.
    globalSetup: ['packages/server/src/platform/testing/global-setup.ts'],
    // Test files share a process and its modules, which keep no state between them. A process per
    // file took as long as the tests themselves.
    isolate: false,
    // One more worker than the default, since tests mostly wait for PostgreSQL, processes and
    // delayed responses.
    maxWorkers: availableParallelism(),
    // The server's threads load their TypeScript outside Vitest. Compiling it took 0.5 of the 0.85
    // processor seconds that the engine's thread needs to start.
    env: { NODE_COMPILE_CACHE: launch.env.NODE_COMPILE_CACHE },
    // Longer than `eventually` waits, so that its message tells what was missing.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
