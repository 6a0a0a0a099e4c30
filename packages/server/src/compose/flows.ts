import type { ToolServices } from '../agent-tools/tool.ts';
import { BUILTIN } from '../flows/builtin/index.ts';
import { Announcements } from '../flows/executions/announce.ts';
import { executionChannel } from '../flows/executions/live.ts';
import { handleExecutionRetention, resumeExecutionRetention } from '../flows/executions/retention.ts';
import { registerExecutionRoutes } from '../flows/executions/routes.ts';
import { Executions } from '../flows/executions/service.ts';
import { followServer } from '../flows/follow-server.ts';
import { FlowPreviews } from '../flows/preview.ts';
import { registerFlowRoutes } from '../flows/routes.ts';
import { handleRunFlow, resumeExecutions } from '../flows/runner/handle-run.ts';
import { FlowRunner } from '../flows/runner/runner.ts';
import { Flows } from '../flows/service.ts';
import { EventMatcher, handleMatching } from '../flows/triggers/match.ts';
import { handleSchedule, resumeSchedule, Schedule } from '../flows/triggers/schedule.ts';
import { ApprovedCalls } from '../mcp-servers/approved-calls.ts';
import { MCP_CALL_LIMITS } from '../mcp-servers/converse.ts';
import { RegisteredTools } from '../mcp-servers/registered-tools.ts';
import { registerMcpServerRoutes } from '../mcp-servers/routes.ts';
import { McpServers } from '../mcp-servers/service.ts';
import type { App } from '../platform/http/app.ts';
import type { Authentication } from '../platform/http/auth.ts';
import { VERSION } from '../platform/version.ts';
import type { Foundation } from './foundation.ts';
import type { Judging } from './judging.ts';

export interface FlowsParts {
  judging: Judging;
  /** What the tools of flows work with: the same as those of agents. */
  services: ToolServices;
}

/** Puts together what acts by itself: flows, what starts and runs them, and the outside servers whose tools they use. */
export function composeFlows(base: Foundation, { judging, services }: FlowsParts) {
  const { config, db, now, log, jobs, events, publish, secrets, outbound, onUntold } = base;
  const { aiModels, languageModels } = judging;
  const announcements = new Announcements({ events, onError: onUntold });

  const outward = { fetch: outbound.fetchWith(MCP_CALL_LIMITS), version: VERSION };
  const servers = new McpServers({ db, secrets, now, ...outward, onChanged: followServer });
  const outside = new RegisteredTools({ db, secrets, ...outward });
  services.ledger.handleAction('call_tool', new ApprovedCalls(outside));

  const flows = new Flows({
    db,
    now,
    serverNames: (accountId) => servers.names(accountId),
    defaultModelId: async (accountId) => (await aiModels.defaultOf(accountId))?.id ?? null,
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
    builtIn: BUILTIN,
    announcements,
    events,
  });
  const matcher = new EventMatcher({ db, jobs, now, publish });
  const schedule = new Schedule({ db, jobs, now, publish });

  return {
    liveRoutes: [executionChannel({ db, now })],
    handlers: [
      handleMatching(matcher),
      handleSchedule(schedule),
      handleRunFlow(runner),
      handleExecutionRetention({ db, jobs, now, keptDays: config.retention.executionsDays }),
    ],
    registerRoutes(app: App, auth: Authentication, publicUrl: string): void {
      registerFlowRoutes(app, { flows, previews, auth });
      registerExecutionRoutes(app, { executions, auth });
      registerMcpServerRoutes(app, { servers, auth, publicUrl });
    },
    /** Goes on with what was under way, and with the clock. */
    async resume(): Promise<void> {
      await resumeExecutions(db, jobs);
      await resumeSchedule(jobs, now);
      await resumeExecutionRetention(jobs, now);
    },
    /** Tells the last of what is to be told. */
    close: () => announcements.close().catch(onUntold),
  };
}
