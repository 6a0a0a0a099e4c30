import { id, skipOf } from '@winnow/contract/primitives';
import {
  createdInvitation,
  invitationAccepted,
  invitationByToken,
  invitationCreate,
  invitationList,
  joinableList,
  memberPage,
  memberPatch,
  memberQuery,
  memberRemoval,
  shownInvitation,
  workspace,
  workspaceCreate,
  workspaceDeletion,
  workspaceList,
  workspacePatch,
  workspaceSettings,
} from '@winnow/contract/workspace';
import { z } from 'zod';
import type { App } from '../../platform/http/app.ts';
import { type Authentication, userOf } from '../../platform/http/auth.ts';
import { clientOf } from '../client.ts';
import type { WorkspaceInvitations } from './invitations.ts';
import {
  presentInvitation,
  presentMember,
  presentSeenInvitation,
  presentSettings,
  presentWorkspace,
} from './present.ts';
import type { Workspaces } from './service.ts';

const tags = ['Workspaces'];
const memberParams = z.object({ user_id: id });

/** Registers the routes for workspaces, members and invitations. Users only. */
export function registerWorkspaceRoutes(
  app: App,
  {
    workspaces,
    invitations,
    auth,
  }: { workspaces: Workspaces; invitations: WorkspaceInvitations; auth: Authentication },
): void {
  const onRequest = auth.authorize;

  app.get(
    '/api/v1/workspaces',
    { onRequest, schema: { tags, response: { 200: workspaceList } } },
    async (request, reply) => {
      const found = await workspaces.list(userOf(request).userId);
      reply.header('x-total-count', found.length);
      return found.map(presentWorkspace);
    },
  );

  app.post(
    '/api/v1/workspaces',
    { onRequest, schema: { tags, body: workspaceCreate, response: { 201: workspace } } },
    async (request, reply) => {
      const { userId } = userOf(request);
      const created = await workspaces.create(userId, request.body.name, clientOf(request));
      return reply.code(201).send(presentWorkspace(created));
    },
  );

  app.get(
    '/api/v1/workspaces/joinable',
    { onRequest, schema: { tags, response: { 200: joinableList } } },
    async (request, reply) => {
      const found = await invitations.joinable(userOf(request));
      reply.header('x-total-count', found.length);
      return found;
    },
  );

  app.post(
    '/api/v1/workspaces/:workspace_id/join',
    { onRequest, schema: { tags, params: z.object({ workspace_id: id }), response: { 204: z.null() } } },
    async (request, reply) => {
      await invitations.join(userOf(request), request.params.workspace_id, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/workspace',
    { onRequest, schema: { tags, response: { 200: workspaceSettings } } },
    async (request) => presentSettings(await workspaces.get(userOf(request))),
  );

  app.patch(
    '/api/v1/workspace',
    { onRequest, schema: { tags, body: workspacePatch, response: { 200: workspaceSettings } } },
    async (request) =>
      presentSettings(await workspaces.change(userOf(request), request.body, clientOf(request))),
  );

  app.delete(
    '/api/v1/workspace',
    {
      // Same limit as for signing in, because this also hashes a password.
      config: { rateLimit: { max: 120, timeWindow: 60_000 } },
      onRequest,
      schema: { tags, body: workspaceDeletion, response: { 204: z.null() } },
    },
    async (request, reply) => {
      await workspaces.delete(userOf(request), request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/workspace/leave',
    { onRequest, schema: { tags, body: memberRemoval, response: { 204: z.null() } } },
    async (request, reply) => {
      await workspaces.leave(userOf(request), request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/members',
    { onRequest, schema: { tags, querystring: memberQuery, response: { 200: memberPage } } },
    async (request) => {
      const page = { limit: request.query.limit, skip: skipOf(request.query) };
      const found = await workspaces.listMembers(userOf(request).accountId, request.query, page);
      return { members: found.members.map(presentMember), total: found.total };
    },
  );

  app.patch(
    '/api/v1/members/:user_id',
    { onRequest, schema: { tags, params: memberParams, body: memberPatch, response: { 204: z.null() } } },
    async (request, reply) => {
      const { user_id: memberId } = request.params;
      await workspaces.changeRole(userOf(request), memberId, request.body.role, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/members/:user_id/transfer-ownership',
    { onRequest, schema: { tags, params: memberParams, response: { 204: z.null() } } },
    async (request, reply) => {
      await workspaces.transferOwnership(userOf(request), request.params.user_id, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/members/:user_id/remove',
    { onRequest, schema: { tags, params: memberParams, body: memberRemoval, response: { 204: z.null() } } },
    async (request, reply) => {
      const { user_id: memberId } = request.params;
      await workspaces.removeMember(userOf(request), memberId, request.body, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/api/v1/invitations',
    { onRequest, schema: { tags, response: { 200: invitationList } } },
    async (request, reply) => {
      const found = await invitations.list(userOf(request).accountId);
      reply.header('x-total-count', found.length);
      return found.map(presentInvitation);
    },
  );

  app.post(
    '/api/v1/invitations',
    { onRequest, schema: { tags, body: invitationCreate, response: { 201: createdInvitation } } },
    async (request, reply) => {
      const { row, link } = await invitations.create(userOf(request), request.body, clientOf(request));
      return reply.code(201).send({ ...presentInvitation(row), link });
    },
  );

  app.delete(
    '/api/v1/invitations/:invitation_id',
    { onRequest, schema: { tags, params: z.object({ invitation_id: id }), response: { 204: z.null() } } },
    async (request, reply) => {
      await invitations.withdraw(userOf(request), request.params.invitation_id, clientOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/api/v1/invitations/look-up',
    { schema: { tags, security: [], body: invitationByToken, response: { 200: shownInvitation } } },
    async (request) => presentSeenInvitation(await invitations.lookUp(request.body.token, clientOf(request))),
  );

  app.post(
    '/api/v1/invitations/accept',
    { onRequest, schema: { tags, body: invitationByToken, response: { 200: invitationAccepted } } },
    async (request) => ({
      workspace_id: await invitations.accept(userOf(request), request.body.token, clientOf(request)),
    }),
  );
}
