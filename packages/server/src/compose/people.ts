import { API_KEY_PREFIX, scope } from '@winnow/contract/api-key';
import { registerApiKeyRoutes } from '../accounts/api-keys/routes.ts';
import { ApiKeys } from '../accounts/api-keys/service.ts';
import { mailPasswordReset } from '../accounts/job.ts';
import { MailedLinks } from '../accounts/links.ts';
import { Registration } from '../accounts/registration.ts';
import { registerAccountRoutes } from '../accounts/routes.ts';
import { Accounts } from '../accounts/service.ts';
import { sessionsOf } from '../accounts/sessions.ts';
import { clearDefault } from '../ai/store.ts';
import type { Usage } from '../billing/usage/usage.ts';
import type { ActorOf } from '../changes/routes.ts';
import { stopAllFlows } from '../flows/stop-all.ts';
import { registerLeadRoutes } from '../leads/routes.ts';
import { Leads } from '../leads/service.ts';
import { unauthorized } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import type { ApiKeyPrincipal, Authentication, Principal } from '../platform/http/auth.ts';
import { handle } from '../platform/jobs/job.ts';
import type { Foundation } from './foundation.ts';

export type People = ReturnType<typeof composePeople>;

/** Who there is: accounts with their sessions and keys, and those who only ask. */
export function composePeople(base: Foundation, usage: Usage) {
  const { config, db, events, log, mails, now, publicUrl, requests } = base;
  const sessions = sessionsOf(base);
  const links = new MailedLinks({ mails, publicUrl, now });
  const registration = new Registration({ db, links });
  const accounts = new Accounts({
    db,
    sessions,
    links,
    now,
    requestPasswordReset: requests.passwordReset,
    requestPayments: requests.payments,
    async onClaimed(transaction, accountId) {
      await clearDefault(transaction, accountId);
      // Outside MCP servers are called by flows alone.
      await stopAllFlows(transaction, accountId, { events, now });
    },
  });
  const apiKeys = new ApiKeys({
    db,
    now,
    countRequests: (accountId) => usage.requestsOfKeys(accountId),
    onError: (error) => log.warn({ error }, 'When API keys were used could not be written yet.'),
  });
  const leads = new Leads({ db, mails, mailTo: config.leadsEmail });

  /** Whose session this access token is of; throws when it does not hold. */
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
    sessions,
    registration,
    accounts,
    authenticate,
    actorOf,
    /** Whoever a bearer token stands for: a session may do all that its user may, a key what it was given. */
    async principalOf(token: string): Promise<Principal> {
      if (token.startsWith(API_KEY_PREFIX)) return apiKeys.authenticate(token);
      const { accountId, userId, sessionId } = await authenticate(token);
      return { kind: 'user', accountId, userId, sessionId, scopes: scope.options };
    },
    noteUse: (principal: ApiKeyPrincipal) => apiKeys.noteUse(principal),
    handlers: [handle(mailPasswordReset, ({ email }) => accounts.mailPasswordReset(email))],
    registerRoutes(app: App, auth: Authentication): void {
      registerAccountRoutes(app, {
        registration,
        accounts,
        sessions,
        auth,
        mailsGoOut: config.smtpUrl !== null,
      });
      registerApiKeyRoutes(app, apiKeys, auth);
      registerLeadRoutes(app, leads);
    },
    /** Writes down when keys were used last. */
    close: () => apiKeys.close().catch((error: unknown) => log.warn({ error }, 'The last counts were lost.')),
  };
}
