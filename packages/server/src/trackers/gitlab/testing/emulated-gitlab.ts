import {
  type GitLabEmulator,
  type GitLabEmulatorOptions,
  startGitLabEmulator,
} from '@winnow/emulators/gitlab/emulator';
import type { GitLabSeed, GitLabSeedIssue, GitLabSeedItem } from '@winnow/emulators/gitlab/seed';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import type { Provider, ProviderProject } from '../../provider.ts';
import { descriptionOf } from '../../testing/description.ts';
import { type EmulatedClock, emulatedClock } from '../../testing/emulated-clock.ts';
import { createGitLabProvider } from '../provider.ts';

export const TOKEN = 'glpat-0123456789abcdefghij';

/** An emulated GitLab with its own clock, and functions that open providers for it. */
export interface EmulatedGitLab extends EmulatedClock {
  emulator: GitLabEmulator;
  provider: Provider;
  providerFor(token: string): Provider;
  /** Returns a project as the provider would list it. */
  projectNamed(path: string): Promise<ProviderProject>;
  project: ProviderProject;
  /**
   * Stops the emulator.
   * @throws {Error} if a response violated GitLab's published schemas
   */
  dispose(): Promise<void>;
}

export interface EmulatedOptions extends Omit<GitLabEmulatorOptions, 'seed' | 'clock'> {
  seed?: Partial<GitLabSeed>;
  mergeRequests?: GitLabSeedItem[];
}

/**
 * Starts an emulator with the project `acme/team/app`, which contains `issues`, and with the
 * further contents in `seed`.
 */
export async function emulatedGitLab(
  issues: GitLabSeedIssue[],
  options: EmulatedOptions = {},
): Promise<EmulatedGitLab> {
  const { seed, mergeRequests = [], ...rest } = options;
  const { seen, given } = emulatedClock();
  const description = await descriptionOf('gitlab');
  const emulator = await startGitLabEmulator({
    ...rest,
    onExchange: description.onExchange,
    clock: seen.clock.now,
    seed: {
      users: [{ username: 'ada', name: 'Ada Lovelace' }, { username: 'bob' }, ...(seed?.users ?? [])],
      groups: [
        { full_path: 'acme', name: 'Acme', members: { ada: 'maintainer', bob: 'developer' } },
        { full_path: 'acme/team', name: 'Team' },
        ...(seed?.groups ?? []),
      ],
      projects: [
        { path_with_namespace: 'acme/team/app', name: 'App', issues, merge_requests: mergeRequests },
        ...(seed?.projects ?? []),
      ],
      tokens: [{ token: TOKEN, username: 'ada' }, ...(seed?.tokens ?? [])],
    },
  });
  const outbound = createOutbound({
    allowedHosts: ['127.0.0.1'],
    userAgent: 'Winnow/test',
    log: { info: () => undefined },
  });
  const providerFor = (apiKey: string) =>
    createGitLabProvider({
      connection: {
        accountId: '6f6f2c1e-5a0e-4d56-9f0c-9d3b2f6a1c11',
        trackerId: null,
        url: emulator.url,
        username: null,
        apiKey,
      },
      fetch: outbound.fetch,
      ...given,
    });
  const projectNamed = async (path: string): Promise<ProviderProject> => ({
    externalId: String(emulator.projectId(path)),
    identifier: path,
    name: path.split('/').at(-1) ?? path,
  });
  return {
    emulator,
    provider: providerFor(TOKEN),
    providerFor,
    projectNamed,
    project: { ...(await projectNamed('acme/team/app')), name: 'App' },
    ...seen,
    async dispose() {
      await outbound.close();
      await emulator.close();
      description.expectConformance();
    },
  };
}
