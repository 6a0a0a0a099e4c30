import { API_KEY_PREFIX } from '@winnow/contract/api-key';
import { AUDIT_DAYS } from '@winnow/contract/audit';
import { ROLES } from '@winnow/contract/role';
import { AccountActivity } from '../accounts/activity.ts';
import { registerActivityRoutes } from '../accounts/activity-routes.ts';
import { removeEventsBefore } from '../accounts/activity-store.ts';
import { registerApiKeyRoutes } from '../accounts/api-keys/routes.ts';
import { ApiKeys } from '../accounts/api-keys/service.ts';
import { AuditLog } from '../accounts/audit/audit-log.ts';
import { auditRoutes } from '../accounts/audit/audited-routes.ts';
import { registerAuditRoutes } from '../accounts/audit/routes.ts';
import { removeAuditEventsBefore } from '../accounts/audit/store.ts';
import { AccountLock } from '../accounts/deletion/lock.ts';
import { Invitations } from '../accounts/invitations.ts';
import { mailPasswordReset } from '../accounts/job.ts';
import { MailedLinks } from '../accounts/mailed-links.ts';
import { PasswordChanges } from '../accounts/password-changes.ts';
import { PasswordRater, type RateStrength } from '../accounts/password-policy.ts';
import { Registration } from '../accounts/registration.ts';
import { registerAccountRoutes } from '../accounts/routes.ts';
import { resealAuthenticator } from '../accounts/second-factors/factor-checks.ts';
import { SecurityMails } from '../accounts/security-emails.ts';
import { Accounts } from '../accounts/service.ts';
import { registerSessionRoutes } from '../accounts/session-routes.ts';
import { createSessions } from '../accounts/sessions.ts';
import { deleteInvitationsBy, removeExpiredInvitations } from '../accounts/workspaces/invitation-store.ts';
import { WorkspaceInvitations } from '../accounts/workspaces/invitations.ts';
import { registerWorkspaceRoutes } from '../accounts/workspaces/routes.ts';
import { Workspaces } from '../accounts/workspaces/service.ts';
import { workspaceIdsOf } from '../accounts/workspaces/store.ts';
import { clearDefault } from '../ai/store.ts';
import type { Usage } from '../billing/usage/usage.ts';
import type { RecordDecision } from '../changes/change-writer.ts';
import type { ActorOf } from '../changes/routes.ts';
import { stopFlows } from '../flows/stop-flows.ts';
import { registerLeadRoutes } from '../leads/routes.ts';
import { Leads } from '../leads/service.ts';
import { unauthorized } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import {
  type ApiKeyPrincipal,
  type Authentication,
  notAMember,
  type Principal,
  secondFactorMissing,
} from '../platform/http/auth.ts';
import { retention } from '../platform/jobs/daily.ts';
import { handle } from '../platform/jobs/job.ts';
import type { Foundation } from './foundation.ts';
import { composeSecondFactors } from './second-factors.ts';

/**
 * Shared by all compositions of a process, because loading its dictionaries takes 0.3 s of
 * processor time and 90 MB.
 */
const rater = new PasswordRater();

export type AccountServices = ReturnType<typeof composeAccounts>;

/** Composes accounts, sessions, API keys and demo requests. */
export function composeAccounts(base: Foundation, usage: Usage) {
  const { config, db, events, jobs, log, mails, now, publicUrl, requests, secrets } = base;
  const sendsMail = config.smtpUrl !== null;
  const activity = new AccountActivity({ log, now });
  const sessions = createSessions(base);
  const links = new MailedLinks({ mails, publicUrl, now });
  const securityMails = new SecurityMails({ mails, publicUrl, now });
  const rateStrength: RateStrength = (password, identity) => rater.rate(password, identity);
  const shared = { db, sessions, links, activity, securityMails, rateStrength, now };
  const factors = composeSecondFactors(base, { sessions, activity, securityMails });
  const factorChecks = factors.checks;
  const invitations = new Invitations({ db, links });
  const registration = new Registration(shared);
  const accounts = new Accounts({ ...shared, factorChecks, requiresConfirmedEmail: sendsMail });
  const passwordChanges = new PasswordChanges({
    ...shared,
    factorChecks,
    requestPasswordReset: requests.passwordReset,
    requestPayments: requests.payments,
    async endAutomation(transaction, user, { flows: whichFlows, defaultModel }) {
      const home = user.account_id;
      const isReset = defaultModel !== 'none' && (await clearDefault(transaction, home, defaultModel));
      const stopped: string[] = [];
      for (const accountId of await workspaceIdsOf(transaction, user.id)) {
        // Only flows call external MCP servers, so stopping flows also stops those calls.
        const options = { events, now, ownerId: user.id };
        await deleteInvitationsBy(transaction, accountId, user.id);
        stopped.push(...(await stopFlows(transaction, accountId, whichFlows, options)));
      }
      return { flows: stopped, default_model: isReset };
    },
  });
  const expectConfirmedEmail = (accountId: string) => accounts.expectConfirmedEmail(accountId);
  const apiKeys = new ApiKeys({
    db,
    now,
    activity,
    securityMails,
    expectConfirmedEmail,
    countRequests: (accountId) => usage.requestsOfKeys(accountId),
    onError: (error) => log.warn({ error }, 'The last use of API keys could not be stored yet.'),
  });
  const audit = new AuditLog({ now });
  const oldAuditEvents = retention('remove-old-audit-events', {
    jobs,
    now,
    keptDays: AUDIT_DAYS,
    removeBefore: async (before) => {
      await removeAuditEventsBefore(db, before);
      await removeExpiredInvitations(db, now());
    },
  });
  const lock = new AccountLock({
    jobs,
    sessions,
    now,
    onLocked: async (transaction, accountId) => {
      await stopFlows(transaction, accountId, 'all', { events, now });
    },
  });
  const workspaces = new Workspaces({
    ...{ db, activity, audit, lock, mails, events, now, requiresConfirmedEmail: sendsMail },
    resealSecrets: (transaction, userId, homes) => resealAuthenticator(transaction, secrets, userId, homes),
    stopFlowsOf: (transaction, accountId, ownerId) =>
      stopFlows(transaction, accountId, 'all', { events, now, ownerId }),
  });
  const workspaceInvitations = new WorkspaceInvitations({
    ...{ db, audit, mails, events, publicUrl, now, requiresConfirmedEmail: sendsMail },
  });
  const oldActivity = retention('remove-old-account-events', {
    jobs,
    now,
    keptDays: config.retention.accountEventsDays,
    removeBefore: async (before) => {
      await removeEventsBefore(db, before);
      await sessions.removeEnded();
    },
  });
  const leads = new Leads({ db, mails, mailTo: config.leadsEmail });

  /**
   * Returns the user of an access token in a workspace. Throws `unauthorized` if the token is
   * invalid, `forbidden` if the user may not use the workspace.
   */
  async function authenticate(token: string, workspaceId: string | null) {
    const found = await sessions.authenticate(token, workspaceId);
    if (!found) throw unauthorized();
    const { role } = found;
    if (role === null) throw notAMember();
    return { ...found, role };
  }
  const actorOf: ActorOf = async (principal) => {
    if (principal.kind === 'api_key') {
      const name = await apiKeys.nameOf(principal);
      return { type: 'api_key', id: principal.keyId, name, personId: principal.userId };
    }
    const user = await accounts.user(principal.homeId, principal.userId);
    return { type: 'user', id: user.id, name: user.full_name ?? user.username };
  };

  return {
    activity,
    factorChecks,
    sessions,
    invitations,
    accounts,
    expectConfirmedEmail,
    /** Records a decision about a change in the audit log. */
    recordDecision: ((transaction, accountId, { actor, title, decision }) =>
      audit.record(transaction, accountId, {
        kind: 'change_decided',
        actor: { type: actor.type, id: actor.id, name: actor.name },
        client: null,
        subject: title,
        details: { decision },
      })) satisfies RecordDecision,
    audit,
    lock,
    workspaces,
    /** Like {@link principalOf}, for live channels, which have no policy. */
    async authenticateLive(token: string, workspaceId: string | null) {
      const user = await authenticate(token, workspaceId);
      if (user.lacksFactor) throw secondFactorMissing();
      return user;
    },
    actorOf,
    /**
     * Returns the principal of a bearer token in a workspace. Null chooses the user's own one. A
     * key belongs to one workspace and is refused in any other.
     */
    async principalOf(token: string, workspaceId: string | null): Promise<Principal> {
      if (token.startsWith(API_KEY_PREFIX)) {
        const principal = await apiKeys.authenticate(token);
        if (workspaceId !== null && workspaceId !== principal.accountId) throw notAMember();
        return principal;
      }
      const { expiresAt: _, ...user } = await authenticate(token, workspaceId);
      return { kind: 'user', ...user, permissions: new Set(ROLES[user.role].permissions) };
    },
    noteUse: (principal: ApiKeyPrincipal) => apiKeys.noteUse(principal),
    handlers: [
      handle(mailPasswordReset, ({ email }) => passwordChanges.mailPasswordReset(email)),
      factors.handler,
      oldActivity.handler,
      oldAuditEvents.handler,
    ],
    async resume(): Promise<void> {
      await oldActivity.resume();
      await oldAuditEvents.resume();
    },
    registerRoutes(app: App, auth: Authentication): void {
      registerAccountRoutes(app, {
        registration,
        accounts,
        passwordChanges,
        auth,
        mailsGoOut: sendsMail,
      });
      auditRoutes(app, { db, audit, log, actorOf });
      registerWorkspaceRoutes(app, { workspaces, invitations: workspaceInvitations, auth });
      registerAuditRoutes(app, { db, audit, auth });
      registerSessionRoutes(app, { sessions, auth });
      factors.registerRoutes(app, { accounts, auth });
      registerActivityRoutes(app, { list: (accountId, page) => activity.list(db, accountId, page), auth });
      registerApiKeyRoutes(app, apiKeys, auth);
      registerLeadRoutes(app, leads);
    },
    /** Stores when API keys were last used. */
    async close(): Promise<void> {
      await apiKeys
        .close()
        .catch((error: unknown) => log.warn({ error }, 'The last use of API keys was not stored.'));
    },
  };
}
