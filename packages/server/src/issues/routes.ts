import {
  issueQuery,
  issuesCount,
  organizationList,
  organizationsQuery,
  projectList,
  projectsQuery,
  similarIssues,
  similarQuery,
} from '@winnow/contract/issue';
import { type IssueDetail, issueDetail } from '@winnow/contract/issue-detail';
import { skipOf } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, principalOf } from '../platform/http/auth.ts';
import { ANY_TRACKER, type KeyScope } from './key-scope.ts';
import { presentComment, presentIssue, presentIssueSummary } from './present.ts';
import type { Issues } from './service.ts';
import type { SimilarIssuesFinder } from './similar.ts';

const tags = ['Issues'];
const params = z.object({ issue: z.string().min(1).max(300) });

/**
 * Returns what other features know about an issue, such as its pairs and dependencies. The folder
 * `compose/` implements it.
 */
export type RelatedToIssue = (
  accountId: string,
  issueId: string,
) => Promise<Pick<IssueDetail, 'pairs' | 'changes' | 'compliance' | 'dependencies'>>;

/**
 * Returns the scope for finding an issue by key. If the query names a tracker, only that tracker is
 * searched.
 */
function keyScopeOf({ tracker_id: trackerId }: { tracker_id?: string | undefined }): KeyScope {
  return trackerId === undefined ? ANY_TRACKER : { type: 'only', trackerId };
}

/** Registers the routes for reading issues and projects, and for finding similar issues. */
export function registerIssueRoutes(
  app: App,
  options: { issues: Issues; similar: SimilarIssuesFinder; related: RelatedToIssue; auth: Authentication },
): void {
  const { issues, similar, related, auth } = options;
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/issues/:issue',
    { onRequest, schema: { tags, params, querystring: issueQuery, response: { 200: issueDetail } } },
    async (request) => {
      const { accountId } = principalOf(request);
      const scope = keyScopeOf(request.query);
      const { issue, comments } = await issues.detail(accountId, request.params.issue, scope);
      return {
        ...presentIssue(issue),
        comments: comments.map(presentComment),
        ...(await related(accountId, issue.id)),
      };
    },
  );

  app.get(
    '/api/v1/issues/:issue/similar',
    { onRequest, schema: { tags, params, querystring: similarQuery, response: { 200: similarIssues } } },
    async (request) => {
      const { created_before, status, limit, project_ids } = request.query;
      const { accountId } = principalOf(request);
      const issue = await issues.findByIdOrKey(accountId, request.params.issue, keyScopeOf(request.query));
      const found = await similar.findSimilar(accountId, issue, {
        createdBefore: created_before === undefined ? null : new Date(created_before),
        status,
        projectIds: project_ids.length === 0 ? null : await issues.resolveProjects(accountId, project_ids),
        limit,
      });
      return {
        results: found.results.map((result) => ({
          issue: presentIssueSummary(result.issue),
          similarity: result.similarity,
        })),
        model_used: found.modelUsed,
      };
    },
  );

  app.get(
    '/api/v1/issues-count',
    { onRequest, schema: { tags, response: { 200: issuesCount } } },
    async (request) => {
      const { total, processed, notice } = await issues.count(principalOf(request).accountId);
      return { total_issues: total, total_processed: processed, notice };
    },
  );

  app.get(
    '/api/v1/organizations',
    { onRequest, schema: { tags, querystring: organizationsQuery, response: { 200: organizationList } } },
    async (request) => {
      const { tracker_id: trackerId, organization_id: organizationId, limit } = request.query;
      const skip = skipOf(request.query);
      const filter = { trackerId, organizationId, limit, skip };
      const found = await issues.organizations(principalOf(request).accountId, filter);
      return { ...found, limit, offset: skip };
    },
  );

  app.get(
    '/api/v1/projects',
    { onRequest, schema: { tags, querystring: projectsQuery, response: { 200: projectList } } },
    async (request, reply) => {
      const { tracker_id: trackerId, organization_id: organizationId } = request.query;
      const found = await issues.projects(principalOf(request).accountId, { trackerId, organizationId });
      reply.header('x-total-count', found.length);
      return found.map((project) => ({ ...project, issues: project.issues ?? 0 }));
    },
  );
}
