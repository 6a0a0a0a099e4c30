import { Readable } from 'node:stream';
import {
  CHANGE_STATUSES,
  change,
  changeList,
  changePreview,
  changesExportQuery,
  changesQuery,
} from '@winnow/contract/change';
import { type PreviewRequest, previewRequest } from '@winnow/contract/preview';
import { id, skipOf } from '@winnow/contract/primitives';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { App } from '../platform/http/app.ts';
import { type Authentication, type Principal, principalOf } from '../platform/http/auth.ts';
import { callerAbortSignal } from '../platform/http/caller-abort.ts';
import { EXPORTS } from './export.ts';
import type { Actor, Ledger } from './ledger.ts';
import type { ChangePlan } from './plan.ts';
import { presentChange, presentPlan } from './present.ts';

/** Returns the actor that the ledger records for the authenticated caller. */
export type ActorOf = (principal: Principal) => Promise<Actor>;
/**
 * Plans the change that a write request describes. Combines the planners of all features that
 * propose changes.
 */
export type Planner = (accountId: string, request: PreviewRequest) => Promise<ChangePlan>;

const tags = ['Changes'];
const params = z.object({ change_id: id });

/** Registers the routes of the ledger: list, preview, decide, undo and retry changes. */
export function registerChangeRoutes(
  app: App,
  options: { ledger: Ledger; auth: Authentication; actorOf: ActorOf; plan: Planner },
): void {
  const { ledger, auth, actorOf, plan } = options;

  /**
   * Responds with 200 and the settled change. If applying takes longer than users wait, responds
   * with 202 and the change's current state.
   */
  async function answerWhenSettled(reply: FastifyReply, accountId: string, changeId: string) {
    const record = await ledger.whenSettled(accountId, changeId);
    return reply.code(CHANGE_STATUSES[record.change.status].settled ? 200 : 202).send(presentChange(record));
  }

  app.get(
    '/api/v1/changes',
    {
      onRequest: auth.authorize,
      schema: { tags, querystring: changesQuery, response: { 200: changeList } },
    },
    async (request) => {
      const { status, kind, issue_id: issueId, limit } = request.query;
      const skip = skipOf(request.query);
      const filter = { status, kind, issueId };
      const { records, total } = await ledger.list(principalOf(request).accountId, filter, { limit, skip });
      return { changes: records.map(presentChange), total, limit, skip };
    },
  );

  app.get(
    '/api/v1/changes/export',
    {
      config: { isHeavy: true },
      onRequest: auth.authorize,
      schema: { tags, querystring: changesExportQuery },
    },
    async (request, reply) => {
      const { format, status, kind, issue_id: issueId } = request.query;
      const { type, lines } = EXPORTS[format];
      const records = ledger.streamAll(principalOf(request).accountId, { status, kind, issueId });
      return reply
        .header('content-type', type)
        .header('content-disposition', `attachment; filename="winnow-changes.${format}"`)
        .send(Readable.from(lines(records)));
    },
  );

  app.get(
    '/api/v1/changes/:change_id',
    { onRequest: auth.authorize, schema: { tags, params, response: { 200: change } } },
    async (request) =>
      presentChange(await ledger.get(principalOf(request).accountId, request.params.change_id)),
  );

  app.post(
    '/api/v1/changes/preview',
    {
      onRequest: auth.authorize,
      schema: { tags, body: previewRequest, response: { 200: changePreview } },
    },
    async (request) => {
      const { accountId } = principalOf(request);
      const planned = await plan(accountId, request.body);
      return presentPlan(planned, await ledger.placesOf(accountId, planned));
    },
  );

  app.post(
    '/api/v1/changes/:change_id/apply',
    {
      onRequest: auth.authorize,
      schema: { tags, params, response: { 200: change, 202: change } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { change_id: changeId } = request.params;
      const signal = callerAbortSignal(reply);
      await ledger.approve(principal.accountId, await actorOf(principal), changeId, { signal });
      return answerWhenSettled(reply, principal.accountId, changeId);
    },
  );

  app.post(
    '/api/v1/changes/:change_id/reject',
    { onRequest: auth.authorize, schema: { tags, params, response: { 200: change } } },
    async (request) => {
      const principal = principalOf(request);
      const { change_id: changeId } = request.params;
      await ledger.reject(principal.accountId, await actorOf(principal), changeId);
      return presentChange(await ledger.get(principal.accountId, changeId));
    },
  );

  app.post(
    '/api/v1/changes/:change_id/undo',
    {
      onRequest: auth.authorize,
      schema: { tags, params, response: { 200: change, 202: change } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { change_id: changeId } = request.params;
      const signal = callerAbortSignal(reply);
      const undoId = await ledger.undo(principal.accountId, await actorOf(principal), changeId, { signal });
      return answerWhenSettled(reply, principal.accountId, undoId);
    },
  );

  app.post(
    '/api/v1/changes/:change_id/retry',
    {
      onRequest: auth.authorize,
      schema: { tags, params, response: { 200: change, 202: change } },
    },
    async (request, reply) => {
      const principal = principalOf(request);
      const { change_id: changeId } = request.params;
      const signal = callerAbortSignal(reply);
      await ledger.retry(principal.accountId, await actorOf(principal), changeId, { signal });
      return answerWhenSettled(reply, principal.accountId, changeId);
    },
  );
}
