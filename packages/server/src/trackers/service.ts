import { randomUUID } from 'node:crypto';
import {
  type ConnectableTrackerType,
  type ConnectionTest,
  type ConnectionTestResult,
  type OrganizationChoice,
  type ProjectChoice,
  type ProjectsOfOrganization,
  type ScopeRuleInput,
  TRACKER_TYPES,
  type TrackerCreate,
  type TrackerType,
  type TrackerUpdate,
  UNCHANGED_API_KEY,
} from '@winnow/contract/tracker';
import { badRequest, conflict, invalid, notFound, upstreamFailed } from '../platform/errors.ts';
import type { Secrets } from '../platform/secrets.ts';
import type { Db } from '../schema/tables.ts';
import { violates } from '../schema/violations.ts';
import { type Connection, type Provider, TrackerError } from './provider.ts';
import { seedSampleBacklog } from './sample/seed.ts';
import * as store from './store.ts';

export { holdTracker } from './store.ts';

const CONNECTION_CHECK_MS = 20_000;

export interface TrackersOptions {
  db: Db;
  secrets: Secrets;
  now: () => Date;
  openProvider: (type: TrackerType, connection: Connection) => Provider;
  /** Asks for a sync, in the transaction that made it necessary. */
  requestSync: (db: Db, accountId: string, trackerId: string) => Promise<void>;
  /** Told, in the transaction that does it, that a tracker's issues are about to go away. */
  onTrackerRemoved: (db: Db, accountId: string, trackerId: string) => Promise<void>;
}

/** A tracker as other features use it: its row, its scope, and the port to it. */
export interface OpenTracker {
  row: store.TrackerRow;
  rules: ScopeRuleInput[];
  provider: Provider;
}

/** The connected trackers of an account. */
export class Trackers {
  readonly #options: TrackersOptions;

  constructor(options: TrackersOptions) {
    this.#options = options;
  }

  list(accountId: string): Promise<store.TrackerView[]> {
    return store.listTrackers(this.#options.db, accountId);
  }

  async get(accountId: string, trackerId: string): Promise<store.TrackerView> {
    const [tracker] = await store.listTrackers(this.#options.db, accountId, trackerId);
    if (!tracker) throw notFound();
    return tracker;
  }

  /**
   * Connects a tracker and starts its first sync. 400 with the tracker's sentence when the connection does not work,
   * 409 when the name is taken.
   */
  async create(accountId: string, input: TrackerCreate): Promise<store.TrackerView> {
    const { db, now } = this.#options;
    const trackerId = randomUUID();
    const url = input.type === 'sample' ? '' : addressOf(input.type, input.url);
    const username = input.type === 'sample' ? null : (input.config.username ?? null);
    const checked = input.type === 'sample' ? null : await this.#check(accountId, null, { ...input, url });
    try {
      await db.transaction().execute(async (transaction) => {
        await store.insertTracker(transaction, {
          account_id: accountId,
          id: trackerId,
          name: input.name,
          tracker_type: input.type,
          url,
          username,
          sealed_key: input.type === 'sample' ? null : this.#seal(accountId, trackerId, input.api_key),
        });
        if (input.type === 'sample') {
          await seedSampleBacklog(transaction, accountId, trackerId, now());
          await store.updateTracker(transaction, accountId, trackerId, { health_status: 'ok' });
        } else {
          await store.replaceScopeRules(transaction, accountId, trackerId, withIds(input.scope_rules));
          if (checked) await this.#saveHealth(transaction, accountId, trackerId, checked);
        }
        await this.#queueSync(transaction, accountId, trackerId);
      });
    } catch (error) {
      throw takenName(error) ?? error;
    }
    return this.get(accountId, trackerId);
  }

  /** Changes a tracker; a new address or key is checked first. A changed scope takes effect with the sync it starts. */
  async update(accountId: string, trackerId: string, input: TrackerUpdate): Promise<store.TrackerView> {
    const { db, now } = this.#options;
    const row = await this.#row(accountId, trackerId);
    const isSample = row.tracker_type === 'sample';
    const url = isSample || input.url === undefined ? row.url : addressOf(row.tracker_type, input.url);
    const newKey = isNewKey(input.api_key) ? input.api_key : null;
    if (newKey === null && !sameHost(url, row.url)) throw keyNeededForNewHost();
    const username = input.config?.username ?? row.username;
    const apiKey = newKey ?? this.#openKey(row);
    const moved = newKey !== null || url !== row.url || username !== row.username;
    const checked =
      isSample || !moved
        ? null
        : await this.#check(accountId, trackerId, { type: row.tracker_type, url, api_key: apiKey, username });
    try {
      await db.transaction().execute(async (transaction) => {
        await store.updateTracker(transaction, accountId, trackerId, {
          name: input.name,
          url,
          username,
          updated_at: now(),
          ...(newKey === null ? {} : { sealed_key: this.#seal(accountId, trackerId, newKey) }),
        });
        if (checked) await this.#saveHealth(transaction, accountId, trackerId, checked);
        if (input.scope_rules && !isSample) {
          await store.replaceScopeRules(transaction, accountId, trackerId, withIds(input.scope_rules));
        }
        await this.#queueSync(transaction, accountId, trackerId);
      });
    } catch (error) {
      throw takenName(error) ?? error;
    }
    return this.get(accountId, trackerId);
  }

  /** Removes a tracker and all that came from it. Nothing is written to the tracker itself. */
  async delete(accountId: string, trackerId: string): Promise<void> {
    const { db, onTrackerRemoved } = this.#options;
    await db.transaction().execute(async (transaction) => {
      // What works on the tracker's issues ends first, and what works on the account's pairs waits.
      if (!(await store.holdTracker(transaction, accountId, trackerId, 'alone'))) throw notFound();
      await onTrackerRemoved(transaction, accountId, trackerId);
      await store.deleteTracker(transaction, accountId, trackerId);
    });
  }

  /** Starts a sync now, or lets the running one be followed by another. */
  async requestSync(accountId: string, trackerId: string): Promise<void> {
    await this.#row(accountId, trackerId);
    await this.#options.db
      .transaction()
      .execute((transaction) => this.#queueSync(transaction, accountId, trackerId));
  }

  /** Whether the credentials work, in words, and the organizations they see. Never fails for what a tracker said. */
  async testConnection(accountId: string, input: ConnectionTest): Promise<ConnectionTestResult> {
    try {
      const provider = await this.#providerFor(accountId, input);
      const signal = AbortSignal.timeout(CONNECTION_CHECK_MS);
      const check = await provider.check(signal);
      const organizations = await provider.organizations(signal);
      const missing = check.missingPermissions;
      return {
        success: true,
        message:
          missing.length === 0
            ? `Connected as ${check.login}.`
            : `Connected as ${check.login}. This token lacks: ${missing.join(', ')}.`,
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

  /** The projects of one organization as these credentials see them. 502 with the tracker's sentence when it fails. */
  async projectsOfOrganization(accountId: string, input: ProjectsOfOrganization): Promise<ProjectChoice[]> {
    const provider = await this.#providerFor(accountId, input);
    try {
      const projects = await provider.projects(
        input.organization_identifier,
        AbortSignal.timeout(CONNECTION_CHECK_MS),
      );
      return projects.map(({ externalId, identifier, name }) => ({
        id: externalId,
        name,
        identifier,
        type: 'project',
      }));
    } catch (error) {
      const message = connectionProblem(error);
      throw message === null ? error : upstreamFailed(message, error);
    }
  }

  /** The port to a stored tracker; 404 when it is gone. */
  async open(accountId: string, trackerId: string): Promise<OpenTracker> {
    const row = await this.#row(accountId, trackerId);
    const provider = this.#options.openProvider(row.tracker_type, {
      accountId,
      trackerId,
      url: row.url,
      username: row.username,
      apiKey: this.#openKey(row),
    });
    return { row, provider, rules: await store.scopeRules(this.#options.db, accountId, trackerId) };
  }

  async #providerFor(accountId: string, input: ConnectionTest): Promise<Provider> {
    const stored = input.tracker_id === undefined ? null : await this.#row(accountId, input.tracker_id);
    const url = addressOf(input.tracker_type, input.url ?? stored?.url);
    const newKey = isNewKey(input.api_key) ? input.api_key : null;
    if (newKey === null) {
      if (!stored) throw invalid([{ path: 'api_key', message: 'Enter an API key.' }]);
      if (!sameHost(url, stored.url)) throw keyNeededForNewHost();
    }
    return this.#options.openProvider(input.tracker_type, {
      accountId,
      trackerId: stored?.id ?? null,
      url,
      username: input.connection_details?.username ?? stored?.username ?? null,
      apiKey: newKey ?? (stored ? this.#openKey(stored) : ''),
    });
  }

  async #check(
    accountId: string,
    trackerId: string | null,
    input: { type: TrackerType; url: string; api_key: string; username?: string | null },
  ): Promise<{ login: string; missingPermissions: string[] }> {
    const provider = this.#options.openProvider(input.type, {
      accountId,
      trackerId,
      url: input.url,
      username: input.username ?? null,
      apiKey: input.api_key,
    });
    try {
      return await provider.check(AbortSignal.timeout(CONNECTION_CHECK_MS));
    } catch (error) {
      const message = connectionProblem(error);
      throw message === null ? error : badRequest(message, 'connection_failed', error);
    }
  }

  async #saveHealth(
    db: Db,
    accountId: string,
    trackerId: string,
    check: { login: string; missingPermissions: string[] },
  ): Promise<void> {
    await store.updateTracker(db, accountId, trackerId, healthAfterCheck(check, this.#options.now()));
  }

  async #queueSync(db: Db, accountId: string, trackerId: string): Promise<void> {
    await store.markQueued(db, accountId, trackerId);
    await this.#options.requestSync(db, accountId, trackerId);
  }

  async #row(accountId: string, trackerId: string): Promise<store.TrackerRow> {
    const row = await store.findTracker(this.#options.db, accountId, trackerId);
    if (!row) throw notFound();
    return row;
  }

  #seal(accountId: string, trackerId: string, apiKey: string): Buffer {
    return this.#options.secrets.seal(apiKey, keyContext(accountId, trackerId));
  }

  #openKey(row: store.TrackerRow): string {
    if (row.sealed_key === null) return '';
    return this.#options.secrets.open(row.sealed_key, keyContext(row.account_id, row.id));
  }
}

/** The health columns after a check that worked. */
export function healthAfterCheck(
  check: { login: string; missingPermissions: string[] },
  now: Date,
): Pick<
  store.TrackerRow,
  'login' | 'health_status' | 'health_message' | 'health_checked_at' | 'missing_permissions'
> {
  const lacking = check.missingPermissions.length > 0;
  return {
    login: check.login,
    health_status: lacking ? 'warning' : 'ok',
    health_message: lacking ? `This token lacks: ${check.missingPermissions.join(', ')}.` : null,
    health_checked_at: now,
    missing_permissions: check.missingPermissions,
  };
}

function keyContext(accountId: string, trackerId: string): string {
  return `tracker:${accountId}:${trackerId}`;
}

function isNewKey(apiKey: string | undefined): apiKey is string {
  return apiKey !== undefined && apiKey !== '' && apiKey !== UNCHANGED_API_KEY;
}

/** The address to use for a type, with its default and a scheme. 422 when it is no address. */
function addressOf(type: TrackerType | ConnectableTrackerType, given: string | undefined): string {
  const text = given || TRACKER_TYPES[type].defaultUrl;
  const withScheme = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  const parsed = URL.canParse(withScheme) ? new URL(withScheme) : null;
  if (
    parsed === null ||
    !/^https?:$/.test(parsed.protocol) ||
    parsed.username !== '' ||
    parsed.password !== ''
  ) {
    throw invalid([{ path: 'url', message: 'Enter a web address such as https://github.com.' }]);
  }
  return `${parsed.origin}${parsed.pathname.replace(/\/+$/, '')}`;
}

function sameHost(left: string, right: string): boolean {
  return left === right || (left !== '' && right !== '' && new URL(left).origin === new URL(right).origin);
}

function keyNeededForNewHost() {
  return invalid([
    {
      path: 'api_key',
      message: 'Enter the API key again: the stored one is only ever sent to the stored host.',
    },
  ]);
}

function withIds(rules: readonly ScopeRuleInput[]): (ScopeRuleInput & { id: string })[] {
  return rules.map((rule) => ({ ...rule, id: randomUUID() }));
}

/** What a person is told when a tracker does not answer as it should; null when it was not the tracker's doing. */
export function connectionProblem(error: unknown): string | null {
  if (error instanceof TrackerError) return error.message;
  if (error instanceof Error && error.name === 'TimeoutError')
    return 'The tracker did not answer in time. Try again, or check the address.';
  return null;
}

function takenName(error: unknown) {
  if (!violates(error, 'tracker_name')) return null;
  const message = 'A tracker of this name is there already.';
  return conflict('tracker_name_taken', message, [{ path: 'name', message }]);
}
