import { API_KEY_PREFIX, scope } from '@winnow/contract/api-key';
import { AccountActivity } from '../accounts/activity.ts';
import { registerActivityRoutes } from '../accounts/activity-routes.ts';
import { removeEventsBefore } from '../accounts/activity-store.ts';
import { registerApiKeyRoutes } from '../accounts/api-keys/routes.ts';
import { ApiKeys } from '../accounts/api-keys/service.ts';
import { Invitations } from '../accounts/invitations.ts';
import { mailPasswordReset } from '../accounts/job.ts';
import { MailedLinks } from '../accounts/mailed-links.ts';
import { PasswordChanges } from '../accounts/password-changes.ts';
import { PasswordRater, type RateStrength } from '../accounts/password-policy.ts';
import { Registration } from '../accounts/registration.ts';
import { registerAccountRoutes } from '../accounts/routes.ts';
import { SecurityMails } from '../accounts/security-emails.ts';
import { Accounts } from '../accounts/service.ts';
import { registerSessionRoutes } from '../accounts/session-routes.ts';
import { createSessions } from '../accounts/sessions.ts';
import { clearDefault } from '../ai/store.ts';
import type { Usage } from '../billing/usage/usage.ts';
import type { ActorOf } from '../changes/routes.ts';
import { stopFlows } from '../flows/stop-flows.ts';
import { registerLeadRoutes } from '../leads/routes.ts';
import { Leads } from '../leads/service.ts';
import { unauthorized } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import type { ApiKeyPrincipal, Authentication, Principal } from '../platform/http/auth.ts';
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
  const { config, db, events, jobs, log, mails, now, publicUrl, requests } = base;
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
    async endAutomation(transaction, accountId, { flows: whichFlows, defaultModel }) {
      const isReset = defaultModel !== 'none' && (await clearDefault(transaction, accountId, defaultModel));
      // Only flows call external MCP servers, so stopping flows also stops those calls.
      const flows = await stopFlows(transaction, accountId, whichFlows, { events, now });
      return { flows, default_model: isReset };
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

  /** Returns the session of an access token. Throws if the token is invalid. */
  async function authenticate(token: string) {
    const claims = await sessions.authenticate(token);
    if (!claims) throw unauthorized();
    return claims;
  }
  const actorOf: ActorOf = async (principal) => {
    if (principal.kind === 'api_key') {
      return { type: 'api_key', id: principal.keyId, name: await apiKeys.nameOf(principal) };
    }
    const user = await accounts.user(principal.accountId, principal.userId);
    return { type: 'user', id: user.id, name: user.full_name ?? user.username };
  };

  return {
    activity,
    factorChecks,
    sessions,
    invitations,
    accounts,
    expectConfirmedEmail,
    authenticate,
    actorOf,
    /**
     * Returns the principal of a bearer token. A signed-in user has all scopes, an API key those
     * granted to it.
     */
    async principalOf(token: string): Promise<Principal> {
      if (token.startsWith(API_KEY_PREFIX)) return apiKeys.authenticate(token);
      const { accountId, userId, sessionId } = await authenticate(token);
      return { kind: 'user', accountId, userId, sessionId, scopes: scope.options };
    },
    noteUse: (principal: ApiKeyPrincipal) => apiKeys.noteUse(principal),
    handlers: [
      handle(mailPasswordReset, ({ email }) => passwordChanges.mailPasswordReset(email)),
      factors.handler,
      oldActivity.handler,
    ],
    resume: oldActivity.resume,
    registerRoutes(app: App, auth: Authentication): void {
      registerAccountRoutes(app, {
        registration,
        accounts,
        passwordChanges,
        auth,
        mailsGoOut: sendsMail,
      });
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
