import {
  commitRequest,
  commitResult,
  dependencyGraph,
  dependencyList,
  detectRequest,
  dismissedList,
  dismissRequest,
  extendedScan,
  extendRequest,
  graphQuery,
} from '@winnow/contract/dependency';
import { z } from 'zod';
import type { ActorOf } from '../changes/index.ts';
import { type Issues, presentIssueSummary } from '../issues/index.ts';
import { notFound } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, principalOf } from '../platform/http/auth.ts';
import { callerAbortSignal } from '../platform/http/caller-abort.ts';
import { presentGraph } from './present.ts';
import type { Dependencies } from './service.ts';

const tags = ['Dependencies'];
const config = { isHeavy: true };

/**
 * Registers the routes that scan and commit dependencies and that return the graph of a project.
 */
export function registerDependencyRoutes(
  app: App,
  options: { issues: Issues; dependencies: Dependencies; auth: Authentication; actorOf: ActorOf },
): void {
  const { issues, dependencies, auth, actorOf } = options;
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/issue-dependencies',
    {
      config,
      onRequest,
      schema: { tags, querystring: graphQuery, response: { 200: dependencyGraph } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const [projectId] = await issues.resolveProjects(accountId, [request.query.project_id]);
      if (projectId === undefined) throw notFound();
      return presentGraph(await dependencies.listDependenciesOfProject(accountId, projectId));
    },
  );

  app.get(
    '/api/v1/issue-dependencies/dismissed',
    { onRequest, schema: { tags, querystring: graphQuery, response: { 200: dismissedList } } },
    async (request) => {
      const { accountId } = principalOf(request);
      const [projectId] = await issues.resolveProjects(accountId, [request.query.project_id]);
      if (projectId === undefined) throw notFound();
      return { dependencies: await dependencies.listDismissedOfProject(accountId, projectId) };
    },
  );

  app.post(
    '/api/v1/issue-dependencies/detect',
    { config, onRequest, schema: { tags, body: detectRequest, response: { 200: dependencyList } } },
    async (request) => {
      const { issue_ids: issueIds, refresh } = request.body;
      return dependencies.detect(principalOf(request).accountId, issueIds, { budget: null, refresh });
    },
  );

  app.post(
    '/api/v1/issue-dependencies/extend',
    { config, onRequest, schema: { tags, body: extendRequest, response: { 200: extendedScan } } },
    async (request) => {
      const { issue_ids: issueIds, extend_by: extendBy } = request.body;
      const scan = await dependencies.extend(principalOf(request).accountId, issueIds, extendBy, null);
      return { ...scan, issues: scan.issues.map(presentIssueSummary) };
    },
  );

  app.post(
    '/api/v1/issue-dependencies/commit',
    { onRequest, schema: { tags, body: commitRequest, response: { 200: commitResult } } },
    async (request, reply) => {
      const principal = principalOf(request);
      const caller = { actor: await actorOf(principal), signal: callerAbortSignal(reply) };
      return dependencies.commit(principal.accountId, caller, request.body.dependencies);
    },
  );

  for (const [path, dismissed] of [
    ['dismiss', true],
    ['restore', false],
  ] as const) {
    app.post(
      `/api/v1/issue-dependencies/${path}`,
      { onRequest, schema: { tags, body: dismissRequest, response: { 204: z.null() } } },
      async (request, reply) => {
        await dependencies.setDismissed(principalOf(request).accountId, request.body, dismissed);
        return reply.code(204).send(null);
      },
    );
  }
}
