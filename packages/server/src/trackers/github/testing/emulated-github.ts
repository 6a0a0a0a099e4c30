import {
  type GitHubEmulator,
  type GitHubEmulatorOptions,
  startGitHubEmulator,
} from '@winnow/emulators/github/emulator';
import type { GitHubSeed, GitHubSeedIssue } from '@winnow/emulators/github/seed';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import type { Provider, ProviderProject } from '../../provider.ts';
import { descriptionOf } from '../../testing/description.ts';
import { type EmulatedClock, emulatedClock } from '../../testing/emulated-clock.ts';
import { createGitHubProvider } from '../provider.ts';

export const TOKEN = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

/** An emulated GitHub with its own clock, and functions that open providers for it. */
export interface EmulatedGitHub extends EmulatedClock {
  emulator: GitHubEmulator;
  /** Provider with the URL that a user would enter: `https://github.com`, or the server's own. */
  provider: Provider;
  providerFor(token: string): Provider;
  project: ProviderProject;
  /**
   * Stops the emulator.
   * @throws {Error} if a request or response violated GitHub's published API description
   */
  dispose(): Promise<void>;
}

/**
 * Starts an emulator with the repository `acme/app`, which contains `issues`, and with the further
 * contents in `seed`.
 */
export async function emulatedGitHub(
  issues: GitHubSeedIssue[],
  options: Omit<GitHubEmulatorOptions, 'seed' | 'clock'> & { seed?: Partial<GitHubSeed> } = {},
): Promise<EmulatedGitHub> {
  const { seed, ...rest } = options;
  const { seen, given } = emulatedClock();
  const description = await descriptionOf('github');
  const emulator = await startGitHubEmulator({
    ...rest,
    onExchange: description.onExchange,
    clock: seen.clock.now,
    seed: {
      users: [{ login: 'ada' }, ...(seed?.users ?? [])],
      orgs: [{ login: 'acme', members: ['ada'] }, ...(seed?.orgs ?? [])],
      repos: [{ owner: 'acme', name: 'app', private: true, issues }, ...(seed?.repos ?? [])],
      tokens: [{ token: TOKEN, login: 'ada' }, ...(seed?.tokens ?? [])],
    },
  });
  const outbound = createOutbound({
    allowedHosts: ['127.0.0.1'],
    userAgent: 'Winnow/test',
    log: { info: () => undefined },
  });
  const providerFor = (apiKey: string) =>
    createGitHubProvider({
      connection: {
        accountId: '6f6f2c1e-5a0e-4d56-9f0c-9d3b2f6a1c11',
        trackerId: null,
        url: options.enterprise === true ? emulator.url : 'https://github.com',
        username: null,
        apiKey,
      },
      fetch: options.enterprise === true ? outbound.fetch : fetchFromEmulator(emulator, outbound.fetch),
      ...given,
    });
  const provider = providerFor(TOKEN);
  const projects = await provider.projects('acme', new AbortController().signal);
  const project = projects.find(({ identifier }) => identifier === 'acme/app');
  if (project === undefined) throw new Error('The emulator does not list acme/app.');
  emulator.requests.clear();
  return {
    emulator,
    provider,
    providerFor,
    project,
    ...seen,
    async dispose() {
      await outbound.close();
      await emulator.close();
      description.expectConformance();
    },
  };
}

/**
 * Sends requests for github.com to the emulator. Rewrites redirects of the emulator to github.com.
 */
function fetchFromEmulator(emulator: GitHubEmulator, send: typeof fetch): typeof fetch {
  const real = 'https://api.github.com';
  return async (input, init) => {
    const url = String(input);
    if (!url.startsWith(`${real}/`)) throw new Error(`github.com was asked at ${url}.`);
    const answer = await send(url.replace(real, emulator.url), init);
    const location = answer.headers.get('location');
    if (location === null) return answer;
    const headers = new Headers(answer.headers);
    headers.set('location', location.replace(emulator.url, real));
    return new Response(answer.body, { status: answer.status, headers });
  };
}
