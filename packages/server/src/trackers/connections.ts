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
import { missingPermissionText, NEVER_WRITTEN } from './health.ts';
import { type Connection, type ConnectionCheck, type Provider, TrackerError } from './provider.ts';
import * as store from './store.ts';
import { sameHost, webAddressOf } from './web-address.ts';

const CONNECTION_CHECK_MS = 20_000;
/**
 * Maximum connection tests that run at the same time in this process. Users choose the tested
 * addresses, and large responses from them could use much memory.
 */
const MAX_CONCURRENT_TESTS = 4;

/** Columns of a stored tracker that are needed to connect to it. */
export type StoredConnection = Pick<
  store.TrackerRow,
  'account_id' | 'id' | 'tracker_type' | 'url' | 'username' | 'sealed_key'
>;

export interface ConnectionsOptions {
  db: Db;
  secrets: Secrets;
  openProvider: (type: TrackerType, connection: Connection) => Provider;
  /** Throws `forbidden` if this account must confirm its email address first. */
  expectConfirmedEmail: (accountId: string) => Promise<void>;
}

/**
 * Opens connections to trackers, with stored credentials or with credentials that a user has just
 * entered.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #trials = createLimiter({ concurrency: MAX_CONCURRENT_TESTS });

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /**
   * Tests credentials and returns the organizations that they can see. If the tracker reports an
   * error, returns its message instead of throwing.
   */
  async test(accountId: string, input: ConnectionTest): Promise<ConnectionTestResult> {
    try {
      const { provider, memory } = await this.#tryOut(accountId, input);
      const { check, organizations } = await this.#trial(async (signal) => ({
        check: await provider.check(signal),
        organizations: await provider.organizations(signal),
      }));
      const lack = missingPermissionText(check, memory);
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
   * Returns the projects of an organization that these credentials can see.
   * @throws {AppError} `bad_request` with the tracker's message if the user's input is wrong
   * @throws {AppError} `upstream_failed` with the tracker's message if the tracker failed
   */
  async projectsOfOrganization(accountId: string, input: ProjectsOfOrganization): Promise<ProjectChoice[]> {
    const { provider, isStoredAddress } = await this.#tryOut(accountId, input);
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
      throw isFaultOfInput(error, isStoredAddress)
        ? badRequest(message, 'connection_failed', error)
        : upstreamFailed(message, error);
    }
  }

  /**
   * Verifies a connection before it is saved.
   * @throws {AppError} `bad_request` with the tracker's message if the connection does not work
   */
  async check(type: TrackerType, connection: Connection): Promise<ConnectionCheck> {
    try {
      const provider = this.#options.openProvider(type, connection);
      return await this.#trial((signal) => provider.check(signal));
    } catch (error) {
      const message = connectionProblem(error);
      throw message === null ? error : badRequest(message, 'connection_failed', error);
    }
  }

  /**
   * Calls a tracker while a user waits for the result. If too many such calls are running, waits
   * until one of them ends.
   */
  #trial<T>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    return this.#trials.run('trial', () => ask(AbortSignal.timeout(CONNECTION_CHECK_MS)));
  }

  /**
   * Opens the provider of a stored tracker. Works for a deleted tracker as well, if its row was
   * read before the deletion.
   */
  open(row: StoredConnection): Provider {
    return this.#options.openProvider(row.tracker_type, {
      accountId: row.account_id,
      trackerId: row.id,
      url: row.url,
      username: row.username,
      apiKey: this.storedKey(row),
    });
  }

  /** Encrypts an API key. The result can be decrypted only for this tracker. */
  seal(accountId: string, trackerId: string, apiKey: string): Buffer {
    return this.#options.secrets.seal(apiKey, keyContext(accountId, trackerId));
  }

  /**
   * Returns the decrypted API key of a stored tracker. Returns an empty string if the tracker has
   * no key.
   */
  storedKey(row: StoredConnection): string {
    if (row.sealed_key === null) return '';
    return this.#options.secrets.open(row.sealed_key, keyContext(row.account_id, row.id));
  }

  /**
   * Opens a provider with the credentials that a user entered. Without a new key, uses the stored
   * key, but only for the stored host.
   *
   * Throws 403 if the user's email address is unconfirmed. Otherwise anyone could make the server
   * call other hosts.
   */
  async #tryOut(accountId: string, input: ConnectionTest) {
    await this.#options.expectConfirmedEmail(accountId);
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
    return {
      provider,
      memory: newKeyOf(input.api_key) === null && stored ? stored : NEVER_WRITTEN,
      isStoredAddress: stored !== null && stored.tracker_type === input.tracker_type && stored.url === url,
    };
  }

  /**
   * Returns the stored API key if `url` has the stored host.
   * @throws {AppError} `invalid` for another host, because a stored key is never sent there
   */
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

/** Returns the newly entered API key. Returns null if the stored key is to be used. */
export function newKeyOf(apiKey: string | undefined): string | null {
  return apiKey === undefined || apiKey === '' || apiKey === UNCHANGED_API_KEY ? null : apiKey;
}

/**
 * Returns the message to show for an error of the tracker. Returns null if the error has another
 * cause.
 */
export function connectionProblem(error: unknown): string | null {
  if (error instanceof TrackerError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'The tracker did not respond in time. Try again, or check the address.';
  return null;
}

/**
 * True if the user can fix the error with other credentials, another URL or another organization.
 *
 * An unreachable host or an unreadable response counts as a wrong URL only if the URL is new. A
 * stored URL has worked before.
 */
function isFaultOfInput(error: unknown, isStoredAddress: boolean): boolean {
  if (!(error instanceof TrackerError)) return false;
  if (!error.transient) return true;
  return !isStoredAddress && (error.code === 'unreachable' || error.code === 'malformed');
}

/** Returns the encryption context of a tracker's API key. */
export function keyContext(accountId: string, trackerId: string): string {
  return `tracker:${accountId}:${trackerId}`;
}
