import { CHANGE_STATUSES } from '@winnow/contract/change';
import {
  cluster,
  clusterChanged,
  clusterDetail,
  clusterList,
  clusterPatch,
  clusterProposal,
  clusterResolution,
  clusterResolved,
  clustersQuery,
  clustersResolution,
  clustersResolved,
  excludeIssue,
  includeIssue,
  mergeClusters,
  reviewExportQuery,
  reviewNext,
  reviewRelease,
  reviewRequest,
  reviewSummary,
  reviewSummaryQuery,
  splitCluster,
  undoClusterAction,
} from '@winnow/contract/cluster';
import { id, skipOf } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { ActorOf } from '../changes/index.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, principalOf } from '../platform/http/auth.ts';
import { callerAbortSignal } from '../platform/http/caller-abort.ts';
import { REVIEW_EXPORTS } from './export.ts';
import {
  presentChanged,
  presentCluster,
  presentClusterDetail,
  presentResolutionsStarted,
  presentResolved,
  presentReview,
} from './present.ts';
import type { ClusterResolutions } from './resolutions.ts';
import type { Clusters } from './service.ts';

const tags = ['Clusters'];
const params = z.object({ cluster_id: id });

/** Registers the routes that list clusters and record decisions about them. */
export function registerClusterRoutes(
  app: App,
  options: {
    clusters: Clusters;
    resolutions: ClusterResolutions;
    auth: Authentication;
    actorOf: ActorOf;
    now: () => Date;
  },
): void {
  const { clusters, resolutions, auth, actorOf, now } = options;
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/clusters',
    { onRequest, schema: { tags, querystring: clustersQuery, response: { 200: clusterList } } },
    async (request) => {
      const found = await clusters.list(principalOf(request).accountId, request.query);
      return {
        clusters: found.clusters.map((view) => presentCluster(view, now())),
        total: found.total,
        limit: request.query.limit,
        skip: skipOf(request.query),
      };
    },
  );

  app.get(
    '/api/v1/clusters/:cluster_id',
    { onRequest, schema: { tags, params, response: { 200: clusterDetail } } },
    async (request) =>
      presentClusterDetail(
        await clusters.detail(principalOf(request).accountId, request.params.cluster_id),
        now(),
      ),
  );

  app.patch(
    '/api/v1/clusters/:cluster_id',
    { onRequest, schema: { tags, params, body: clusterPatch, response: { 200: cluster } } },
    async (request) => {
      const principal = principalOf(request);
      const by = await actorOf(principal);
      const { cluster_id: clusterId } = request.params;
      return presentCluster(await clusters.change(principal.accountId, clusterId, by, request.body), now());
    },
  );

  app.post(
    '/api/v1/clusters/:cluster_id/include',
    { onRequest, schema: { tags, params, body: includeIssue, response: { 200: clusterChanged } } },
    async (request) => {
      const principal = principalOf(request);
      const { revision, issue_id: issueId } = request.body;
      const revised = { id: request.params.cluster_id, revision };
      const by = await actorOf(principal);
      return presentChanged(await clusters.include(principal.accountId, revised, by, issueId), now());
    },
  );

  app.post(
    '/api/v1/clusters/:cluster_id/exclude',
    { onRequest, schema: { tags, params, body: excludeIssue, response: { 200: clusterChanged } } },
    async (request) => {
      const principal = principalOf(request);
      const { revision, issue_id: issueId } = request.body;
      const revised = { id: request.params.cluster_id, revision };
      const by = await actorOf(principal);
      return presentChanged(
        await clusters.separate(principal.accountId, revised, by, [issueId], 'issue_id'),
        now(),
      );
    },
  );

  app.post(
    '/api/v1/clusters/:cluster_id/split',
    { onRequest, schema: { tags, params, body: splitCluster, response: { 200: clusterChanged } } },
    async (request) => {
      const principal = principalOf(request);
      const { revision, issue_ids: issueIds } = request.body;
      const revised = { id: request.params.cluster_id, revision };
      const by = await actorOf(principal);
      return presentChanged(
        await clusters.separate(principal.accountId, revised, by, issueIds, 'issue_ids'),
        now(),
      );
    },
  );

  app.post(
    '/api/v1/clusters/:cluster_id/merge',
    { onRequest, schema: { tags, params, body: mergeClusters, response: { 200: clusterChanged } } },
    async (request) => {
      const principal = principalOf(request);
      const { revision, other_id: otherId, other_revision: otherRevision } = request.body;
      const revised = { id: request.params.cluster_id, revision };
      const other = { id: otherId, revision: otherRevision };
      const by = await actorOf(principal);
      return presentChanged(await clusters.merge(principal.accountId, revised, other, by), now());
    },
  );

  app.post(
    '/api/v1/clusters/undo',
    { onRequest, schema: { tags, body: undoClusterAction, response: { 200: clusterChanged } } },
    async (request) => {
      const principal = principalOf(request);
      const by = await actorOf(principal);
      const { action_id: actionId } = request.body;
      return presentChanged(await clusters.undo(principal.accountId, actionId, by), now());
    },
  );

  app.post(
    '/api/v1/clusters/:cluster_id/resolve',
    {
      onRequest,
      schema: {
        tags,
        params,
        body: clusterResolution,
        response: { 200: clusterResolved, 202: clusterResolved },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const actor = await actorOf(principal);
      const asked = { actor, as: 'applying', signal: callerAbortSignal(reply) } as const;
      const { cluster_id: clusterId } = request.params;
      const record = await resolutions.resolve(principal.accountId, asked, clusterId, request.body);
      const { settled } = CHANGE_STATUSES[record.change.status];
      return reply.code(settled ? 200 : 202).send(presentResolved(record));
    },
  );

  app.post(
    '/api/v1/clusters/:cluster_id/propose-resolution',
    {
      onRequest,
      schema: { tags, params, body: clusterProposal, response: { 200: clusterResolved } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const actor = await actorOf(principal);
      const asked = { actor, as: 'proposed', signal: callerAbortSignal(reply) } as const;
      const { cluster_id: clusterId } = request.params;
      return presentResolved(await resolutions.resolve(principal.accountId, asked, clusterId, request.body));
    },
  );

  app.post(
    '/api/v1/clusters/resolve',
    { onRequest, schema: { tags, body: clustersResolution, response: { 200: clustersResolved } } },
    async (request, reply) => {
      const principal = principalOf(request);
      const actor = await actorOf(principal);
      const asked = { actor, as: 'applying', signal: callerAbortSignal(reply) } as const;
      return presentResolutionsStarted(
        await resolutions.resolveAll(principal.accountId, asked, request.body.clusters),
      );
    },
  );

  app.post(
    '/api/v1/clusters/review/next',
    { onRequest, schema: { tags, body: reviewRequest, response: { 200: reviewNext } } },
    async (request) => {
      const principal = principalOf(request);
      const by = await actorOf(principal);
      const { details, left } = await clusters.next(principal.accountId, by, request.body);
      return { cluster: details && presentClusterDetail(details, now()), left };
    },
  );

  app.post(
    '/api/v1/clusters/review/release',
    { onRequest, schema: { tags, body: reviewRelease, response: { 204: z.null() } } },
    async (request, reply) => {
      await clusters.release(principalOf(request).accountId, request.body.reviewer);
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/clusters/review/summary',
    { onRequest, schema: { tags, querystring: reviewSummaryQuery, response: { 200: reviewSummary } } },
    async (request) =>
      presentReview(
        await clusters.reviewed(principalOf(request).accountId, request.query),
        new Date(request.query.since),
      ),
  );

  app.get(
    '/api/v1/clusters/review/summary/export',
    { onRequest, schema: { tags, querystring: reviewExportQuery } },
    async (request, reply) => {
      const state = await clusters.reviewed(principalOf(request).accountId, request.query);
      const { type, file, write } = REVIEW_EXPORTS[request.query.format];
      return reply
        .header('content-type', type)
        .header('content-disposition', `attachment; filename="${file}"`)
        .send(write(presentReview(state, new Date(request.query.since))));
    },
  );
}
