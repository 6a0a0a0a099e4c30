import {
  CHANGE_STATUSES,
  change,
  proposalPayload,
  resolutionPayload,
  resolutionResult,
} from '@winnow/contract/change';
import {
  duplicateStats,
  duplicateStatsQuery,
  pairDetail,
  pairJudgmentBody,
  pairKey,
  pairList,
  pairMarkBody,
  pairsQuery,
} from '@winnow/contract/duplicate';
import { id, skipOf } from '@winnow/contract/primitives';
import { suggestion, suggestionRequest } from '@winnow/contract/suggestion';
import { verdict, verdictBatch, verdictList, verdictQuery } from '@winnow/contract/verdict';
import { z } from 'zod';
import { type ActorOf, presentChange } from '../changes/index.ts';
import { notFound } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, principalOf } from '../platform/http/auth.ts';
import { callerAbortSignal } from '../platform/http/caller-abort.ts';
import type { Judgments } from './judgments/judgments.ts';
import { presentPair, presentPairDetail, presentResolution } from './present.ts';
import type { Duplicates } from './service.ts';
import type { Suggestions } from './suggestions.ts';
import type { Verdicts } from './verdicts.ts';

const tags = ['Duplicates'];

/** Registers the routes that list similar pairs and record decisions about them. */
export function registerDuplicateRoutes(
  app: App,
  options: {
    duplicates: Duplicates;
    judgments: Judgments;
    verdicts: Verdicts;
    suggestions: Suggestions;
    auth: Authentication;
    actorOf: ActorOf;
  },
): void {
  const { duplicates, judgments, verdicts, suggestions, auth, actorOf } = options;

  app.get(
    '/api/v1/issue-duplicates',
    {
      onRequest: auth.authorize,
      schema: { tags, querystring: pairsQuery, response: { 200: pairList } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const { pairs, total, modelUsed, mark } = await duplicates.list(accountId, request.query);
      return {
        duplicates: pairs.map(presentPair),
        total,
        limit: request.query.limit,
        skip: skipOf(request.query),
        threshold_used: request.query.similarity_threshold,
        mark,
        model_used: modelUsed,
      };
    },
  );

  app.get(
    '/api/v1/issue-duplicates/check',
    {
      onRequest: auth.authorize,
      schema: { tags, querystring: verdictQuery, response: { 200: verdict } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const [checked] = await verdicts.check(accountId, [request.query], { budget: null, onRequest: true });
      if (!checked) throw notFound();
      return checked;
    },
  );

  app.post(
    '/api/v1/issue-duplicates/check-batch',
    {
      onRequest: auth.authorize,
      schema: { tags, body: verdictBatch, response: { 200: verdictList } },
    },
    async (request) => ({
      verdicts: await verdicts.check(principalOf(request).accountId, request.body.pairs, { budget: null }),
    }),
  );

  app.post(
    '/api/v1/ai-suggestion',
    {
      onRequest: auth.authorize,
      schema: { tags, body: suggestionRequest, response: { 200: suggestion } },
    },
    async (request) => suggestions.suggest(principalOf(request).accountId, request.body),
  );

  app.get(
    '/api/v1/issue-duplicates/:pair_id',
    {
      onRequest: auth.authorize,
      schema: { tags, params: z.object({ pair_id: id }), response: { 200: pairDetail } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      return presentPairDetail(await duplicates.detail(accountId, request.params.pair_id));
    },
  );

  app.put(
    '/api/v1/issue-duplicates/mark',
    {
      onRequest: auth.authorize,
      schema: { tags, body: pairMarkBody, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await duplicates.setQueueThreshold(principalOf(request).accountId, request.body.mark);
      return reply.code(204).send(null);
    },
  );

  app.put(
    '/api/v1/issue-duplicates/:pair_id/judgment',
    {
      onRequest: auth.authorize,
      schema: {
        tags,
        params: z.object({ pair_id: id }),
        body: pairJudgmentBody,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const by = await actorOf(principal);
      const { judgment } = request.body;
      await judgments.set(principal.accountId, request.params.pair_id, judgment, by);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    '/api/v1/issue-duplicates/:pair_id/judgment',
    {
      onRequest: auth.authorize,
      schema: { tags, params: z.object({ pair_id: id }), response: { 204: z.null() } },
    },
    async (request, reply) => {
      await judgments.remove(principalOf(request).accountId, request.params.pair_id);
      return reply.code(204).send(null);
    },
  );

  app.patch(
    '/api/v1/issue-duplicates/execute-resolution',
    {
      onRequest: auth.authorize,
      schema: { tags, body: resolutionPayload, response: { 200: resolutionResult, 202: resolutionResult } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const actor = await actorOf(principal);
      const asked = { actor, as: 'applying', signal: callerAbortSignal(reply) } as const;
      const record = await duplicates.resolve(principal.accountId, asked, request.body);
      const { settled } = CHANGE_STATUSES[record.change.status];
      return reply.code(settled ? 200 : 202).send(presentResolution(request.body, record));
    },
  );

  app.patch(
    '/api/v1/issue-duplicates/propose-resolution',
    {
      onRequest: auth.authorize,
      schema: { tags, body: proposalPayload, response: { 200: change } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const actor = await actorOf(principal);
      const asked = { actor, as: 'proposed', signal: callerAbortSignal(reply) } as const;
      return presentChange(await duplicates.resolve(principal.accountId, asked, request.body));
    },
  );

  for (const [path, dismissed] of [
    ['dismiss', true],
    ['restore', false],
  ] as const) {
    app.post(
      `/api/v1/issue-duplicates/${path}`,
      {
        onRequest: auth.authorize,
        schema: { tags, body: pairKey, response: { 204: z.null() } },
      },
      async (request, reply) => {
        const { issue1_id, issue2_id } = request.body;
        await duplicates.setDismissed(principalOf(request).accountId, issue1_id, issue2_id, dismissed);
        return reply.code(204).send(null);
      },
    );
  }

  for (const [path, dismissed] of [
    ['dismiss', true],
    ['restore', false],
  ] as const) {
    app.post(
      `/api/v1/issue-duplicates/series/:series_id/${path}`,
      {
        onRequest: auth.authorize,
        schema: { tags, params: z.object({ series_id: id }), response: { 204: z.null() } },
      },
      async (request, reply) => {
        const { accountId } = principalOf(request);
        await duplicates.setSeriesDismissed(accountId, request.params.series_id, dismissed);
        return reply.code(204).send(null);
      },
    );
  }

  app.get(
    '/api/v1/project-duplicate-stats',
    {
      onRequest: auth.authorize,
      schema: { tags, querystring: duplicateStatsQuery, response: { 200: duplicateStats } },
    },
    async (request) => {
      const { project_ids, similarity_threshold, probability_threshold, one_per_series, ...filter } =
        request.query;
      const { projects, mark } = await duplicates.statistics(principalOf(request).accountId, {
        projectReferences: project_ids,
        threshold: similarity_threshold,
        probability: probability_threshold,
        onePerSeries: one_per_series,
        ...filter,
      });
      return { projects, threshold_used: similarity_threshold, mark };
    },
  );
}
