import type {
  ConnectionTest,
  ConnectionTestResult,
  OrganizationChoice,
  ProjectChoice,
  ProjectsOfOrganization,
  TrackerType,
} from '@winnow/contract/tracker';
import { UNCHANGED_API_KEY } from '@winnow/contract/tracker';
import { badRequest, invalid, notFound, upstreamFailed } from '../platform/errors.ts';
import { createLimiter } from '../platform/limiter.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { lackOf, NEVER_WRITTEN } from './health.ts';
import { type Connection, type ConnectionCheck, type Provider, TrackerError } from './provider.ts';
import * as store from './store.ts';
import { sameHost, webAddressOf } from './web-address.ts';

const CONNECTION_CHECK_MS = 20_000;
/** Trials at a time in this process: what an address answers that somebody just typed may be large. */
const TRIALS_AT_ONCE = 4;

/** How a stored tracker is reached. */
export type StoredConnection = Pick<
  store.TrackerRow,
  'account_id' | 'id' | 'tracker_type' | 'url' | 'username' | 'sealed_key'
>;

export interface ConnectionsOptions {
  db: Db;
  secrets: Secrets;
  openProvider: (type: TrackerType, connection: Connection) => Provider;
}

/** Ways into trackers, with the credentials that are stored or that somebody just entered. */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #trials = createLimiter({ concurrency: TRIALS_AT_ONCE });

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /** Whether the credentials work, in words, and the organizations they see. Never fails for what a tracker said. */
  async test(accountId: string, input: ConnectionTest): Promise<ConnectionTestResult> {
    try {
      const { provider, memory } = await this.#tryOut(accountId, input);
      const { check, organizations } = await this.#trial(async (signal) => ({
        check: await provider.check(signal),
        organizations: await provider.organizations(signal),
      }));
      const lack = lackOf(check, memory);
      return {
        success: true,
        message: `Connected as ${check.login}.${lack === null ? '' : ` ${lack}`}`,
        orgs: organizations.map(
          ({ identifier, name }): OrganizationChoice => ({
            id: identifier,
            name,
            type: 'organization',
            children: [],
          }),
        ),
      };
    } catch (error) {
      const message = connectionProblem(error);
      if (message === null) throw error;
      return { success: false, message, orgs: [] };
    }
  }

  /**
   * The projects of one organization as these credentials see them. With the tracker's sentence, 400 when what was entered
   * is at fault, and 502 when the tracker is.
   */
  async projectsOfOrganization(accountId: string, input: ProjectsOfOrganization): Promise<ProjectChoice[]> {
    const { provider } = await this.#tryOut(accountId, input);
    try {
      const projects = await this.#trial((signal) =>
        provider.projects(input.organization_identifier, signal),
      );
      return projects.map(({ externalId, identifier, name }) => ({
        id: externalId,
        name,
        identifier,
        type: 'project',
      }));
    } catch (error) {
      const message = connectionProblem(error);
      if (message === null) throw error;
      throw isFaultOfInput(error, input)
        ? badRequest(message, 'connection_failed', error)
        : upstreamFailed(message, error);
    }
  }

  /** Proves that a connection about to be saved works. 400 with the tracker's sentence when it does not. */
  async check(type: TrackerType, connection: Connection): Promise<ConnectionCheck> {
    try {
      const provider = this.#options.openProvider(type, connection);
      return await this.#trial((signal) => provider.check(signal));
    } catch (error) {
      const message = connectionProblem(error);
      throw message === null ? error : badRequest(message, 'connection_failed', error);
    }
  }

  /** Asks a tracker what somebody waits for, once there is a place. */
  #trial<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#trials.run('trial', () => ask(AbortSignal.timeout(CONNECTION_CHECK_MS)));
  }

  /** The port to a tracker that is stored, or was when its key was sealed. */
  open(row: StoredConnection): Provider {
    return this.#options.openProvider(row.tracker_type, {
      accountId: row.account_id,
      trackerId: row.id,
      url: row.url,
      username: row.username,
      apiKey: this.storedKey(row),
    });
  }

  /** A key as it is stored, bound to its tracker. */
  seal(accountId: string, trackerId: string, apiKey: string): Buffer {
    return this.#options.secrets.seal(apiKey, keyContext(accountId, trackerId));
  }

  /** The key of a stored tracker; empty when it needs none. */
  storedKey(row: StoredConnection): string {
    if (row.sealed_key === null) return '';
    return this.#options.secrets.open(row.sealed_key, keyContext(row.account_id, row.id));
  }

  /** The port that entered credentials open; without a new key, those of the stored tracker, on its own host only. */
  async #tryOut(accountId: string, input: ConnectionTest) {
    const stored = input.tracker_id === undefined ? null : await this.#stored(accountId, input.tracker_id);
    const url = webAddressOf(input.tracker_type, input.url ?? stored?.url);
    const apiKey = newKeyOf(input.api_key) ?? (stored && this.keyFor(stored, url));
    if (apiKey === null) throw invalid([{ path: 'api_key', message: 'Enter an API key.' }]);
    const provider = this.#options.openProvider(input.tracker_type, {
      accountId,
      trackerId: stored?.id ?? null,
      url,
      username: input.connection_details?.username ?? stored?.username ?? null,
      apiKey,
    });
    return { provider, memory: newKeyOf(input.api_key) === null && stored ? stored : NEVER_WRITTEN };
  }

  /** The stored key, to be used at `url`. 422 when that is another host: a stored key goes to no other. */
  keyFor(row: store.TrackerRow, url: string): string {
    if (sameHost(url, row.url)) return this.storedKey(row);
    throw invalid([
      {
        path: 'api_key',
        message: 'Enter the API key again: the stored one is only ever sent to the stored host.',
      },
    ]);
  }

  async #stored(accountId: string, trackerId: string): Promise<store.TrackerRow> {
    const row = await store.findTracker(this.#options.db, accountId, trackerId);
    if (!row) throw notFound();
    return row;
  }
}

/** The key somebody entered; null when the stored one is to stay. */
export function newKeyOf(apiKey: string | undefined): string | null {
  return apiKey === undefined || apiKey === '' || apiKey === UNCHANGED_API_KEY ? null : apiKey;
}

/** What a person is told when a tracker does not answer as it should; null when it was not the tracker's doing. */
export function connectionProblem(error: unknown): string | null {
  if (error instanceof TrackerError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'The tracker did not respond in time. Try again, or check the address.';
  return null;
}

/**
 * True if other credentials, another address or another organization would help. An address at which nothing responds, or
 * something else does, is at fault only if it was entered: that of a stored tracker has worked.
 */
function isFaultOfInput(error: unknown, { tracker_id }: ProjectsOfOrganization): boolean {
  if (!(error instanceof TrackerError)) return false;
  if (!error.transient) return true;
  return tracker_id === undefined && (error.code === 'unreachable' || error.code === 'malformed');
}

/** What the key of a stored tracker is sealed for. */
export function keyContext(accountId: string, trackerId: string): string {
  return `tracker:${accountId}:${trackerId}`;
}
