import {
  complianceBatch,
  complianceHistory,
  compliancePrompt,
  compliancePromptDraft,
  compliancePrompts,
  compliancePromptVersions,
  complianceQuery,
  complianceResult,
  complianceResults,
  complianceRun,
  complianceRunPreview,
  complianceRunPreviewRequest,
  complianceRunRequest,
  complianceRuns,
  complianceScores,
  complianceStats,
  complianceStatsQuery,
  complianceSuggestion,
  complianceTrial,
  complianceTrialResult,
  complianceUpdate,
  complianceUpdated,
  promptId,
  promptTrial,
} from '@winnow/contract/compliance';
import { id } from '@winnow/contract/primitives';
import { z } from 'zod';
import type { ActorOf } from '../changes/index.ts';
import { notFound } from '../platform/errors.ts';
import type { App } from '../platform/http/app.ts';
import { type Authentication, principalOf } from '../platform/http/auth.ts';
import { callerAbortSignal } from '../platform/http/caller-abort.ts';
import type { Evaluations } from './evaluations.ts';
import type { Improvements } from './improvements.ts';
import { presentRun } from './present.ts';
import type { Prompts } from './prompts.ts';
import type { ComplianceRuns } from './runs.ts';
import type { Compliance } from './service.ts';

const tags = ['Compliance'];
const ofIssue = z.object({ issue_id: id });
const ofPrompt = z.object({ prompt_id: promptId });
const ofRun = z.object({ run_id: id });

/** Registers routes for scores, improved texts and prompts. */
export function registerComplianceRoutes(
  app: App,
  options: {
    prompts: Prompts;
    evaluations: Evaluations;
    improvements: Improvements;
    compliance: Compliance;
    complianceRuns: ComplianceRuns;
    auth: Authentication;
    actorOf: ActorOf;
  },
): void {
  const { prompts, evaluations, improvements, compliance, complianceRuns: runs } = options;
  const { auth, actorOf } = options;
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/issue_compliance/:issue_id',
    {
      onRequest,
      schema: { tags, params: ofIssue, querystring: complianceQuery, response: { 200: complianceResult } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const { prompt_name: name } = request.query;
      const [result] = await evaluations.check(accountId, name, [request.params.issue_id], null);
      if (!result) throw notFound();
      return result;
    },
  );

  app.post(
    '/api/v1/issue_compliance/batch',
    { onRequest, schema: { tags, body: complianceBatch, response: { 200: complianceResults } } },
    async (request) => {
      const { issue_ids: issueIds, prompt_name: name } = request.body;
      return { results: await evaluations.check(principalOf(request).accountId, name, issueIds, null) };
    },
  );

  app.get(
    '/api/v1/issue_compliance/:issue_id/history',
    {
      onRequest,
      schema: { tags, params: ofIssue, querystring: complianceQuery, response: { 200: complianceHistory } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const { prompt_name: name } = request.query;
      return { results: await evaluations.listHistory(accountId, name, request.params.issue_id) };
    },
  );

  app.get(
    '/api/v1/issue_compliance_stats',
    {
      onRequest,
      schema: { tags, querystring: complianceStatsQuery, response: { 200: complianceStats } },
    },
    async (request) => {
      const { prompt_name: name, project_ids: projectReferences, status } = request.query;
      const filter = { projectReferences, status };
      return { projects: await compliance.statistics(principalOf(request).accountId, name, filter) };
    },
  );

  app.get(
    '/api/v1/issue_compliance_scores',
    {
      onRequest,
      schema: { tags, querystring: complianceStatsQuery, response: { 200: complianceScores } },
    },
    async (request) => {
      const { prompt_name: name, project_ids: projectReferences, status } = request.query;
      return compliance.knownScores(principalOf(request).accountId, name, { projectReferences, status });
    },
  );

  app.get(
    '/api/v1/issue_compliance_runs',
    { onRequest, schema: { tags, querystring: complianceQuery, response: { 200: complianceRuns } } },
    async (request) => {
      const found = await runs.list(principalOf(request).accountId, request.query.prompt_name);
      return { runs: found.map(presentRun) };
    },
  );

  app.post(
    '/api/v1/issue_compliance_runs/preview',
    {
      onRequest,
      schema: { tags, body: complianceRunPreviewRequest, response: { 200: complianceRunPreview } },
    },
    async (request) => {
      const { project_ids: projectReferences, prompt_name: name, status } = request.body;
      const asked = { projectReferences, promptId: name, status };
      return runs.preview(principalOf(request).accountId, asked);
    },
  );

  app.post(
    '/api/v1/issue_compliance_runs',
    { onRequest, schema: { tags, body: complianceRunRequest, response: { 202: complianceRuns } } },
    async (request, reply) => {
      const {
        project_ids: projectReferences,
        prompt_name: name,
        status,
        most_calls: mostCalls,
      } = request.body;
      const asked = { projectReferences, promptId: name, status };
      const begun = await runs.start(principalOf(request).accountId, asked, mostCalls);
      return reply.code(202).send({ runs: begun.map(presentRun) });
    },
  );

  app.post(
    '/api/v1/issue_compliance_runs/:run_id/stop',
    { onRequest, schema: { tags, params: ofRun, response: { 200: complianceRun } } },
    async (request) => presentRun(await runs.stop(principalOf(request).accountId, request.params.run_id)),
  );

  app.get(
    '/api/v1/issue_compliance_suggestion/:issue_id',
    {
      onRequest,
      schema: {
        tags,
        params: ofIssue,
        querystring: complianceQuery,
        response: { 200: complianceSuggestion },
      },
    },
    async (request) =>
      improvements.suggest(
        principalOf(request).accountId,
        request.query.prompt_name,
        request.params.issue_id,
        null,
      ),
  );

  app.post(
    '/api/v1/issue_compliance_trial/:issue_id',
    {
      onRequest,
      schema: { tags, params: ofIssue, body: complianceTrial, response: { 200: complianceTrialResult } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const { prompt_name: name, ...texts } = request.body;
      return evaluations.compareTexts(accountId, name, request.params.issue_id, texts);
    },
  );

  app.patch(
    '/api/v1/issue_compliance_update/:issue_id',
    {
      onRequest,
      schema: {
        tags,
        params: ofIssue,
        body: complianceUpdate,
        response: { 200: complianceUpdated, 202: complianceUpdated },
      },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const actor = await actorOf(principal);
      const { result, settled } = await compliance.update(
        principal.accountId,
        { actor, signal: callerAbortSignal(reply) },
        request.params.issue_id,
        request.body,
      );
      return reply.code(settled ? 200 : 202).send(result);
    },
  );

  app.get(
    '/api/v1/issue_compliance_prompts',
    { onRequest, schema: { tags, response: { 200: compliancePrompts } } },
    async (request, reply) => {
      const list = await prompts.list(principalOf(request).accountId);
      reply.header('x-total-count', list.length);
      return list;
    },
  );

  app.post(
    '/api/v1/issue_compliance_prompts',
    { onRequest, schema: { tags, body: compliancePromptDraft, response: { 201: compliancePrompt } } },
    async (request, reply) =>
      reply.code(201).send(await prompts.create(principalOf(request).accountId, request.body)),
  );

  app.post(
    '/api/v1/issue_compliance_prompts/try',
    { onRequest, schema: { tags, body: promptTrial, response: { 200: complianceResults } } },
    async (request) => {
      const { accountId } = principalOf(request);
      const prompt = await prompts.tryOut(accountId, request.body.prompt);
      return { results: await evaluations.tryOut(accountId, prompt, request.body.issue_ids) };
    },
  );

  app.put(
    '/api/v1/issue_compliance_prompts/:prompt_id',
    {
      onRequest,
      schema: { tags, params: ofPrompt, body: compliancePromptDraft, response: { 200: compliancePrompt } },
    },
    async (request) => prompts.update(principalOf(request).accountId, request.params.prompt_id, request.body),
  );

  app.get(
    '/api/v1/issue_compliance_prompts/:prompt_id/versions',
    { onRequest, schema: { tags, params: ofPrompt, response: { 200: compliancePromptVersions } } },
    async (request) => prompts.versions(principalOf(request).accountId, request.params.prompt_id),
  );

  app.delete(
    '/api/v1/issue_compliance_prompts/:prompt_id',
    { onRequest, schema: { tags, params: ofPrompt, response: { 204: z.null() } } },
    async (request, reply) => {
      await prompts.remove(principalOf(request).accountId, request.params.prompt_id);
      return reply.code(204).send(null);
    },
  );
}
