import type { ToolServices } from '../agent-tools/tool.ts';
import { ACTIONS } from '../flows/built-in/actions.ts';
import { Announcements } from '../flows/executions/announcements.ts';
import { runBuiltInFlow, runFlow } from '../flows/executions/job.ts';
import { executionChannel } from '../flows/executions/live.ts';
import { registerExecutionRoutes } from '../flows/executions/routes.ts';
import { Executions } from '../flows/executions/service.ts';
import { resumeExecutions } from '../flows/executions/start-execution.ts';
import { removeBefore } from '../flows/executions/store.ts';
import { FlowPreviews } from '../flows/preview.ts';
import { registerFlowRoutes } from '../flows/routes.ts';
import { FlowRunner } from '../flows/runner/runner.ts';
import { updateServerReferences } from '../flows/server-references.ts';
import { Flows } from '../flows/service.ts';
import { EventMatcher } from '../flows/triggers/event-matcher.ts';
import { matchEvents, startScheduled } from '../flows/triggers/job.ts';
import { resumeSchedule, Schedule } from '../flows/triggers/schedule.ts';
import { ApprovedCalls } from '../mcp-servers/approved-calls.ts';
import { RegisteredTools } from '../mcp-servers/registered-tools.ts';
import { registerMcpServerRoutes } from '../mcp-servers/routes.ts';
import { McpServers } from '../mcp-servers/service.ts';
import { MCP_CALL_LIMITS } from '../mcp-servers/session.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { retention } from '../platform/jobs/daily.ts';
import { handle } from '../platform/jobs/job.ts';
import { VERSION } from '../platform/version.ts';
import type { AccountServices } from './accounts.ts';
import type { AnalystServices } from './analysts.ts';
import type { Billing } from './billing.ts';
import type { Foundation } from './foundation.ts';

export interface FlowsParts {
  billing: Pick<Billing, 'plans'>;
  analysts: AnalystServices;
  /** Services that the tools of flows use. They are the same as those of agents. */
  services: ToolServices;
  expectConfirmedEmail: AccountServices['expectConfirmedEmail'];
}

/**
 * Composes flows, their triggers and their runner, and the external MCP servers whose tools flows
 * use.
 */
export function composeFlows(
  base: Foundation,
  { billing: { plans }, analysts, services, expectConfirmedEmail }: FlowsParts,
) {
  const { config, db, now, log, jobs, events, publish, secrets, outbound, onPublishError } = base;
  const { aiModels, languageModels } = analysts;
  const announcements = new Announcements({ events, onError: onPublishError });

  const outward = { fetch: outbound.fetchWith(MCP_CALL_LIMITS), version: VERSION };
  const servers = new McpServers({ db, secrets, now, ...outward, onChanged: updateServerReferences });
  const outside = new RegisteredTools({ db, secrets, ...outward });
  services.ledger.handleAction('call_tool', new ApprovedCalls(outside));

  const flows = new Flows({
    db,
    now,
    expectConfirmedEmail,
    plans,
    defaultModelId: async (accountId) => (await aiModels.defaultOf(accountId)).model?.id ?? null,
  });
  const previews = new FlowPreviews({ db, issues: services.issues, now });
  const { issues, ledger } = services;
  const executions = new Executions({ db, jobs, now, flows, issues, ledger, announcements });
  const runner = new FlowRunner({
    db,
    now,
    log,
    flows,
    aiModels,
    languageModels,
    services,
    outside,
    actions: ACTIONS,
    announcements,
    events,
  });
  const matcher = new EventMatcher({ db, jobs, now, plans, publish });
  const schedule = new Schedule({ db, jobs, now, plans, publish });
  const oldExecutions = retention('remove-old-executions', {
    jobs,
    now,
    keptDays: config.retention.executionsDays,
    removeBefore: (before) => removeBefore(db, before),
  });

  return {
    liveRoutes: [executionChannel({ db, now })],
    handlers: [
      handle(matchEvents, ({ account_id }, { signal }) => matcher.run(account_id, signal)),
      handle(startScheduled, (_, { signal }) => schedule.run(signal)),
      ...[runFlow, runBuiltInFlow].map((job) =>
        handle(job, ({ account_id, execution_id, by_hand: isManual }, { signal }) =>
          runner.run(account_id, execution_id, { signal, isManual }),
        ),
      ),
      oldExecutions.handler,
    ],
    registerRoutes(app: App, auth: Authentication, publicUrl: string): void {
      registerFlowRoutes(app, { flows, previews, auth });
      registerExecutionRoutes(app, { executions, auth });
      registerMcpServerRoutes(app, { servers, auth, publicUrl });
    },
    /** Resumes interrupted executions and the schedule. */
    async resume(): Promise<void> {
      await resumeExecutions(db, jobs);
      await resumeSchedule(jobs, now);
      await oldExecutions.resume();
    },
    /** Publishes the remaining live events. */
    close: () => announcements.close().catch(onPublishError),
  };
}
