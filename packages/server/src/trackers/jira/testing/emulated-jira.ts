import {
  type JiraEmulator,
  type JiraEmulatorOptions,
  startJiraEmulator,
} from '@winnow/emulators/jira/emulator';
import type { JiraSeed, JiraSeedIssue, JiraSeedProject } from '@winnow/emulators/jira/seed';
import { createOutbound } from '../../../platform/outbound/outbound.ts';
import type { Provider, ProviderProject } from '../../provider.ts';
import { descriptionOf } from '../../testing/description.ts';
import { type EmulatedClock, emulatedClock } from '../../testing/emulated-clock.ts';
import { createJiraProvider } from '../provider.ts';

export const TOKEN = 'ATATT3xFfGF0123456789abcdefghijklmnop';
const CLOUD = 'https://acme.atlassian.net';

/** An emulated Jira with its own clock, and functions that open providers for it. */
export interface EmulatedJira extends EmulatedClock {
  emulator: JiraEmulator;
  provider: Provider;
  providerFor(token: string): Provider;
  /** Host of the Jira site, the identifier of its organization. */
  organization: string;
  project: ProviderProject;
  /**
   * Stops the emulator.
   * @throws {Error} if a request or response violated Jira's published API description
   */
  dispose(): Promise<void>;
}

export type EmulatedJiraOptions = Omit<JiraEmulatorOptions, 'seed' | 'clock'> & {
  seed?: Partial<JiraSeed>;
  /** Properties of the project WIN, other than its issues. */
  project?: Partial<JiraSeedProject>;
  start?: Date;
  timeZone?: string;
  maxResponseBytes?: number;
  /**
   * If false, requests are not checked against the published API description, because the check is
   * slow.
   */
  isChecked?: boolean;
};

/**
 * Starts an emulator with the project `WIN`, which contains `issues`, and with the further contents
 * in `seed`.
 */
export async function emulatedJira(
  issues: JiraSeedIssue[],
  {
    seed,
    project: own,
    start,
    timeZone,
    maxResponseBytes,
    isChecked = true,
    ...rest
  }: EmulatedJiraOptions = {},
): Promise<EmulatedJira> {
  const { seen, given } = emulatedClock(start);
  const isCloud = rest.deployment !== 'data_center';
  const description = await descriptionOf('jira');
  const emulator = await startJiraEmulator({
    ...rest,
    ...(isChecked ? { onExchange: description.onExchange } : {}),
    clock: seen.clock.now,
    seed: {
      users: [
        { name: 'ada', displayName: 'Ada Lovelace', ...(timeZone === undefined ? {} : { timeZone }) },
        { name: 'bob', displayName: 'Bob Stone' },
        ...(seed?.users ?? []),
      ],
      tokens: [{ token: TOKEN, user: 'ada' }, ...(seed?.tokens ?? [])],
      projects: [{ key: 'WIN', name: 'Winnow', ...own, issues }, ...(seed?.projects ?? [])],
      ...(seed?.linkTypes === undefined ? {} : { linkTypes: seed.linkTypes }),
    },
  });
  const outbound = createOutbound({
    allowedHosts: ['127.0.0.1'],
    userAgent: 'Winnow/test',
    log: { info: () => undefined },
    ...(maxResponseBytes === undefined ? {} : { limits: { maxResponseBytes } }),
  });
  const providerFor = (apiKey: string) =>
    createJiraProvider({
      connection: {
        accountId: '6f6f2c1e-5a0e-4d56-9f0c-9d3b2f6a1c11',
        trackerId: null,
        url: isCloud ? CLOUD : emulator.siteUrl,
        username: isCloud ? 'ada@example.com' : null,
        apiKey,
      },
      fetch: isCloud ? fetchFromEmulator(emulator, outbound.fetch) : outbound.fetch,
      ...given,
    });
  const provider = providerFor(TOKEN);
  const [site] = await provider.organizations(new AbortController().signal);
  if (site === undefined) throw new Error('The emulator lists no site.');
  const projects = await provider.projects(site.identifier, new AbortController().signal);
  const project = projects.find(({ identifier }) => identifier === 'WIN');
  if (project === undefined) throw new Error('The emulator does not list WIN.');
  emulator.requests.clear();
  return {
    emulator,
    provider,
    providerFor,
    organization: site.identifier,
    project,
    ...seen,
    async dispose() {
      await outbound.close();
      await emulator.close();
      description.expectConformance();
    },
  };
}

/** Sends requests for the Jira Cloud site to the emulator. */
function fetchFromEmulator(emulator: JiraEmulator, send: typeof fetch): typeof fetch {
  return async (input, init) => {
    const url = String(input);
    if (!url.startsWith(`${CLOUD}/`)) throw new Error(`Jira Cloud was asked at ${url}.`);
    return send(url.replace(CLOUD, emulator.url), init);
  };
}
