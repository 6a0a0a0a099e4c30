import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

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
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
