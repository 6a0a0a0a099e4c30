import type { AccountActivity } from '../accounts/activity.ts';
import { PasskeyCeremonies } from '../accounts/passkeys/ceremonies.ts';
import { PasskeyChallenges } from '../accounts/passkeys/challenges.ts';
import { FactorChecks } from '../accounts/second-factors/factor-checks.ts';
import { missingFactorOptions, reportMissingFactor } from '../accounts/second-factors/job.ts';
import { registerSecondFactorRoutes } from '../accounts/second-factors/routes.ts';
import { SecondFactors } from '../accounts/second-factors/service.ts';
import { UserPasskeys } from '../accounts/second-factors/user-passkeys.ts';
import type { SecurityMails } from '../accounts/security-emails.ts';
import type { Accounts } from '../accounts/service.ts';
import type { Sessions } from '../accounts/sessions.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { handle } from '../platform/jobs/job.ts';
import type { Foundation } from './foundation.ts';

/** Composes authenticator apps, recovery codes and passkeys. */
export function composeSecondFactors(
  { config, db, jobs, log, now, publicUrl, secrets }: Foundation,
  parts: { sessions: Sessions; activity: AccountActivity; securityMails: SecurityMails },
) {
  const challenges = new PasskeyChallenges({ db, key: secrets.derive('passkey-challenge'), now });
  const ceremonies = new PasskeyCeremonies({ challenges, publicUrl, log });
  const checks = new FactorChecks({
    ...parts,
    ...{ db, secrets, ceremonies, now },
    requestMissingReport: async (missing) => {
      await jobs.enqueue(reportMissingFactor, missing, missingFactorOptions(missing, now()));
    },
  });
  const shared = { ...parts, db, secrets, ceremonies, checks, now };
  const factors = new SecondFactors({ ...shared, requiresConfirmedEmail: config.smtpUrl !== null });
  const passkeys = new UserPasskeys({
    ...shared,
    expectConfirmedEmail: (who) => factors.expectConfirmedEmail(who),
  });
  return {
    checks,
    handler: handle(reportMissingFactor, (missing) => checks.reportMissing(missing)),
    registerRoutes: (app: App, { accounts, auth }: { accounts: Accounts; auth: Authentication }) =>
      registerSecondFactorRoutes(app, { factors, passkeys, accounts, auth }),
  };
}
