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

/** A GitHub of our own on a clock of our own, and providers of it. */
export interface EmulatedGitHub extends EmulatedClock {
  emulator: GitHubEmulator;
  /** As a person would connect it: `https://github.com`, or the address of the Enterprise Server. */
  provider: Provider;
  providerFor(token: string): Provider;
  project: ProviderProject;
  /** @throws {Error} when a request or an answer did not satisfy GitHub's published description. */
  dispose(): Promise<void>;
}

/** Starts an emulator with the repository `acme/app`, which holds `issues`, and whatever else `seed` names. */
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
      fetch: options.enterprise === true ? outbound.fetch : standingInFor(emulator, outbound.fetch),
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
      description.expectHeld();
    },
  };
}

/** What github.com is asked, the emulator answers, addresses included. */
function standingInFor(emulator: GitHubEmulator, send: typeof fetch): typeof fetch {
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
