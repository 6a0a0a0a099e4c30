import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/src/**/*.test.tsx', 'tools/**/*.test.{ts,mjs}'],
    // PostgreSQL for the run, started when the first test file asks for a database.
    globalSetup: ['packages/server/src/platform/testing/global-setup.ts'],
    // Test files share a process and its modules, none of which keeps anything between them: a process for each file, with
    // everything loaded anew, took as long as the tests themselves.
    isolate: false,
    // Much of a test is waiting: for PostgreSQL, for a process to start, for a tracker to answer late. The default is one less.
    maxWorkers: availableParallelism(),
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
