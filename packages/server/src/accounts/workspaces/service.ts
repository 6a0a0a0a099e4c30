import { randomUUID } from 'node:crypto';
import { EMAIL_UNCONFIRMED } from '@winnow/contract/account';
import { isAtLeast, mayAs, ROLES, type Role } from '@winnow/contract/role';
import {
  MAX_OWNED_WORKSPACES,
  type MemberQuery,
  type MemberRemoval,
  type WorkspaceDeletion,
  type WorkspacePatch,
} from '@winnow/contract/workspace';
import { conflict, forbidden, invalid, notFound } from '../../platform/errors.ts';
import type { Events } from '../../platform/events.ts';
import { notAMember, roleNeeded, type UserPrincipal } from '../../platform/http/auth.ts';
import type { MailQueue } from '../../platform/mail/mail-queue.ts';
import type { AccountEvent } from '../../platform/realtime/account-event.ts';
import type { Db } from '../../schema/tables.ts';
import type { AccountActivity } from '../activity.ts';
import type { AuditActor, AuditLog } from '../audit/audit-log.ts';
import type { Client } from '../client.ts';
import type { AccountLock } from '../deletion/lock.ts';
import { clearFailedLogins } from '../login-limit.ts';
import { checkPassword, wrongPassword } from '../password-check.ts';
import { findUser, lockUnchangedPassword } from '../store.ts';
import { removalEmail } from './invitation-email.ts';
import { deleteInvitationsBy, deleteInvitationsTo, noteRemoved } from './invitation-store.ts';
import * as store from './store.ts';

/** A signed-in user in the workspace that the request selects. */
export type InWorkspace = Pick<UserPrincipal, 'accountId' | 'userId' | 'homeId'>;

export interface WorkspacesOptions {
  db: Db;
  activity: AccountActivity;
  audit: AuditLog;
  lock: AccountLock;
  mails: MailQueue;
  events: Pick<Events<AccountEvent>, 'publish'>;
  now: () => Date;
  /** True if emails leave the installation. Then creating a workspace needs a confirmed address. */
  requiresConfirmedEmail: boolean;
  /** Seals the secrets of a user again, whose own account changes. */
  resealSecrets: (transaction: Db, userId: string, homes: { from: string; to: string }) => Promise<void>;
  /** Disables the flows of a member and stops their executions. Returns the names of the flows. */
  stopFlowsOf: (transaction: Db, accountId: string, ownerId: string) => Promise<string[]>;
}

/** Workspaces and their members. */
export class Workspaces {
  readonly #options: WorkspacesOptions;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
  }

  list(userId: string): Promise<store.WorkspaceRow[]> {
    return store.listWorkspaces(this.#options.db, userId);
  }

  /** Returns the selected workspace. */
  async get({ accountId, userId }: InWorkspace): Promise<store.WorkspaceRow> {
    const found = await store.findWorkspace(this.#options.db, accountId, userId);
    if (found === undefined) throw notFound();
    return found;
  }

  /** Creates a workspace owned by the user. Throws 409 above the limit of owned workspaces. */
  async create(userId: string, name: string, client: Client): Promise<store.WorkspaceRow> {
    const { audit, db, requiresConfirmedEmail } = this.#options;
    const accountId = randomUUID();
    return db.transaction().execute(async (transaction) => {
      const user = await store.lockUser(transaction, userId);
      if (requiresConfirmedEmail && user?.email_verified_at === null) {
        throw forbidden(EMAIL_UNCONFIRMED, 'email_unconfirmed');
      }
      if ((await store.countOwned(transaction, userId)) >= MAX_OWNED_WORKSPACES) {
        throw conflict(
          'too_many_workspaces',
          `You own ${MAX_OWNED_WORKSPACES} workspaces, which is the maximum.`,
        );
      }
      await store.insertWorkspace(transaction, accountId, name);
      await store.insertMember(transaction, { account_id: accountId, user_id: userId, role: 'owner' });
      const found = await store.findWorkspace(transaction, accountId, userId);
      const owner = await store.findMember(transaction, accountId, userId);
      if (found === undefined || owner === undefined) throw notFound();
      const actor = actorFrom(owner);
      await audit.record(transaction, accountId, { kind: 'workspace_created', actor, client, subject: name });
      return found;
    });
  }

  /** Changes the name or the rules of a workspace. Rules are changed by an owner only. */
  async change(user: InWorkspace, patch: WorkspacePatch, client: Client): Promise<store.WorkspaceRow> {
    const { audit, events } = this.#options;
    await this.#locked(user, async (transaction, actor) => {
      expectManager(actor);
      if (patch.four_eyes !== undefined || patch.require_second_factor !== undefined) {
        expectRole(actor, 'owner');
      }
      await store.updateWorkspace(transaction, user.accountId, patch);
      const details = Object.fromEntries(Object.entries(patch).map(([key, value]) => [key, String(value)]));
      await audit.record(transaction, user.accountId, {
        ...{ kind: 'workspace_changed', actor: actorFrom(actor), client, details },
      });
      await events.publish(user.accountId, { type: 'members_changed' }, { db: transaction });
    });
    return this.get(user);
  }

  /**
   * Locks a workspace and requests its deletion. Its members lose access immediately. Throws 409
   * for the user's personal workspace, 422 for a wrong name, 400 for a wrong password.
   */
  async delete(
    user: InWorkspace,
    { name, current_password }: WorkspaceDeletion,
    client: Client,
  ): Promise<void> {
    const { db, events, lock } = this.#options;
    const { accountId, homeId, userId } = user;
    const found = await this.get(user);
    if (accountId === homeId) {
      throw conflict(
        'personal_workspace',
        'This is your personal workspace. It is deleted with your account, in Settings under Profile.',
      );
    }
    if (name !== found.name)
      throw invalid([{ path: 'name', message: 'This is not the name of the workspace.' }]);
    const person = await findUser(db, homeId, userId);
    if (!person) throw notFound();
    const attempt = await checkPassword(this.#options, person, current_password, client);
    await this.#locked(user, async (transaction, actor) => {
      expectRole(actor, 'owner');
      if (!(await lockUnchangedPassword(transaction, person))) throw wrongPassword();
      await clearFailedLogins(transaction, attempt);
      const homeUser = await store.findHomeUserId(transaction, accountId);
      if (homeUser !== undefined) await this.#giveNewHome(transaction, homeUser, accountId);
      const gone = await store.deleteAllMembers(transaction, accountId);
      await lock.lock(transaction, accountId);
      for (const id of gone) await this.#publishRemoval(transaction, accountId, id);
      await events.publish(accountId, { type: 'members_changed' }, { db: transaction });
    });
  }

  listMembers(accountId: string, filter: MemberQuery, page: { limit: number; skip: number }) {
    return store.listMembers(this.#options.db, accountId, filter, page);
  }

  /**
   * Changes the role of a member. Only an owner gives or takes ownership. Throws 404 for a user who
   * is not a member, 403 for a role above the caller's, 409 for the last owner.
   */
  async changeRole(user: InWorkspace, memberId: string, role: Role, client: Client): Promise<void> {
    await this.#locked(user, async (transaction, actor) => {
      const member = await expectMember(transaction, user.accountId, memberId);
      if (member.role === role) return;
      expectManager(actor);
      expectRole(actor, member.role);
      expectRole(actor, role);
      await this.#setRole(transaction, user.accountId, member, role, { actor, client });
      await this.#publishChange(transaction, user.accountId);
    });
  }

  /** Makes a member an owner and the caller an admin. Throws 404 for a user who is not a member. */
  async transferOwnership(user: InWorkspace, memberId: string, client: Client): Promise<void> {
    const { accountId } = user;
    const { audit } = this.#options;
    await this.#locked(user, async (transaction, actor) => {
      expectRole(actor, 'owner');
      const member = await expectMember(transaction, accountId, memberId);
      if (member.user_id === actor.user_id) {
        throw invalid([{ path: 'user_id', message: 'Choose another member.' }]);
      }
      await store.updateRole(transaction, accountId, memberId, 'owner');
      await this.#setRole(transaction, accountId, actor, 'admin', null);
      await audit.record(transaction, accountId, {
        ...{ kind: 'ownership_transferred', actor: actorFrom(actor), client, subject: nameOf(member) },
      });
      await this.#publishChange(transaction, accountId);
    });
  }

  /**
   * Removes a member: their requests are refused from now on, and their API keys are deleted. Their
   * flows go to another member, or are disabled. Throws like {@link changeRole}, and 422 for a
   * member who cannot own flows.
   */
  async removeMember(
    user: InWorkspace,
    memberId: string,
    { flows_to }: MemberRemoval,
    client: Client,
  ): Promise<void> {
    const { accountId } = user;
    await this.#locked(user, async (transaction, actor) => {
      const member = await expectMember(transaction, accountId, memberId);
      const isSelf = member.user_id === actor.user_id;
      if (!isSelf) {
        expectManager(actor);
        expectRole(actor, member.role);
        await noteRemoved(transaction, accountId, memberId, this.#options.now());
        await deleteInvitationsTo(transaction, accountId, member.email);
        await deleteInvitationsBy(transaction, accountId, memberId);
        await this.#mailRemoval(transaction, accountId, member);
      }
      // A member who may not manage flows cannot give them the rights of another member.
      const heir = mayAs(actor.role, 'manage') ? flows_to : null;
      await this.#end(transaction, accountId, member, heir, {
        ...{ kind: isSelf ? 'member_left' : 'member_removed', actor: actorFrom(actor), client },
      });
    });
  }

  /** Ends the caller's own membership. Throws 409 for the last owner. */
  async leave(user: InWorkspace, removal: MemberRemoval, client: Client): Promise<void> {
    await this.removeMember(user, user.userId, removal, client);
  }

  /**
   * Ends all memberships of a user whose account will be deleted, except in the user's own account.
   * Returns the id of the own account, which then has no other members. Throws 409 if a workspace
   * would lose its last owner.
   */
  async prepareDeparture(
    transaction: Db,
    { userId, homeId }: Pick<InWorkspace, 'userId' | 'homeId'>,
    client: Client | null,
  ): Promise<string> {
    let home = homeId;
    for (const accountId of await store.workspaceIdsOf(transaction, userId)) {
      if (!(await store.lockWorkspace(transaction, accountId))) continue;
      const member = await store.findMember(transaction, accountId, userId);
      if (member === undefined) continue;
      if (accountId !== homeId) {
        await this.#end(transaction, accountId, member, null, {
          ...{ kind: 'member_left', actor: actorFrom(member), client },
        });
      } else if (await store.hasOtherOwner(transaction, accountId, userId)) {
        await this.#end(transaction, accountId, member, null, {
          ...{ kind: 'member_left', actor: actorFrom(member), client },
        });
        home = (await store.findHomeOf(transaction, userId)) ?? homeId;
      } else if ((await store.countMembers(transaction, accountId)) > 1) {
        throw conflict(
          'last_owner',
          'Your personal workspace has other members. Make one of them an owner, or remove them first.',
        );
      }
    }
    return home;
  }

  async #end(
    transaction: Db,
    accountId: string,
    member: store.MemberRow,
    flowsTo: string | null,
    entry: { kind: 'member_left' | 'member_removed'; actor: AuditActor; client: Client | null },
  ): Promise<void> {
    const { audit, stopFlowsOf } = this.#options;
    await this.#expectOtherOwner(transaction, accountId, member);
    const flows =
      flowsTo === null
        ? (await stopFlowsOf(transaction, accountId, member.user_id)).length
        : await this.#moveFlows(transaction, accountId, { from: member.user_id, to: flowsTo });
    await store.deleteMember(transaction, accountId, member.user_id);
    await this.#leaveHome(transaction, accountId, member);
    const details = { role: member.role, flows: String(flows) };
    await audit.record(transaction, accountId, { ...entry, subject: nameOf(member), details });
    await this.#publishRemoval(transaction, accountId, member.user_id);
    await this.#publishChange(transaction, accountId);
  }

  async #moveFlows(transaction: Db, accountId: string, move: { from: string; to: string }): Promise<number> {
    const heir = await store.findMember(transaction, accountId, move.to);
    if (heir === undefined || move.to === move.from || !mayAs(heir.role, 'write')) {
      throw invalid([{ path: 'flows_to', message: 'Choose another member who may write.' }]);
    }
    return store.moveFlows(transaction, accountId, move);
  }

  async #setRole(
    transaction: Db,
    accountId: string,
    member: store.MemberRow,
    role: Role,
    by: { actor: store.MemberRow; client: Client } | null,
  ): Promise<void> {
    if (role !== 'owner') await this.#expectOtherOwner(transaction, accountId, member);
    await store.updateRole(transaction, accountId, member.user_id, role);
    if (role !== 'owner') await this.#leaveHome(transaction, accountId, member);
    if (by === null) return;
    await this.#options.audit.record(transaction, accountId, {
      kind: 'role_changed',
      actor: actorFrom(by.actor),
      client: by.client,
      subject: nameOf(member),
      details: { from: member.role, to: role },
    });
  }

  async #expectOtherOwner(transaction: Db, accountId: string, member: store.MemberRow): Promise<void> {
    if (member.role !== 'owner') return;
    if (await store.hasOtherOwner(transaction, accountId, member.user_id)) return;
    const name = await store.findName(transaction, accountId);
    throw conflict(
      'last_owner',
      `The workspace “${name}” needs an owner. Make another member an owner first, or delete the workspace.`,
    );
  }

  /** Gives a member a new own account if the workspace was the own account until now. */
  async #leaveHome(transaction: Db, accountId: string, { homeId, user_id }: store.MemberRow): Promise<void> {
    if (homeId === accountId) await this.#giveNewHome(transaction, user_id, accountId);
  }

  async #giveNewHome(transaction: Db, userId: string, from: string): Promise<void> {
    const name = await store.findName(transaction, from);
    const to = randomUUID();
    await store.insertWorkspace(transaction, to, null);
    await store.moveHome(transaction, userId, { from, to });
    await this.#options.resealSecrets(transaction, userId, { from, to });
    await store.insertMember(transaction, { account_id: to, user_id: userId, role: 'owner' });
    // The name was derived from the user's, who has left.
    if (name !== undefined) await store.updateWorkspace(transaction, from, { name });
  }

  async #mailRemoval(transaction: Db, accountId: string, member: store.MemberRow): Promise<void> {
    if (member.email_taken) return;
    const letter = removalEmail((await store.findName(transaction, accountId)) ?? '');
    const mail = { to: member.email, kind: 'member_removed', ...letter };
    await this.#options.mails.add(mail, { db: transaction });
  }

  async #publishRemoval(transaction: Db, accountId: string, userId: string): Promise<void> {
    const event = { type: 'member_removed', user_id: userId } as const;
    await this.#options.events.publish(accountId, event, { db: transaction });
  }

  async #publishChange(transaction: Db, accountId: string): Promise<void> {
    await this.#options.events.publish(accountId, { type: 'members_changed' }, { db: transaction });
  }

  /**
   * Runs `work` with the workspace locked, so that changes to members take turns. The caller's role
   * is read again, because it may have changed meanwhile.
   */
  async #locked(
    { accountId, userId }: InWorkspace,
    work: (transaction: Db, actor: store.MemberRow) => Promise<void>,
  ): Promise<void> {
    await this.#options.db.transaction().execute(async (transaction) => {
      if (!(await store.lockWorkspace(transaction, accountId))) throw notAMember();
      const actor = await store.findMember(transaction, accountId, userId);
      if (actor === undefined) throw notAMember();
      await work(transaction, actor);
    });
  }
}

async function expectMember(transaction: Db, accountId: string, userId: string): Promise<store.MemberRow> {
  const member = await store.findMember(transaction, accountId, userId);
  if (member === undefined) throw notFound();
  return member;
}

/** Throws `forbidden` unless the member may manage members. */
function expectManager(actor: store.MemberRow): void {
  if (!mayAs(actor.role, 'manage')) {
    throw forbidden(roleNeeded({ kind: 'user', role: actor.role }, 'manage'), 'role_required');
  }
}

/** Throws `forbidden` unless the member has at least this role. */
function expectRole(actor: store.MemberRow, role: Role): void {
  if (isAtLeast(actor.role, role)) return;
  const label = ROLES[actor.role].label;
  throw forbidden(`Only an owner can do this. Your role in this workspace is ${label}.`, 'role_required');
}

/** Returns the audit actor for a member. */
export function actorFrom(member: store.MemberRow): AuditActor {
  return { type: 'user', id: member.user_id, name: nameOf(member) };
}

function nameOf({ full_name, username }: Pick<store.MemberRow, 'full_name' | 'username'>): string {
  return full_name || username;
}
