import {
  executionLogs,
  executionLogsQuery,
  executionsQuery,
  flowExecution,
  flowExecutionList,
  flowRun,
} from '@winnow/contract/flow';
import { id, skipOf } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, principalOf, userOf } from '../../platform/http/auth.ts';
import { presentExecution, presentLog } from './present.ts';
import type { Executions } from './service.ts';

const tags = ['Flows'];
const ofExecution = z.object({ execution_id: id });
const ofFlow = z.object({ flow_id: id });

/**
 * Registers the routes of executions and their logs. An API key may read and stop executions. Only
 * people may start them, because starting is part of defining flows.
 */
export function registerExecutionRoutes(
  app: App,
  { executions, auth }: { executions: Executions; auth: Authentication },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/flows/executions',
    {
      onRequest,
      schema: { tags, querystring: executionsQuery, response: { 200: flowExecutionList } },
    },
    async (request, reply) => {
      const { flow_id: flowId, status, limit } = request.query;
      const skip = skipOf(request.query);
      const { accountId } = principalOf(request);
      const { rows, total } = await executions.list(accountId, { flowId, status }, { limit, skip });
      reply.header('x-total-count', total);
      return rows.map(presentExecution);
    },
  );

  app.get(
    '/api/v1/flows/executions/:execution_id',
    { onRequest, schema: { tags, params: ofExecution, response: { 200: flowExecution } } },
    async (request) =>
      presentExecution(await executions.show(principalOf(request).accountId, request.params.execution_id)),
  );

  app.get(
    '/api/v1/flows/executions/:execution_id/logs',
    {
      onRequest,
      schema: {
        tags,
        params: ofExecution,
        querystring: executionLogsQuery,
        response: { 200: executionLogs },
      },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const { logs, total } = await executions.logs(accountId, request.params.execution_id, request.query);
      return { logs: logs.map(presentLog), total };
    },
  );

  app.post(
    '/api/v1/flows/executions/:execution_id/stop',
    { onRequest, schema: { tags, params: ofExecution, response: { 200: flowExecution } } },
    async (request) =>
      presentExecution(await executions.stop(principalOf(request).accountId, request.params.execution_id)),
  );

  app.post(
    '/api/v1/flows/executions/:execution_id/retry',
    {
      onRequest,
      schema: { tags, params: ofExecution, response: { 202: flowExecution } },
    },
    async (request, reply) => {
      const execution = await executions.retry(userOf(request), request.params.execution_id);
      return reply.code(202).send(presentExecution(execution));
    },
  );

  app.post(
    '/api/v1/flows/:flow_id/run',
    {
      onRequest,
      schema: { tags, params: ofFlow, body: flowRun.nullish(), response: { 202: flowExecution } },
    },
    async (request, reply) => {
      const execution = await executions.run(
        userOf(request),
        request.params.flow_id,
        request.body ?? flowRun.parse({}),
      );
      return reply.code(202).send(presentExecution(execution));
    },
  );
}
