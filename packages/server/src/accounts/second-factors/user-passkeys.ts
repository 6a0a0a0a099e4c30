import { randomUUID } from 'node:crypto';
import {
  MAX_PASSKEYS,
  type PasskeyAddition,
  type PasskeyRequestOptions,
  type PasskeySetup,
} from '@winnow/contract/passkey';
import type { IdentityProof, PasskeyRename } from '@winnow/contract/second-factor';
import { conflict, notFound, unauthorized } from '../../platform/errors.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import { type Client, deviceNameOf } from '../client.ts';
import type { PasskeyCeremonies } from '../passkeys/ceremonies.ts';
import * as passkeys from '../passkeys/store.ts';
import type { SecurityMails } from '../security-emails.ts';
import type { Sessions } from '../sessions.ts';
import { findUser, lockUnchangedPassword, type User } from '../store.ts';
import { type FactorChecks, type SignedInUser, wrongPasskey } from './factor-checks.ts';
import { replaceRecoveryCodes } from './service.ts';
import * as store from './store.ts';

const DEFAULT_NAME = 'Passkey';

export interface UserPasskeysOptions {
  db: Db;
  sessions: Sessions;
  activity: AccountActivity;
  securityMails: SecurityMails;
  checks: FactorChecks;
  ceremonies: PasskeyCeremonies;
  now: () => Date;
  /** Throws `forbidden` if the user must confirm the email address first. */
  expectConfirmedEmail: (who: SignedInUser) => Promise<void>;
}

/** Passkeys of users: adds, renames and removes them. */
export class UserPasskeys {
  readonly #options: UserPasskeysOptions;

  constructor(options: UserPasskeysOptions) {
    this.#options = options;
  }

  /** Returns options for a sign-in with a passkey. Throws 409 if passkeys are not available. */
  signInOptions(): PasskeyRequestOptions {
    return this.#options.ceremonies.requestOptions({ purpose: 'sign_in' }, []);
  }

  /** Returns options for the proof of a change. Throws 409 if passkeys are not available. */
  async proofOptions({ accountId, userId, sessionId }: SignedInUser): Promise<PasskeyRequestOptions> {
    const { ceremonies, db } = this.#options;
    const present = await passkeys.listPasskeys(db, { account_id: accountId, id: userId });
    return ceremonies.requestOptions({ purpose: 'prove', userId, sessionId }, present);
  }

  /**
   * Returns options for a new passkey. The user adds it with {@link add} within five minutes, in
   * the same session. Throws 400 for a wrong proof, 403 for an unconfirmed email address, 409
   * beyond the limit, 429 after too many attempts.
   */
  async start(who: SignedInUser, proof: IdentityProof, client: Client): Promise<PasskeySetup> {
    const { ceremonies, checks, expectConfirmedEmail } = this.#options;
    await expectConfirmedEmail(who);
    return checks.change(who, proof, client, async (transaction, user) => {
      const present = await passkeys.listPasskeys(transaction, user);
      if (present.length >= MAX_PASSKEYS) throw tooMany();
      return {
        options: ceremonies.creationOptions(user, who.sessionId, present),
        suggested_name: deviceNameOf(client.userAgent) ?? DEFAULT_NAME,
      };
    });
  }

  /**
   * Adds a passkey. If it is the first second factor, returns recovery codes, and ends the other
   * sessions, which began without it. Throws 400 for an invalid passkey, 409 for one that exists or
   * beyond the limit.
   */
  async add(
    { accountId, userId, sessionId }: SignedInUser,
    { name, passkey }: PasskeyAddition,
    client: Client,
  ): Promise<string[] | null> {
    const { activity, ceremonies, db, now, securityMails, sessions } = this.#options;
    const user = await findUser(db, accountId, userId);
    if (user === undefined) throw notFound();
    const created = await ceremonies.verifyCreation(passkey, { userId, sessionId });
    if (created === null) {
      await activity.record(db, { userId, kind: 'passkey_check_failed', client });
      throw wrongPasskey();
    }
    return db.transaction().execute(async (transaction) => {
      if (!(await lockUnchangedPassword(transaction, user))) throw unauthorized();
      const isFirst = !(await hasFactor(transaction, user));
      if ((await passkeys.listPasskeys(transaction, user)).length >= MAX_PASSKEYS) throw tooMany();
      const isNew = await passkeys.insertPasskey(transaction, {
        ...{ account_id: accountId, id: randomUUID(), user_id: userId, name },
        credential_id: created.credentialId,
        public_key: created.publicKey,
        sign_count: created.signCount,
        transports: created.transports,
        synced: created.synced,
        created_at: now(),
      });
      if (!isNew) throw conflict('passkey_exists', 'This passkey was added before.');
      await activity.record(transaction, { userId, kind: 'passkey_added', client, detail: name });
      await securityMails.send(transaction, user, { kind: 'passkey_added', name, isFirst }, client);
      if (!isFirst) return null;
      await sessions.signOutEverywhere(transaction, accountId, userId, sessionId);
      return replaceRecoveryCodes(transaction, user);
    });
  }

  /** Renames a passkey. Throws 400 for a wrong proof, 404 for an unknown passkey. */
  async rename(
    who: SignedInUser,
    passkeyId: string,
    { name, ...proof }: PasskeyRename,
    client: Client,
  ): Promise<void> {
    const { activity, checks, securityMails } = this.#options;
    await this.#expectPasskey(who, passkeyId);
    await checks.change(who, proof, client, async (transaction, user) => {
      const previous = await passkeys.renamePasskey(transaction, user, { passkeyId, name });
      if (previous === undefined) throw notFound();
      const detail = `${previous} → ${name}`;
      await activity.record(transaction, { userId: user.id, kind: 'passkey_renamed', client, detail });
      await securityMails.send(transaction, user, { kind: 'passkey_renamed', name }, client);
    });
  }

  /**
   * Removes a passkey, and with the last second factor also the recovery codes. Throws 400 for a
   * wrong proof, 404 for an unknown passkey.
   */
  async remove(who: SignedInUser, passkeyId: string, proof: IdentityProof, client: Client): Promise<void> {
    const { activity, checks, securityMails } = this.#options;
    await this.#expectPasskey(who, passkeyId);
    await checks.change(who, proof, client, async (transaction, user) => {
      const name = await passkeys.deletePasskey(transaction, user, passkeyId);
      if (name === undefined) throw notFound();
      const isLast = !(await hasFactor(transaction, user));
      if (isLast) await store.deleteRecoveryCodes(transaction, user);
      await activity.record(transaction, { userId: user.id, kind: 'passkey_removed', client, detail: name });
      await securityMails.send(transaction, user, { kind: 'passkey_removed', name, isLast }, client);
    });
  }

  /** Throws 404 for a passkey that the user does not have, before a proof is used up. */
  async #expectPasskey({ accountId, userId }: SignedInUser, passkeyId: string): Promise<void> {
    const present = await passkeys.listPasskeys(this.#options.db, { account_id: accountId, id: userId });
    if (!present.some(({ id }) => id === passkeyId)) throw notFound();
  }
}

async function hasFactor(transaction: Db, user: User): Promise<boolean> {
  const { addedAt } = await store.readFactors(transaction, user);
  return addedAt !== null || (await passkeys.listPasskeys(transaction, user)).length > 0;
}

function tooMany() {
  return conflict('too_many_passkeys', `You have ${MAX_PASSKEYS} passkeys. Remove one first.`);
}
