import type { TrackerType } from '@winnow/contract/tracker';
import type { Clock } from '../platform/clock.ts';
import type { Limiter } from '../platform/limiter.ts';
import type { Log } from '../platform/log.ts';
import type { Db } from '../schema/tables.ts';
import { createGitHubProvider } from './github/provider.ts';
import { createGitLabProvider } from './gitlab/provider.ts';
import { createJiraProvider } from './jira/provider.ts';
import type { Connection, Provider } from './provider.ts';
import { createSampleProvider } from './sample/provider.ts';

/** Returns a function that opens a provider for any type of tracker. */
export function providerFactory(options: {
  db: Db;
  fetch: typeof fetch;
  limiter: Limiter;
  log: Log;
  clock: Clock;
}): (type: TrackerType, connection: Connection) => Provider {
  return (type, connection) => {
    switch (type) {
      case 'github':
        return createGitHubProvider({ ...options, connection });
      case 'sample':
        return createSampleProvider({ ...options, connection });
      case 'gitlab':
        return createGitLabProvider({ ...options, connection });
      case 'jira':
        return createJiraProvider({ ...options, connection });
    }
  };
}
