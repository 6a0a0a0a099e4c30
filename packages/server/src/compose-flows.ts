import type { LiveEvent } from '@winnow/contract/live';
import type { ToolServices } from './agent-tools/tool.ts';
import type { LanguageModels } from './ai/model.ts';
import type { AiModels } from './ai/service.ts';
import { BUILTIN } from './flows/builtin/index.ts';
import { Announcements } from './flows/executions/announce.ts';
import { executionChannel } from './flows/executions/live.ts';
import { handleExecutionRetention, resumeExecutionRetention } from './flows/executions/retention.ts';
import { registerExecutionRoutes } from './flows/executions/routes.ts';
import { Executions } from './flows/executions/service.ts';
import { followServer } from './flows/follow-server.ts';
import { FlowPreviews } from './flows/preview.ts';
import { registerFlowRoutes } from './flows/routes.ts';
import { handleRunFlow, resumeExecutions } from './flows/runner/handle-run.ts';
import { FlowRunner } from './flows/runner/runner.ts';
import { Flows } from './flows/service.ts';
import { EventMatcher, handleMatching } from './flows/triggers/match.ts';
import { handleSchedule, resumeSchedule, Schedule } from './flows/triggers/schedule.ts';
import { ApprovedCalls } from './mcp-servers/approved-calls.ts';
import { MCP_CALL_LIMITS } from './mcp-servers/converse.ts';
import { RegisteredTools } from './mcp-servers/registered-tools.ts';
import { registerMcpServerRoutes } from './mcp-servers/routes.ts';
import { McpServers } from './mcp-servers/service.ts';
import type { Events } from './platform/events.ts';
import type { App } from './platform/http/app.ts';
import type { Authentication } from './platform/http/auth.ts';
import type { Jobs } from './platform/jobs/jobs.ts';
import type { Log } from './platform/log.ts';
import type { Outbound } from './platform/outbound/outbound.ts';
import type { AccountEvent } from './platform/realtime/account-event.ts';
import type { Secrets } from './platform/secrets.ts';
import type { Db } from './schema/tables.ts';

export interface FlowsOptions {
  db: Db;
  now: () => Date;
  log: Log;
  version: string;
  jobs: Jobs;
  events: Events<AccountEvent>;
  publish: (accountId: string, event: LiveEvent) => Promise<void>;
  secrets: Secrets;
  outbound: Outbound;
  aiModels: AiModels;
  languageModels: LanguageModels;
  /** What the tools of flows work with: the same as those of agents. */
  services: ToolServices;
  /** For how many days executions are kept. */
  keptDays: number;
}

/** Puts together what acts by itself: flows, what starts and runs them, and the outside servers whose tools they use. */
export function composeFlows(options: FlowsOptions) {
  const { db, now, log, jobs, events, publish, secrets, aiModels, languageModels, services } = options;
  const onError = (error: unknown) => log.warn({ error }, 'A live event could not be told.');
  const announcements = new Announcements({ events, onError });

  const outward = { fetch: options.outbound.fetchWith(MCP_CALL_LIMITS), version: options.version };
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
      handleExecutionRetention({ db, jobs, now, keptDays: options.keptDays }),
    ],
    registerRoutes(app: App, { auth, publicUrl }: { auth: Authentication; publicUrl: string }): void {
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
    close: () => announcements.close(),
  };
}
