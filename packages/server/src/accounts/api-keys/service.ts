import { randomUUID } from 'node:crypto';
import { type ApiKeyCreate, MAX_API_KEYS } from '@winnow/contract/api-key';
import { mayAs, permissionsOfScopes } from '@winnow/contract/role';
import { conflict, invalid, notFound, unauthorized } from '../../platform/errors.ts';
import type { ApiKeyPrincipal } from '../../platform/http/auth.ts';
import { Tallies } from '../../platform/tallies.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { Client } from '../client.ts';
import type { SecurityMails } from '../security-emails.ts';
import { expectSignedIn, type SignedIn } from '../signed-in.ts';
import { findUser } from '../store.ts';
import { isWellFormed, keyHash, newKey, shownPrefix } from './key.ts';
import * as store from './store.ts';

/** Maximum delay until the use of a key is stored. */
const USE_FLUSH_MS = 5 * 60 * 1000;

export interface ApiKeysOptions {
  db: Db;
  now: () => Date;
  activity: AccountActivity;
  securityMails: SecurityMails;
  /** Throws `forbidden` if a confirmed email address is required and the account has none. */
  expectConfirmedEmail: (accountId: string) => Promise<void>;
  /** Returns the number of requests per key. Keys without requests are missing. */
  countRequests: (accountId: string) => Promise<ReadonlyMap<string, number>>;
  /** Called when uses could not be stored. They are retained for the next attempt. */
  onError: (error: unknown) => void;
}

/** A key and the number of its requests. */
export type ListedKey = store.ApiKeyRow & { requests: number };

/** API keys of an account. */
export class ApiKeys {
  readonly #db: Db;
  readonly #now: () => Date;
  readonly #options: Pick<
    ApiKeysOptions,
    'activity' | 'countRequests' | 'expectConfirmedEmail' | 'securityMails'
  >;
  readonly #uses: Tallies<store.KeyUse>;

  constructor({ db, now, onError, ...options }: ApiKeysOptions) {
    this.#db = db;
    this.#now = now;
    this.#options = options;
    this.#uses = new Tallies({
      keyOf: ({ keyId }) => keyId,
      merge: laterOf,
      write: (uses) => store.noteUses(db, uses),
      onError,
      intervalMs: USE_FLUSH_MS,
    });
  }

  /**
   * Lists the keys of the account, newest first, including expired ones. Uses in this process are
   * included immediately; uses in other processes appear within five minutes.
   */
  async list(accountId: string): Promise<ListedKey[]> {
    const unwritten = this.#uses.unwritten();
    const [keys, requests] = await Promise.all([
      store.listKeys(this.#db, accountId),
      this.#options.countRequests(accountId),
    ]);
    return keys.map((key) => {
      const uses = unwritten.filter(({ keyId }) => keyId === key.id).map(({ lastUsedAt }) => lastUsedAt);
      const times = [...uses, ...(key.last_used_at === null ? [] : [key.last_used_at])].map(Number);
      return {
        ...key,
        last_used_at: times.length === 0 ? null : new Date(Math.max(...times)),
        requests: requests.get(key.id) ?? 0,
      };
    });
  }

  /**
   * Creates a key and returns it. Only its hash is stored, so it cannot be read again. Throws 422
   * if the end date has passed, or 409 if the account has {@link MAX_API_KEYS}. Throws 403 if the
   * email address must be confirmed first.
   */
  async create(
    user: SignedIn,
    { name, expires_at, scopes }: ApiKeyCreate,
    client: Client,
  ): Promise<{ row: ListedKey; key: string }> {
    const { activity, expectConfirmedEmail, securityMails } = this.#options;
    const now = this.#now();
    const { accountId, homeId, userId } = user;
    await expectConfirmedEmail(accountId);
    if (expires_at !== null && new Date(expires_at) <= now) {
      throw invalid([
        { path: 'expires_at', message: 'The key would have expired already. Choose a later date.' },
      ]);
    }
    const key = newKey();
    const row = await this.#db.transaction().execute(async (transaction) => {
      await store.lockKeys(transaction, accountId);
      await expectSignedIn(transaction, user);
      if ((await store.countKeys(transaction, accountId)) >= MAX_API_KEYS) {
        throw conflict(
          'too_many_api_keys',
          `An account has at most ${MAX_API_KEYS} API keys. Revoke one that you do not need.`,
        );
      }
      await activity.record(transaction, { userId, kind: 'api_key_created', client, detail: name });
      const owner = await findUser(transaction, homeId, userId);
      if (owner) await securityMails.send(transaction, owner, { kind: 'api_key_created', name }, client);
      return store.insertKey(transaction, {
        account_id: accountId,
        id: randomUUID(),
        user_id: userId,
        name,
        prefix: shownPrefix(key),
        key_hash: keyHash(key),
        scopes,
        created_at: now,
        expires_at,
      });
    });
    return { row: { ...row, requests: 0 }, key };
  }

  /**
   * Revokes a key immediately: every process refuses the next request with it. Throws 404 if it
   * does not exist.
   */
  async revoke(
    { accountId, userId }: { accountId: string; userId: string },
    keyId: string,
    client: Client,
  ): Promise<void> {
    const { activity } = this.#options;
    await this.#db.transaction().execute(async (transaction) => {
      const name = await store.deleteKey(transaction, accountId, keyId);
      if (name === undefined) throw notFound();
      await activity.record(transaction, { userId, kind: 'api_key_revoked', client, detail: name });
    });
  }

  /**
   * Returns the workspace and the permissions of a key: those that its scopes give and that its
   * owner's role has. Throws 401 with the same text for malformed,
   * unknown, revoked and expired keys.
   */
  async authenticate(key: string): Promise<ApiKeyPrincipal> {
    const found = isWellFormed(key) ? await store.findKeyByHash(this.#db, keyHash(key)) : undefined;
    const { account_id: accountId, user_id: userId, id: keyId, scopes, role } = this.#valid(found);
    const permissions = new Set(permissionsOfScopes(scopes).filter((permission) => mayAs(role, permission)));
    return { kind: 'api_key', accountId, userId, keyId, scopes, role, permissions };
  }

  /**
   * Returns the name of a key that was authenticated before. Throws 401 if it has been revoked or
   * has expired since.
   */
  async nameOf({ accountId, keyId }: Pick<ApiKeyPrincipal, 'accountId' | 'keyId'>): Promise<string> {
    return this.#valid(await store.findKey(this.#db, accountId, keyId)).name;
  }

  #valid<K extends store.ApiKeyRow>(key: K | undefined): K {
    if (key === undefined || (key.expires_at !== null && key.expires_at <= this.#now())) {
      throw unauthorized('This API key is not valid. It may be mistyped, expired or revoked.');
    }
    return key;
  }

  /** Records that a request was made with a key. */
  noteUse({ accountId, keyId }: Pick<ApiKeyPrincipal, 'accountId' | 'keyId'>): void {
    this.#uses.add({ accountId, keyId, lastUsedAt: this.#now() });
  }

  /** Stores uses that are not stored yet. */
  close(): Promise<void> {
    return this.#uses.close();
  }
}

function laterOf(left: store.KeyUse, right: store.KeyUse): store.KeyUse {
  return left.lastUsedAt > right.lastUsedAt ? left : right;
}
