import { randomUUID } from 'node:crypto';
import { EMAIL_UNCONFIRMED } from '@winnow/contract/account';
import { isAtLeast, mayAs } from '@winnow/contract/role';
import {
  INVITATION_DAYS,
  type InvitationCreate,
  invitationCreate,
  MAX_INVITATIONS,
} from '@winnow/contract/workspace';
import { DAY_MS, HOUR_MS } from '../../platform/clock.ts';
import { badRequest, conflict, forbidden, invalid, notFound, rateLimited } from '../../platform/errors.ts';
import type { Events } from '../../platform/events.ts';
import { notAMember, roleNeeded } from '../../platform/http/auth.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';
import type { Db } from '../../schema/tables.ts';
import { attemptSubject, countAttempt } from '../attempt-store.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import type { Client } from '../client.ts';
import { emailCounter } from '../login-limit.ts';
import { findUser, type User } from '../store.ts';
import { randomToken, tokenHash } from '../tokens.ts';
import { isFreeMailDomain } from './free-mail-domains.ts';
import { invitationEmail } from './invitation-email.ts';
import * as store from './invitation-store.ts';
import { actorFrom, type InWorkspace } from './service.ts';
import { findMember, findName, hasMemberWithEmail, insertMember, lockWorkspace } from './store.ts';

/** Maximum invitation emails per inviter, which prevents spam. */
const EMAIL_LIMIT = { allowed: 100, windowMs: HOUR_MS };
/** Maximum tries of invitation tokens per address. */
const LOOK_UP_LIMIT = { allowed: 60, windowMs: HOUR_MS };

export interface InvitationsOptions {
  db: Db;
  audit: AuditLog;
  mails: MailQueue;
  events: Pick<Events<AccountEvent>, 'publish'>;
  publicUrl: () => string;
  now: () => Date;
  /** True if emails leave the installation. Invitations then need confirmed addresses. */
  requiresConfirmedEmail: boolean;
}

/** An invitation as the invited person sees it. */
export interface SeenInvitation {
  workspace: string;
  invitation: store.FoundInvitation;
}

/** Invitations to workspaces: to an address, by a link, or for a domain. */
export class WorkspaceInvitations {
  readonly #options: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#options = options;
  }

  list(accountId: string) {
    return store.listInvitations(this.#options.db, accountId, this.#options.now());
  }

  /**
   * Creates an invitation and returns it with its link, which cannot be read again. One to an
   * address is mailed and replaces the earlier one. Throws 409 for an address of a member or above
   * {@link MAX_INVITATIONS}. Throws 422 for a domain that is not that of the caller's confirmed
   * address. Throws 429 above the limit of emails.
   */
  async create(
    user: InWorkspace,
    request: InvitationCreate,
    client: Client,
  ): Promise<{ row: store.InvitationRow & { inviter: string | null }; link: string | null }> {
    const { audit, db, events, now } = this.#options;
    const wanted = invitationCreate.parse(request);
    return db.transaction().execute(async (transaction) => {
      const actor = await this.#lockAsManager(transaction, user);
      if (!isAtLeast(actor.role, wanted.role)) {
        throw forbidden(roleNeeded({ kind: 'user', role: actor.role }, 'own'), 'role_required');
      }
      if ((await store.countInvitations(transaction, user.accountId)) >= MAX_INVITATIONS) {
        throw conflict(
          'too_many_invitations',
          `A workspace has at most ${MAX_INVITATIONS} open invitations. Withdraw one that is not needed.`,
        );
      }
      const inviter = await findUser(transaction, user.homeId, user.userId);
      if (!inviter) throw notFound();
      this.#expectConfirmed(inviter);
      if (wanted.kind === 'email') await expectNoMember(transaction, user.accountId, wanted.email);
      if (wanted.kind === 'domain') expectOwnDomain(inviter, wanted.domain);
      const token = wanted.kind === 'domain' ? null : randomToken();
      const row = await store.insertInvitation(transaction, {
        account_id: user.accountId,
        id: randomUUID(),
        kind: wanted.kind,
        role: wanted.role,
        email: wanted.kind === 'email' ? wanted.email : null,
        domain: wanted.kind === 'domain' ? wanted.domain : null,
        token_hash: token === null ? null : tokenHash(token),
        uses_left: wanted.kind === 'email' ? 1 : wanted.kind === 'link' ? wanted.max_uses : null,
        invited_by: user.userId,
        created_at: now(),
        expires_at: wanted.kind === 'domain' ? null : new Date(now().getTime() + INVITATION_DAYS * DAY_MS),
      });
      const link = token === null ? null : this.#linkOf(token);
      if (row.email !== null && link !== null) await this.#mail(transaction, row, inviter, link);
      await audit.record(transaction, user.accountId, {
        kind: 'member_invited',
        actor: actorFrom(actor),
        client,
        subject: row.email ?? row.domain ?? 'Link',
        details: { kind: row.kind, role: row.role },
      });
      await events.publish(user.accountId, { type: 'members_changed' }, { db: transaction });
      return { row: { ...row, inviter: actorFrom(actor).name }, link };
    });
  }

  /** Withdraws an invitation: it cannot be accepted anymore. Throws 404 if it does not exist. */
  async withdraw(user: InWorkspace, id: string, client: Client): Promise<void> {
    const { audit, db, events } = this.#options;
    await db.transaction().execute(async (transaction) => {
      const actor = await this.#lockAsManager(transaction, user);
      const row = await store.deleteInvitation(transaction, user.accountId, id);
      if (row === undefined) throw notFound();
      await audit.record(transaction, user.accountId, {
        kind: 'invitation_withdrawn',
        actor: actorFrom(actor),
        client,
        subject: row.email ?? row.domain ?? 'Link',
      });
      await events.publish(user.accountId, { type: 'members_changed' }, { db: transaction });
    });
  }

  /**
   * Returns an invitation before it is accepted. Throws 400 for an invalid one, 429 beyond
   * {@link LOOK_UP_LIMIT}.
   */
  async lookUp(token: string, client: Client): Promise<SeenInvitation> {
    const { db, now } = this.#options;
    const subject = attemptSubject('invitation', client.caller);
    const { waitSeconds } = await countAttempt(db, [{ subject, limit: LOOK_UP_LIMIT }], now());
    if (waitSeconds > 0) throw rateLimited(waitSeconds);
    const invitation = await store.findInvitation(db, tokenHash(token), now());
    if (invitation === undefined) throw invalidInvitation();
    return { invitation, workspace: (await findName(db, invitation.account_id)) ?? '' };
  }

  /**
   * Makes the user a member and returns the id of the workspace. Throws 400 for an invitation that
   * is used, withdrawn, expired or unknown. Throws 403 if it is for another address, or if the user
   * was removed and this is a link. Throws 409 if the user already is a member; the invitation then
   * stays unused.
   */
  async accept(
    { userId, accountId: homeId }: { userId: string; accountId: string },
    token: string,
    client: Client,
  ): Promise<string> {
    const { db, now } = this.#options;
    return db.transaction().execute(async (transaction) => {
      const found = await store.findInvitation(transaction, tokenHash(token), now());
      if (found === undefined || !(await lockWorkspace(transaction, found.account_id))) {
        throw invalidInvitation();
      }
      // Another transaction may have used or withdrawn it before the lock.
      const invitation = await store.findInvitation(transaction, tokenHash(token), now());
      const user = await findUser(transaction, homeId, userId);
      if (invitation === undefined || !user) throw invalidInvitation();
      const { account_id: accountId, email } = invitation;
      this.#expectConfirmed(user);
      const isInvited = email === null || (!user.email_taken && isSameEmail(email, user.email));
      if (!isInvited) {
        throw forbidden(
          `This invitation is for ${email}. Sign in with the account of that address.`,
          'invitation_for_another',
        );
      }
      if (email === null) await expectNotRemoved(transaction, accountId, userId);
      await this.#join(transaction, invitation, user, client);
      if (!(await store.useInvitation(transaction, invitation))) throw invalidInvitation();
      await store.forgetRemoved(transaction, accountId, userId);
      await this.#publish(transaction, accountId);
      return accountId;
    });
  }

  /** Lists the workspaces that the user can join because of the domain of the confirmed address. */
  async joinable(user: { userId: string; accountId: string }) {
    const { db } = this.#options;
    const found = await this.#domainInvitations(db, user);
    const names = await Promise.all(found.map(({ account_id }) => findName(db, account_id)));
    return found.map(({ account_id: id, role }, index) => ({ id, role, name: names[index] ?? '' }));
  }

  /** Joins a workspace by the domain of the confirmed address. Throws 404 if it is not joinable. */
  async join(
    user: { userId: string; accountId: string },
    workspaceId: string,
    client: Client,
  ): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      if (!(await lockWorkspace(transaction, workspaceId))) throw notFound();
      const found = await this.#domainInvitations(transaction, user);
      const invitation = found.find(({ account_id }) => account_id === workspaceId);
      const person = await findUser(transaction, user.accountId, user.userId);
      if (invitation === undefined || !person) throw notFound();
      await this.#join(transaction, invitation, person, client);
      await this.#publish(transaction, workspaceId);
    });
  }

  async #domainInvitations(db: Db, { userId, accountId }: { userId: string; accountId: string }) {
    const user = await findUser(db, accountId, userId);
    if (!user || user.email_verified_at === null || user.email_taken) return [];
    return store.findDomainInvitations(db, {
      userId,
      domain: domainOf(user.email),
      now: this.#options.now(),
    });
  }

  async #join(
    transaction: Db,
    { account_id, role, kind }: store.InvitationRow,
    user: User,
    client: Client,
  ): Promise<void> {
    const isNew = await insertMember(transaction, { account_id, user_id: user.id, role });
    if (!isNew) throw conflict('already_a_member', 'You are already a member of this workspace.');
    const name = user.full_name || user.username;
    await this.#options.audit.record(transaction, account_id, {
      kind: 'member_joined',
      actor: { type: 'user', id: user.id, name },
      client,
      subject: name,
      details: { role, by: kind },
    });
  }

  /** Throws `forbidden` if addresses can be confirmed and the user's is not. */
  #expectConfirmed({ email_verified_at }: User): void {
    if (!this.#options.requiresConfirmedEmail || email_verified_at !== null) return;
    throw forbidden(EMAIL_UNCONFIRMED, 'email_unconfirmed');
  }

  async #publish(transaction: Db, accountId: string): Promise<void> {
    await this.#options.events.publish(accountId, { type: 'members_changed' }, { db: transaction });
  }

  async #mail(
    transaction: Db,
    { account_id, id, email, role, expires_at }: store.InvitationRow,
    inviter: User,
    url: string,
  ): Promise<void> {
    const { mails, now } = this.#options;
    const subject = attemptSubject('mail', 'invitation', inviter.id);
    const counters = [{ subject, limit: EMAIL_LIMIT }, emailCounter('invitation', email ?? '')];
    const { waitSeconds } = await countAttempt(transaction, counters, now());
    if (waitSeconds > 0) throw rateLimited(waitSeconds);
    const letter = invitationEmail({
      workspace: (await findName(transaction, account_id)) ?? '',
      inviter: { name: inviter.full_name || inviter.username, email: inviter.email },
      role,
      url,
    });
    const options = {
      db: transaction,
      key: `invitation:${id}`,
      ...(expires_at ? { notAfter: expires_at } : {}),
    };
    await mails.add({ to: email ?? '', kind: 'invitation', ...letter }, options);
  }

  #linkOf(token: string): string {
    const link = new URL('/console/join', this.#options.publicUrl());
    link.searchParams.set('token', token);
    return link.href;
  }

  async #lockAsManager(transaction: Db, { accountId, userId }: InWorkspace) {
    if (!(await lockWorkspace(transaction, accountId))) throw notAMember();
    const actor = await findMember(transaction, accountId, userId);
    if (actor === undefined) throw notAMember();
    if (!mayAs(actor.role, 'manage')) {
      throw forbidden(roleNeeded({ kind: 'user', role: actor.role }, 'manage'), 'role_required');
    }
    return actor;
  }
}

function invalidInvitation() {
  return badRequest(
    'This invitation is not valid. It may be used, withdrawn or expired. Ask for a new one.',
    'invalid_invitation',
  );
}

async function expectNotRemoved(transaction: Db, accountId: string, userId: string): Promise<void> {
  if (!(await store.wasRemoved(transaction, accountId, userId))) return;
  throw forbidden(
    'You were removed from this workspace. Ask an admin for an invitation to your email address.',
    'was_removed',
  );
}

async function expectNoMember(transaction: Db, accountId: string, email: string): Promise<void> {
  const isKnown = await hasMemberWithEmail(transaction, accountId, email);
  if (isKnown) throw conflict('already_a_member', 'This person is already a member of the workspace.');
}

function expectOwnDomain(inviter: User, domain: string): void {
  const refuse = (message: string) => invalid([{ path: 'domain', message }]);
  if (isFreeMailDomain(domain)) {
    throw refuse('Everyone can get an address at this domain. Invite people by email or link.');
  }
  if (inviter.email_verified_at === null || domainOf(inviter.email) !== domain) {
    throw refuse('Enter the domain of your confirmed email address.');
  }
}

function isSameEmail(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}

function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase();
}
