import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { currentUser } from '@winnow/contract/account';
import { sessionList } from '@winnow/contract/account-activity';
import { aiModel, aiModelList } from '@winnow/contract/ai-model';
import { apiKeyList, createdApiKey, scope } from '@winnow/contract/api-key';
import { change, changeList, resolutionChoice } from '@winnow/contract/change';
import { clusterList } from '@winnow/contract/cluster';
import {
  compliancePrompt,
  compliancePrompts,
  complianceResult,
  complianceRuns,
} from '@winnow/contract/compliance';
import { duplicateStats, pairList } from '@winnow/contract/duplicate';
import { flow, flowExecutionList, flowList, flowPresetList } from '@winnow/contract/flow';
import { issuesCount, organizationList, projectList } from '@winnow/contract/issue';
import type { LiveEvent } from '@winnow/contract/live';
import { mcpServer, mcpServerList } from '@winnow/contract/mcp-server';
import { subscription } from '@winnow/contract/plan';
import { ROUTE_ACCESS, scopeOf } from '@winnow/contract/route-access';
import { tracker } from '@winnow/contract/tracker';
import { createdInvitation } from '@winnow/contract/workspace';
import type { GitHubEmulator } from '@winnow/emulators/github/emulator';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { newKey } from './accounts/api-keys/key.ts';
import { type SellingWinnow, startSelling } from './billing/stripe/testing/billing.ts';
import { givePlan } from './billing/testing/subscribed.ts';
import { runFlow, whenExecution } from './flows/testing/flow-setup.ts';
import { type Answer, type Caller, call, failureOf, type Method } from './testing/caller.ts';
import { eventually } from './testing/eventually.ts';
import { connect, startGitHub, whenSynced } from './testing/github.ts';
import { type LiveListener, listenLive } from './testing/live-listener.ts';
import type { RunningWinnow } from './testing/running-winnow.ts';

let selling: SellingWinnow;
let winnow: RunningWinnow;
let github: GitHubEmulator;
let mine: Account;
let theirs: Account;

/** A user whose account has a row of each kind that accounts can own. */
interface Account {
  caller: Caller;
  accountId: string;
  userId: string;
  invitationId: string;
  trackerId: string;
  organizationId: string;
  projectId: string;
  issueIds: [string, string];
  issueKey: string;
  pairId: string;
  seriesId: string;
  clusterId: string;
  clusterActionId: string;
  changeId: string;
  aiModelId: string;
  promptId: string;
  runId: string;
  apiKeyId: string;
  sessionId: string;
  passkeyId: string;
  mcpServerId: string;
  flowId: string;
  presetId: string;
  executionId: string;
}

beforeAll(async () => {
  // An installation that sells plans has more routes.
  selling = await startSelling();
  ({ winnow } = selling);
  const text = 'The export button does nothing after the second click on a slow connection.';
  github = await startGitHub([
    { title: 'Export button dead', body: text },
    { title: 'Export button dead', body: text },
    { title: 'Export button does nothing', body: `${text} Seen on Firefox.` },
  ]);
  [mine, theirs] = await Promise.all([makeAccount(), makeAccount()]);
});
afterAll(async () => {
  await selling.close();
  await github.close();
});

async function makeAccount(): Promise<Account> {
  const caller = await winnow.newConfirmedCaller();
  await givePlan(winnow.database.db, await caller.accountId(), 'enterprise');
  const { id: trackerId } = await connect(caller, github);
  await whenSynced(caller, trackerId);
  const { duplicates } = await eventually(async () => {
    const found = await caller.get('/issue-duplicates', pairList);
    return found.duplicates.length === 3 && found;
  });
  const [pair] = duplicates;
  const { items } = await caller.get('/organizations', organizationList);
  const [project] = await caller.get('/projects', projectList);
  if (!pair || !items[0] || !project) throw new Error('The account has nothing.');
  const result = await caller.send(
    'PATCH',
    '/issue-duplicates/execute-resolution',
    { issue1_id: pair.issue1.id, issue2_id: pair.issue2.id, resolution: 'unrelated' },
    z.object({ change_id: z.string() }),
  );
  const { id: clusterId } = await eventually(async () => {
    const { clusters } = await caller.get('/clusters?status=all&probability_threshold=0', clusterList);
    return clusters[0] ?? null;
  });
  const clusterActionId = randomUUID();
  await winnow.database.db
    .insertInto('cluster_action')
    .values({
      ...{ account_id: await caller.accountId(), id: clusterActionId, text: 'Included.', at: new Date() },
      ...{ members: '[]', added: '[]', removed: '[]' },
    })
    .execute();
  const model = { ...aiModelFields, name: 'Ours', is_default: false };
  const { id: aiModelId } = await caller.send('POST', '/ai-models', model, aiModel);
  const prompt = await caller.send('POST', '/issue_compliance_prompts', promptDraft, compliancePrompt);
  await caller.get(`/issue_compliance/${pair.issue1.id}`, complianceResult);
  const scored = { project_ids: [project.id] };
  const { runs } = await caller.send('POST', '/issue_compliance_runs', scored, complianceRuns);
  const [run] = runs;
  if (!run) throw new Error('No project is scored.');
  const [session] = await caller.get('/auth/sessions', sessionList);
  if (!session) throw new Error('The account has no session.');
  const passkeyId = randomUUID();
  const user = await caller.get('/auth/users/me', currentUser);
  await winnow.database.db
    .insertInto('passkey')
    .values({
      ...{ account_id: user.account_id, user_id: user.id, id: passkeyId, name: 'Ours', transports: [] },
      ...{ credential_id: Buffer.from(passkeyId), public_key: Buffer.of(1), sign_count: 0, synced: false },
      created_at: new Date(),
    })
    .execute();
  const { id: apiKeyId } = await caller.send('POST', '/auth/api-keys', { name: 'Ours' }, createdApiKey);
  const server = { ...mcpServerFields, name: 'Ours' };
  const { id: mcpServerId } = await caller.send('POST', '/mcp-servers', server, mcpServer);
  const saved = { name: 'Ours', builtin_actions: ['flag_duplicates'], is_enabled: false, is_preset: true };
  const { id: flowId } = await caller.send('POST', '/flows', saved, flow);
  const preset = (await caller.get('/flows/presets', flowPresetList)).at(-1);
  const { id: executionId } = await runFlow(caller, flowId, { issue_key: pair.issue1.key });
  await whenExecution(caller, executionId);
  const seriesId = randomUUID();
  await sql`
    insert into issue_series (account_id, id, key, frame, issues)
    values (${await caller.accountId()}, ${seriesId}, 'export', 'Export …', 3)
  `.execute(winnow.database.db);
  const invited = { kind: 'email', role: 'viewer', email: 'guest@example.com' };
  const { id: invitationId } = await caller.send('POST', '/invitations', invited, createdInvitation);
  const { id: userId, account_id: accountId } = await caller.get('/auth/users/me', currentUser);
  return {
    caller,
    accountId,
    userId,
    invitationId,
    executionId,
    flowId,
    presetId: preset?.id ?? '',
    aiModelId,
    mcpServerId,
    apiKeyId,
    sessionId: session.id,
    passkeyId,
    promptId: prompt.id,
    runId: run.id,
    trackerId,
    organizationId: items[0].id,
    projectId: project.id,
    issueIds: [pair.issue1.id, pair.issue2.id],
    issueKey: pair.issue1.key,
    pairId: pair.id,
    seriesId,
    clusterId,
    clusterActionId,
    changeId: result.change_id,
  };
}

/** Ids of an account's objects that calls may contain. */
type Ids = Pick<
  Account,
  | 'accountId'
  | 'userId'
  | 'invitationId'
  | 'trackerId'
  | 'organizationId'
  | 'projectId'
  | 'issueIds'
  | 'pairId'
  | 'seriesId'
  | 'clusterId'
  | 'clusterActionId'
  | 'changeId'
  | 'aiModelId'
  | 'sessionId'
  | 'passkeyId'
  | 'promptId'
  | 'runId'
  | 'apiKeyId'
  | 'mcpServerId'
  | 'flowId'
  | 'presetId'
  | 'executionId'
>;

interface Attempt {
  path: string;
  body?: unknown;
}

/** How to call a route with these ids. `open` routes require no token; `own` routes take no ids. */
type CallForm =
  | { kind: 'open' }
  | { kind: 'own' }
  | { kind: 'named'; calls: (ids: Ids) => Attempt[] }
  | { kind: 'filtered'; calls: (ids: Ids) => Attempt[]; isEmpty: (answer: Answer) => boolean };

const named = (calls: (ids: Ids) => Attempt[]): CallForm => ({ kind: 'named', calls });
const bothIssues = (body: (first: string, second: string) => unknown, path: string) =>
  named(({ issueIds: [first, second] }) => [{ path, body: body(first, second) }]);
const noneOf = (name: string) => (answer: Answer) => {
  const { body } = answer;
  if (Array.isArray(body)) return body.length === 0;
  const list: unknown = typeof body === 'object' && body !== null ? Reflect.get(body, name) : undefined;
  return Array.isArray(list) && list.length === 0;
};

const connection = { tracker_type: 'github', api_key: 'unchanged', organization_identifier: 'acme' };
/** Settings of a language model at a closed port. */
const aiModelFields = {
  provider_name: 'custom',
  model_identifier: 'none',
  api_url: 'http://127.0.0.1:9/v1',
};
/** Settings of an MCP server at a closed port. */
const mcpServerFields = { url: 'http://127.0.0.1:9/mcp' };
const promptDraft = {
  name: 'Ours',
  short_name: 'Ours',
  criteria: [{ name: 'Goal', weight: 1, description: 'Says what for.', check: 'goal' }],
};
/** All routes. If a new route is missing here, the first test fails. */
const ROUTES: Record<string, CallForm> = {
  'GET /healthz': { kind: 'open' },
  'GET /readyz': { kind: 'open' },
  'GET /metrics': { kind: 'open' },
  'GET /logout': { kind: 'open' },
  'GET /*': { kind: 'open' },
  'GET /': { kind: 'open' },
  ...Object.fromEntries(
    ['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].flatMap((name) =>
      ['GET /.well-known/*', 'GET /.well-known/*/mcp', 'GET /mcp/.well-known/*'].map(
        (route): [string, CallForm] => [route.replace('*', name), { kind: 'open' }],
      ),
    ),
  ),
  'POST /register': { kind: 'open' },
  'GET /api/openapi.json': { kind: 'open' },
  'GET /api/docs': { kind: 'open' },
  'GET /api/docs/static/start.js': { kind: 'open' },
  'GET /api/docs/static/favicon.svg': { kind: 'open' },
  'GET /api/docs/static/swagger-ui.css': { kind: 'open' },
  'GET /api/docs/static/swagger-ui-bundle.js': { kind: 'open' },
  'GET /api/v1/ws': { kind: 'open' },
  'GET /api/v1/ws/flow-updates': { kind: 'open' },
  'POST /api/v1/auth/register': { kind: 'open' },
  'POST /api/v1/auth/token/json': { kind: 'open' },
  'POST /api/v1/auth/refresh': { kind: 'open' },
  'POST /api/v1/auth/complete-onboarding': { kind: 'open' },
  'POST /api/v1/auth/forgot-password': { kind: 'open' },
  'POST /api/v1/auth/reset-password': { kind: 'open' },
  'POST /api/v1/auth/verify-email': { kind: 'open' },
  'POST /api/v1/leads': { kind: 'open' },
  'GET /api/v1/billing/plans': { kind: 'open' },
  'POST /api/v1/billing/create-checkout-session': { kind: 'open' },
  'POST /api/v1/billing/webhook': { kind: 'open' },
  'GET /api/v1/billing/custom-plans': { kind: 'own' },
  'GET /api/v1/billing/subscription': { kind: 'own' },
  'POST /api/v1/billing/sync-subscription': { kind: 'own' },
  'POST /api/v1/billing/cancel-waiting-change': { kind: 'own' },
  'POST /api/v1/billing/create-portal-session': { kind: 'own' },
  'POST /api/v1/auth/resend-verification': { kind: 'own' },
  'GET /api/v1/auth/sessions': { kind: 'own' },
  'DELETE /api/v1/auth/sessions': { kind: 'own' },
  'DELETE /api/v1/auth/sessions/:session_id': named(({ sessionId }) => [
    { path: `/auth/sessions/${sessionId}` },
  ]),
  'GET /api/v1/auth/second-factors': { kind: 'own' },
  'POST /api/v1/auth/second-factors/authenticator': { kind: 'own' },
  'POST /api/v1/auth/second-factors/authenticator/confirm': { kind: 'own' },
  'POST /api/v1/auth/second-factors/authenticator/remove': { kind: 'own' },
  'POST /api/v1/auth/second-factors/recovery-codes': { kind: 'own' },
  'POST /api/v1/auth/passkeys/sign-in': { kind: 'open' },
  'POST /api/v1/auth/passkeys/sign-in/options': { kind: 'open' },
  'POST /api/v1/auth/second-factors/passkeys': { kind: 'own' },
  'POST /api/v1/auth/second-factors/passkeys/options': { kind: 'own' },
  'POST /api/v1/auth/second-factors/passkeys/proof': { kind: 'own' },
  'PUT /api/v1/auth/second-factors/passkeys/:passkey_id': named(({ passkeyId }) => [
    { path: `/auth/second-factors/passkeys/${passkeyId}`, body: { name: 'Taken over' } },
  ]),
  'POST /api/v1/auth/second-factors/passkeys/:passkey_id/remove': named(({ passkeyId }) => [
    { path: `/auth/second-factors/passkeys/${passkeyId}/remove`, body: { code: '123456' } },
  ]),
  'GET /api/v1/auth/activity': { kind: 'own' },
  'PUT /api/v1/auth/users/me/password': { kind: 'own' },
  'DELETE /api/v1/auth/account': { kind: 'own' },
  'GET /api/v1/auth/account/export': { kind: 'own' },
  'GET /api/v1/auth/users/me': { kind: 'own' },
  'PUT /api/v1/auth/users/me': { kind: 'own' },
  'GET /api/v1/auth/api-usage': { kind: 'own' },
  'GET /api/v1/auth/api-usage/export': { kind: 'own' },
  'GET /api/v1/workspaces': { kind: 'own' },
  'POST /api/v1/workspaces': { kind: 'own' },
  'GET /api/v1/workspaces/joinable': { kind: 'own' },
  'POST /api/v1/workspaces/:workspace_id/join': named(({ accountId }) => [
    { path: `/workspaces/${accountId}/join` },
  ]),
  'GET /api/v1/workspace': { kind: 'own' },
  'PATCH /api/v1/workspace': { kind: 'own' },
  'DELETE /api/v1/workspace': { kind: 'own' },
  'POST /api/v1/workspace/leave': { kind: 'own' },
  'GET /api/v1/members': { kind: 'own' },
  'PATCH /api/v1/members/:user_id': named(({ userId }) => [
    { path: `/members/${userId}`, body: { role: 'viewer' } },
  ]),
  'POST /api/v1/members/:user_id/transfer-ownership': named(({ userId }) => [
    { path: `/members/${userId}/transfer-ownership` },
  ]),
  'POST /api/v1/members/:user_id/remove': named(({ userId }) => [
    { path: `/members/${userId}/remove`, body: {} },
  ]),
  'GET /api/v1/invitations': { kind: 'own' },
  'POST /api/v1/invitations': { kind: 'own' },
  'POST /api/v1/invitations/look-up': { kind: 'open' },
  'POST /api/v1/invitations/accept': { kind: 'own' },
  'DELETE /api/v1/invitations/:invitation_id': named(({ invitationId }) => [
    { path: `/invitations/${invitationId}` },
  ]),
  'GET /api/v1/audit-events': { kind: 'own' },
  'GET /api/v1/audit-events/export': { kind: 'own' },
  'GET /api/v1/auth/api-keys': { kind: 'own' },
  'POST /api/v1/auth/api-keys': { kind: 'own' },
  'DELETE /api/v1/auth/api-keys/:key_id': named(({ apiKeyId }) => [{ path: `/auth/api-keys/${apiKeyId}` }]),
  'GET /api/v1/issues-count': { kind: 'own' },
  'GET /api/v1/trackers': { kind: 'own' },
  'POST /api/v1/trackers': { kind: 'own' },
  'GET /api/v1/trackers/:tracker_id': named(({ trackerId }) => [{ path: `/trackers/${trackerId}` }]),
  'PUT /api/v1/trackers/:tracker_id': named(({ trackerId }) => [
    { path: `/trackers/${trackerId}`, body: { name: 'Taken over' } },
    { path: `/trackers/${trackerId}`, body: { name: 'Taken over', scope_rules: [] } },
  ]),
  'DELETE /api/v1/trackers/:tracker_id': named(({ trackerId }) => [{ path: `/trackers/${trackerId}` }]),
  'POST /api/v1/trackers/:tracker_id/sync': named(({ trackerId }) => [
    { path: `/trackers/${trackerId}/sync` },
  ]),
  'GET /api/v1/trackers/:tracker_id/webhook': named(({ trackerId }) => [
    { path: `/trackers/${trackerId}/webhook` },
  ]),
  'POST /api/v1/trackers/:tracker_id/webhook': { kind: 'open' },
  'POST /api/v1/trackers/:tracker_id/webhook/rotate': named(({ trackerId }) => [
    { path: `/trackers/${trackerId}/webhook/rotate` },
  ]),
  'POST /api/v1/trackers/test-and-list-orgs': named(({ trackerId }) => [
    { path: '/trackers/test-and-list-orgs', body: { ...connection, tracker_id: trackerId } },
  ]),
  'POST /api/v1/trackers/list-projects-for-org': named(({ trackerId }) => [
    { path: '/trackers/list-projects-for-org', body: { ...connection, tracker_id: trackerId } },
  ]),
  'GET /api/v1/ai-models': { kind: 'own' },
  'POST /api/v1/ai-models': { kind: 'own' },
  'POST /api/v1/ai-models/test': named(({ aiModelId }) => [
    { path: '/ai-models/test', body: { ...aiModelFields, model_id: aiModelId } },
  ]),
  'PUT /api/v1/ai-models/:model_id': named(({ aiModelId }) => [
    { path: `/ai-models/${aiModelId}`, body: { name: 'Taken over' } },
    { path: `/ai-models/${aiModelId}`, body: { is_default: true } },
  ]),
  'POST /api/v1/ai-models/estimate': named(({ aiModelId }) => [
    {
      path: '/ai-models/estimate',
      body: { provider_name: 'custom', model_identifier: 'm', model_id: aiModelId },
    },
  ]),
  'POST /api/v1/ai-models/provider-models': named(({ aiModelId }) => [
    { path: '/ai-models/provider-models', body: { ...aiModelFields, model_id: aiModelId } },
  ]),
  'GET /api/v1/ai-models/prices': { kind: 'own' },
  'POST /api/v1/ai-models/:model_id/resume': named(({ aiModelId }) => [
    { path: `/ai-models/${aiModelId}/resume`, body: {} },
  ]),
  'DELETE /api/v1/ai-models/:model_id': named(({ aiModelId }) => [{ path: `/ai-models/${aiModelId}` }]),
  'GET /api/v1/mcp-servers': { kind: 'own' },
  'POST /api/v1/mcp-servers': { kind: 'own' },
  'POST /api/v1/mcp-servers/test': named(({ mcpServerId }) => [
    { path: '/mcp-servers/test', body: { ...mcpServerFields, server_id: mcpServerId } },
  ]),
  'PUT /api/v1/mcp-servers/:server_id': named(({ mcpServerId }) => [
    { path: `/mcp-servers/${mcpServerId}`, body: { ...mcpServerFields, name: 'Taken over' } },
  ]),
  'POST /api/v1/mcp-servers/:server_id/check': named(({ mcpServerId }) => [
    { path: `/mcp-servers/${mcpServerId}/check` },
  ]),
  'DELETE /api/v1/mcp-servers/:server_id': named(({ mcpServerId }) => [
    { path: `/mcp-servers/${mcpServerId}` },
  ]),
  'GET /api/v1/flows': { kind: 'own' },
  'POST /api/v1/flows': { kind: 'own' },
  'GET /api/v1/flows/events': { kind: 'own' },
  'POST /api/v1/flows/preview': { kind: 'own' },
  'POST /api/v1/flows/:flow_id/run': named(({ flowId }) => [{ path: `/flows/${flowId}/run`, body: {} }]),
  'GET /api/v1/flows/executions': {
    kind: 'filtered',
    calls: ({ flowId }) => [{ path: `/flows/executions?flow_id=${flowId}` }],
    isEmpty: ({ body }) => Array.isArray(body) && body.length === 0,
  },
  'GET /api/v1/flows/executions/:execution_id': named(({ executionId }) => [
    { path: `/flows/executions/${executionId}` },
  ]),
  'GET /api/v1/flows/executions/:execution_id/logs': named(({ executionId }) => [
    { path: `/flows/executions/${executionId}/logs` },
  ]),
  'POST /api/v1/flows/executions/:execution_id/stop': named(({ executionId }) => [
    { path: `/flows/executions/${executionId}/stop` },
  ]),
  'POST /api/v1/flows/executions/:execution_id/retry': named(({ executionId }) => [
    { path: `/flows/executions/${executionId}/retry` },
  ]),
  'GET /api/v1/flows/presets': { kind: 'own' },
  'POST /api/v1/flows/presets/:preset_id/clone': named(({ presetId }) => [
    { path: `/flows/presets/${presetId}/clone` },
  ]),
  'DELETE /api/v1/flows/presets/:preset_id': named(({ presetId }) => [
    { path: `/flows/presets/${presetId}` },
  ]),
  'GET /api/v1/flows/:flow_id': named(({ flowId }) => [{ path: `/flows/${flowId}` }]),
  'PUT /api/v1/flows/:flow_id': named(({ flowId }) => [
    { path: `/flows/${flowId}`, body: { name: 'Taken over' } },
  ]),
  'DELETE /api/v1/flows/:flow_id': named(({ flowId }) => [{ path: `/flows/${flowId}` }]),
  'GET /api/v1/issues/:issue': named(({ issueIds: [id] }) => [{ path: `/issues/${id}` }]),
  'GET /api/v1/issues/:issue/similar': named(({ issueIds: [id] }) => [{ path: `/issues/${id}/similar` }]),
  'GET /api/v1/organizations': {
    kind: 'filtered',
    calls: ({ trackerId, organizationId }) => [
      { path: `/organizations?tracker_id=${trackerId}` },
      { path: `/organizations?organization_id=${organizationId}` },
    ],
    isEmpty: noneOf('items'),
  },
  'GET /api/v1/projects': {
    kind: 'filtered',
    calls: ({ trackerId, organizationId }) => [
      { path: `/projects?tracker_id=${trackerId}` },
      { path: `/projects?organization_id=${organizationId}` },
    ],
    isEmpty: noneOf(''),
  },
  'GET /api/v1/clusters': {
    kind: 'filtered',
    calls: ({ projectId, trackerId }) =>
      [`project_ids=${projectId}`, `tracker_id=${trackerId}`].map((filter) => ({
        path: `/clusters?status=all&probability_threshold=0&${filter}`,
      })),
    isEmpty: noneOf('clusters'),
  },
  'GET /api/v1/clusters/:cluster_id': named(({ clusterId }) => [{ path: `/clusters/${clusterId}` }]),
  'PATCH /api/v1/clusters/:cluster_id': named(({ clusterId }) => [
    { path: `/clusters/${clusterId}`, body: { revision: 1, name: 'Taken over' } },
  ]),
  'POST /api/v1/clusters/:cluster_id/include': named(({ clusterId, issueIds: [id] }) => [
    { path: `/clusters/${clusterId}/include`, body: { revision: 1, issue_id: id } },
  ]),
  'POST /api/v1/clusters/:cluster_id/exclude': named(({ clusterId, issueIds: [id] }) => [
    { path: `/clusters/${clusterId}/exclude`, body: { revision: 1, issue_id: id } },
  ]),
  'POST /api/v1/clusters/:cluster_id/split': named(({ clusterId, issueIds }) => [
    { path: `/clusters/${clusterId}/split`, body: { revision: 1, issue_ids: issueIds } },
  ]),
  'POST /api/v1/clusters/:cluster_id/merge': named(({ clusterId }) => [
    {
      path: `/clusters/${clusterId}/merge`,
      body: { revision: 1, other_id: randomUUID(), other_revision: 1 },
    },
  ]),
  'POST /api/v1/clusters/undo': named(({ clusterActionId }) => [
    { path: '/clusters/undo', body: { action_id: clusterActionId } },
  ]),
  'POST /api/v1/clusters/:cluster_id/resolve': named(({ clusterId }) => [
    { path: `/clusters/${clusterId}/resolve`, body: { revision: 1 } },
  ]),
  'POST /api/v1/clusters/:cluster_id/propose-resolution': named(({ clusterId }) => [
    { path: `/clusters/${clusterId}/propose-resolution`, body: { revision: 1 } },
  ]),
  'POST /api/v1/clusters/resolve': named(({ clusterId, issueIds: [first, second] }) => [
    {
      path: '/clusters/resolve',
      body: {
        clusters: [{ cluster_id: clusterId, revision: 1, canonical_id: first, member_ids: [second] }],
      },
    },
  ]),
  'POST /api/v1/clusters/review/next': { kind: 'own' },
  'POST /api/v1/clusters/review/release': { kind: 'own' },
  'GET /api/v1/clusters/review/summary': { kind: 'own' },
  'GET /api/v1/clusters/review/summary/export': { kind: 'own' },
  'GET /api/v1/issue-duplicates': {
    kind: 'filtered',
    calls: ({ projectId }) => [
      { path: `/issue-duplicates?status=all&project_ids=${projectId}` },
      { path: `/issue-duplicates?status=all&project_ids=${projectId.slice(0, 8)}` },
    ],
    isEmpty: noneOf('duplicates'),
  },
  'GET /api/v1/project-duplicate-stats': {
    kind: 'filtered',
    calls: ({ projectId }) => [{ path: `/project-duplicate-stats?project_ids=${projectId}` }],
    isEmpty: noneOf('projects'),
  },
  'GET /api/v1/issue-duplicates/:pair_id': named(({ pairId }) => [{ path: `/issue-duplicates/${pairId}` }]),
  'GET /api/v1/issue-duplicates/check': named(({ issueIds: [first, second] }) => [
    { path: `/issue-duplicates/check?issue1_id=${first}&issue2_id=${second}` },
  ]),
  'POST /api/v1/issue-duplicates/check-batch': bothIssues(
    (issue1_id, issue2_id) => ({ pairs: [{ issue1_id, issue2_id }] }),
    '/issue-duplicates/check-batch',
  ),
  'PATCH /api/v1/issue-duplicates/execute-resolution': named(({ issueIds: [first, second] }) =>
    resolutionChoice.options.map((resolution) => ({
      path: '/issue-duplicates/execute-resolution',
      body: { issue1_id: first, issue2_id: second, resolution, resulting_issue_1_title: 'Taken over' },
    })),
  ),
  'PATCH /api/v1/issue-duplicates/propose-resolution': bothIssues(
    (issue1_id, issue2_id) => ({ issue1_id, issue2_id, resolution: 'close_b' }),
    '/issue-duplicates/propose-resolution',
  ),
  'POST /api/v1/ai-suggestion': bothIssues(
    (issue1_id, issue2_id) => ({ issue1_id, issue2_id, resolution: 'merged' }),
    '/ai-suggestion',
  ),
  'POST /api/v1/issue-duplicates/dismiss': bothIssues(
    (issue1_id, issue2_id) => ({ issue1_id, issue2_id }),
    '/issue-duplicates/dismiss',
  ),
  'POST /api/v1/issue-duplicates/restore': bothIssues(
    (issue1_id, issue2_id) => ({ issue1_id, issue2_id }),
    '/issue-duplicates/restore',
  ),
  'POST /api/v1/issue-duplicates/series/:series_id/dismiss': named(({ seriesId }) => [
    { path: `/issue-duplicates/series/${seriesId}/dismiss` },
  ]),
  'POST /api/v1/issue-duplicates/series/:series_id/restore': named(({ seriesId }) => [
    { path: `/issue-duplicates/series/${seriesId}/restore` },
  ]),
  'PUT /api/v1/issue-duplicates/mark': { kind: 'own' },
  'PUT /api/v1/issue-duplicates/:pair_id/judgment': named(({ pairId }) => [
    { path: `/issue-duplicates/${pairId}/judgment`, body: { judgment: 'same' } },
  ]),
  'DELETE /api/v1/issue-duplicates/:pair_id/judgment': named(({ pairId }) => [
    { path: `/issue-duplicates/${pairId}/judgment` },
  ]),
  // The `cluster_id` of another account is tested in issues/search/cluster.http.test.ts.
  'GET /api/v1/search': {
    kind: 'filtered',
    calls: ({ projectId, issueIds: [id] }) => [
      { path: `/search?project_id=${projectId}` },
      { path: `/search?project_id=${projectId.slice(0, 8)}&query=export` },
      { path: `/search?query=${id}&search_type=fulltext` },
      { path: `/search?query=${id}&region=-999,-999,999,999` },
    ],
    isEmpty: noneOf('results'),
  },
  'GET /api/v1/embeddings': {
    kind: 'filtered',
    calls: ({ projectId }) => [{ path: `/embeddings?project_ids=${projectId}` }],
    isEmpty: noneOf('data'),
  },
  'GET /api/v1/issue_compliance_scores': {
    kind: 'filtered',
    calls: ({ projectId }) => [{ path: `/issue_compliance_scores?project_ids=${projectId}` }],
    isEmpty: noneOf('issue_ids'),
  },
  'GET /api/v1/issue_compliance_prompts': { kind: 'own' },
  'POST /api/v1/issue_compliance_prompts': { kind: 'own' },
  'POST /api/v1/issue_compliance_prompts/try': named(({ issueIds: [id] }) => [
    { path: '/issue_compliance_prompts/try', body: { prompt: promptDraft, issue_ids: [id] } },
  ]),
  'PUT /api/v1/issue_compliance_prompts/:prompt_id': named(({ promptId }) => [
    { path: `/issue_compliance_prompts/${promptId}`, body: { ...promptDraft, name: 'Taken over' } },
  ]),
  'GET /api/v1/issue_compliance_prompts/:prompt_id/versions': named(({ promptId }) => [
    { path: `/issue_compliance_prompts/${promptId}/versions` },
  ]),
  'DELETE /api/v1/issue_compliance_prompts/:prompt_id': named(({ promptId }) => [
    { path: `/issue_compliance_prompts/${promptId}` },
  ]),
  'GET /api/v1/issue_compliance/:issue_id': named(({ issueIds: [id], promptId }) => [
    { path: `/issue_compliance/${id}` },
    { path: `/issue_compliance/${id}?prompt_name=${promptId}` },
  ]),
  'GET /api/v1/issue_compliance/:issue_id/history': named(({ issueIds: [id] }) => [
    { path: `/issue_compliance/${id}/history` },
  ]),
  'POST /api/v1/issue_compliance/batch': named(({ issueIds }) => [
    { path: '/issue_compliance/batch', body: { issue_ids: issueIds } },
  ]),
  'GET /api/v1/issue_compliance_stats': {
    kind: 'filtered',
    calls: ({ projectId }) => [{ path: `/issue_compliance_stats?project_ids=${projectId}` }],
    isEmpty: noneOf('projects'),
  },
  'GET /api/v1/issue_compliance_runs': named(({ promptId }) => [
    { path: `/issue_compliance_runs?prompt_name=${promptId}` },
  ]),
  'POST /api/v1/issue_compliance_runs/preview': named(({ projectId }) => [
    { path: '/issue_compliance_runs/preview', body: { project_ids: [projectId] } },
    { path: '/issue_compliance_runs/preview', body: { project_ids: [projectId.slice(0, 8)] } },
  ]),
  'POST /api/v1/issue_compliance_runs': named(({ projectId, promptId }) => [
    { path: '/issue_compliance_runs', body: { project_ids: [projectId] } },
    { path: '/issue_compliance_runs', body: { project_ids: [projectId], prompt_name: promptId } },
  ]),
  'POST /api/v1/issue_compliance_runs/:run_id/stop': named(({ runId }) => [
    { path: `/issue_compliance_runs/${runId}/stop` },
  ]),
  'GET /api/v1/issue_compliance_suggestion/:issue_id': named(({ issueIds: [id] }) => [
    { path: `/issue_compliance_suggestion/${id}` },
  ]),
  'POST /api/v1/issue_compliance_trial/:issue_id': named(({ issueIds: [id] }) => [
    { path: `/issue_compliance_trial/${id}`, body: { title: 'Export', description: 'Export' } },
  ]),
  'PATCH /api/v1/issue_compliance_update/:issue_id': named(({ issueIds: [id] }) => [
    { path: `/issue_compliance_update/${id}`, body: { title: 'Taken over' } },
  ]),
  // Ids in arguments of the tools are tested in the folder mcp/.
  'POST /mcp': { kind: 'own' },
  'GET /api/v1/issue-dependencies': named(({ projectId }) => [
    { path: `/issue-dependencies?project_id=${projectId}` },
    { path: `/issue-dependencies?project_id=${projectId.slice(0, 8)}` },
  ]),
  'GET /api/v1/issue-dependencies/dismissed': named(({ projectId }) => [
    { path: `/issue-dependencies/dismissed?project_id=${projectId}` },
  ]),
  'POST /api/v1/issue-dependencies/detect': named(({ issueIds }) => [
    { path: '/issue-dependencies/detect', body: { issue_ids: issueIds } },
  ]),
  'POST /api/v1/issue-dependencies/extend': named(({ issueIds }) => [
    { path: '/issue-dependencies/extend', body: { issue_ids: issueIds } },
  ]),
  // Reports an error for each unknown dependency; tested in dependencies/dependencies.http.test.ts.
  'POST /api/v1/issue-dependencies/commit': { kind: 'own' },
  'POST /api/v1/issue-dependencies/dismiss': bothIssues(
    (source_issue_id, dependent_issue_id) => ({ source_issue_id, dependent_issue_id }),
    '/issue-dependencies/dismiss',
  ),
  'POST /api/v1/issue-dependencies/restore': bothIssues(
    (source_issue_id, dependent_issue_id) => ({ source_issue_id, dependent_issue_id }),
    '/issue-dependencies/restore',
  ),
  'GET /api/v1/changes': {
    kind: 'filtered',
    calls: ({ issueIds: [id] }) => [{ path: `/changes?issue_id=${id}` }],
    isEmpty: noneOf('changes'),
  },
  'GET /api/v1/changes/export': {
    kind: 'filtered',
    calls: ({ issueIds: [id] }) => [{ path: `/changes/export?format=jsonl&issue_id=${id}` }],
    isEmpty: ({ body }) => body === undefined,
  },
  'POST /api/v1/changes/preview': named(({ issueIds: [issue1_id, issue2_id] }) =>
    [
      { kind: 'resolution', payload: { issue1_id, issue2_id, resolution: 'close_b' } },
      { kind: 'compliance', payload: { issue_id: issue1_id, title: 'Taken over' } },
      {
        kind: 'dependency',
        payload: { dependencies: [{ source_issue_id: issue1_id, dependent_issue_id: issue2_id }] },
      },
    ].map((body) => ({ path: '/changes/preview', body })),
  ),
  'GET /api/v1/changes/:change_id': named(({ changeId }) => [{ path: `/changes/${changeId}` }]),
  'POST /api/v1/changes/:change_id/apply': named(({ changeId }) => [{ path: `/changes/${changeId}/apply` }]),
  'POST /api/v1/changes/:change_id/reject': named(({ changeId }) => [
    { path: `/changes/${changeId}/reject` },
  ]),
  'POST /api/v1/changes/:change_id/undo': named(({ changeId }) => [{ path: `/changes/${changeId}/undo` }]),
  'POST /api/v1/changes/:change_id/retry': named(({ changeId }) => [{ path: `/changes/${changeId}/retry` }]),
};

/**
 * Returns the routes of the application as `METHOD /path`, without HEAD. Reads them from the
 * printed tree of the router.
 */
function routesOf(tree: string): string[] {
  const parents: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^(?<indent>.*?)[├└]── (?<path>.+?) \((?<methods>[A-Z, ]+)\)$/.exec(line)?.groups;
    if (!found) return [];
    const depth = (found.indent ?? '').length / 4;
    const { path = '', methods = '' } = found;
    // The router prints the common prefix of routes as their parent, even if the prefix ends within
    // a word.
    const parent = depth === 0 ? '' : (parents[depth - 1] ?? '');
    const full = `${parent}${path === '*' && !parent.endsWith('/') ? '/*' : path}`;
    parents.length = depth;
    parents.push(full);
    return methods
      .split(', ')
      .filter((method) => method !== 'HEAD')
      .map((method) => `${method} ${full}`);
  });
}

const WEB_BUILD = fileURLToPath(new URL('../../web/dist', import.meta.url));

/** True if the route serves a file of the web build. Such a file is the same for everyone. */
function isPage(route: string): boolean {
  const path = /^GET (?!\/api\/)(.+)$/.exec(route)?.[1];
  if (path === undefined) return false;
  return (
    existsSync(join(WEB_BUILD, path, 'index.html')) ||
    (extname(path) !== '' && existsSync(join(WEB_BUILD, path)))
  );
}

function methodOf(route: string): Method {
  return route.split(' ', 1)[0] as Method;
}

const missing: Ids = {
  accountId: randomUUID(),
  userId: randomUUID(),
  invitationId: randomUUID(),
  trackerId: randomUUID(),
  organizationId: randomUUID(),
  projectId: randomUUID(),
  issueIds: [randomUUID(), randomUUID()],
  pairId: randomUUID(),
  seriesId: randomUUID(),
  clusterId: randomUUID(),
  clusterActionId: randomUUID(),
  changeId: randomUUID(),
  aiModelId: randomUUID(),
  promptId: randomUUID(),
  runId: randomUUID(),
  apiKeyId: randomUUID(),
  sessionId: randomUUID(),
  passkeyId: randomUUID(),
  mcpServerId: randomUUID(),
  flowId: randomUUID(),
  presetId: randomUUID(),
  executionId: randomUUID(),
};

/** Returns everything that an account can read about itself. */
async function viewOf({ caller, pairId, changeId, issueIds }: Account): Promise<unknown> {
  return {
    trackers: await caller.get('/trackers', z.array(tracker)),
    aiModels: await caller.get('/ai-models', aiModelList),
    mcpServers: await caller.get('/mcp-servers', mcpServerList),
    flows: await caller.get('/flows', flowList),
    executions: await caller.get('/flows/executions', flowExecutionList),
    flowPresets: await caller.get('/flows/presets', flowPresetList),
    apiKeys: await caller.get('/auth/api-keys', apiKeyList),
    subscription: await caller.get('/billing/subscription', subscription),
    prompts: await caller.get('/issue_compliance_prompts', compliancePrompts),
    organizations: await caller.get('/organizations', organizationList),
    projects: await caller.get('/projects', projectList),
    count: await caller.get('/issues-count', issuesCount),
    pairs: await caller.get('/issue-duplicates?status=all', pairList),
    clusters: await caller.get('/clusters?status=all&probability_threshold=0', clusterList),
    stats: await caller.get('/project-duplicate-stats?status=all', duplicateStats),
    pair: (await caller.call('GET', `/issue-duplicates/${pairId}`)).body,
    issue: (await caller.call('GET', `/issues/${issueIds[0]}`)).body,
    changes: await caller.get('/changes', changeList),
    change: await caller.get(`/changes/${changeId}`, change),
  };
}

describe('another account', () => {
  test('has no route that is missing from this file', () => {
    const routes = routesOf(winnow.app.printRoutes({ commonPrefix: false }));
    expect(routes.length).toBeGreaterThan(25);
    expect(routes.filter((route) => ROUTES[route] === undefined && !isPage(route))).toEqual([]);
  });

  test('gets the same 404 as for a missing object, for every id on every route, and changes nothing', async () => {
    const before = await viewOf(theirs);
    const ids = new Set<string>();
    for (const [route, manner] of Object.entries(ROUTES)) {
      if (manner.kind !== 'named') continue;
      const nothing = manner.calls(missing);
      for (const [index, attempt] of manner.calls(theirs).entries()) {
        const method = methodOf(route);
        const asked = await mine.caller.call(method, attempt.path, attempt.body);
        const absent = await mine.caller.call(method, nothing[index]?.path ?? '', nothing[index]?.body);
        expect([route, failureOf(asked, 404)]).toEqual([route, failureOf(absent, 404)]);
        expect([route, comparable(asked.headers)]).toEqual([route, comparable(absent.headers)]);
        ids.add(route);
      }
    }
    expect(ids.size).toBeGreaterThanOrEqual(14);
    expect(await viewOf(theirs)).toEqual(before);
  });

  test('gets a 404 if only one of two issues belongs to the account', async () => {
    for (const [issue1_id, issue2_id] of [
      [mine.issueIds[0], theirs.issueIds[1]],
      [theirs.issueIds[0], mine.issueIds[1]],
    ]) {
      const payload = { issue1_id, issue2_id, resolution: 'close_b' };
      await mine.caller.fail('PATCH', '/issue-duplicates/execute-resolution', 404, payload);
      await mine.caller.fail('POST', '/changes/preview', 404, { kind: 'resolution', payload });
      await mine.caller.fail('POST', '/issue-duplicates/dismiss', 404, { issue1_id, issue2_id });
    }
  });

  test('cannot be found by any filter, and its rows are in no list', async () => {
    for (const [route, manner] of Object.entries(ROUTES)) {
      if (manner.kind !== 'filtered') continue;
      for (const { path } of manner.calls(theirs)) {
        const stranger = await mine.caller.call('GET', path);
        expect([path, stranger.status, manner.isEmpty(stranger)]).toEqual([path, 200, true]);
        const owner = await theirs.caller.call('GET', path);
        expect([route, owner.status, manner.isEmpty(owner)]).toEqual([route, 200, false]);
      }
    }
    const seen = JSON.stringify(await viewOf(mine));
    const { caller: _caller, issueKey: _key, ...ids } = theirs;
    for (const id of Object.values(ids).flat()) expect(seen).not.toContain(id);
  });

  test('may have issues with the same keys, and each account finds its own issues', async () => {
    const path = `/issues/${encodeURIComponent(mine.issueKey)}`;
    const schema = z.object({ id: z.string() });
    const [one, other] = [await mine.caller.get(path, schema), await theirs.caller.get(path, schema)];
    expect(mine.issueIds).toContain(one.id);
    expect(theirs.issueIds).toContain(other.id);
  });

  test('receives no live events of this account', async () => {
    const [me, them] = await Promise.all([openJoinedListener(mine), openJoinedListener(theirs)]);
    const changed = await mine.caller.send(
      'POST',
      `/changes/${mine.changeId}/undo`,
      undefined,
      z.object({ id: z.string() }),
    );
    await me.heard((event) => event.type === 'change_updated' && event.change_id === changed.id);
    const mark = them.events.length;
    await theirs.caller.send('POST', `/trackers/${theirs.trackerId}/sync`, undefined, tracker);
    await eventually(() => them.events.slice(mark).some(isSyncEnd));
    const about = (event: LiveEvent) => ('tracker_id' in event ? event.tracker_id : event.type);
    expect(new Set(them.events.map(about))).toEqual(new Set([theirs.trackerId, 'pairs_changed']));
    expect(me.events.map(about)).not.toContain(theirs.trackerId);
    await Promise.all([me.close(), them.close()]);
  });
});

describe('an API key', () => {
  const keyWith = async (scopes: string[]) =>
    (await mine.caller.send('POST', '/auth/api-keys', { name: scopes.join(), scopes }, createdApiKey)).key;
  /** Calls the route with this API key and an empty body, so that nothing is changed. */
  const tryRoute = (route: string, token: string) => {
    const [method, path = ''] = [methodOf(route), route.split(' ')[1]];
    const address = path.replace(/:\w+/g, () => randomUUID());
    return call(winnow.origin, method, address, { token, ...(method === 'GET' ? {} : { body: {} }) });
  };

  test('the table of scopes contains exactly the routes that need a token', () => {
    const guarded = Object.entries(ROUTES).flatMap(([route, { kind }]) => (kind === 'open' ? [] : [route]));
    expect(Object.keys(ROUTE_ACCESS).sort()).toEqual(guarded.sort());
  });

  test('is allowed exactly where the table requires its scope', async () => {
    const keys = await Promise.all(scope.options.map(async (only) => ({ only, key: await keyWith([only]) })));
    for (const [route, access] of Object.entries(ROUTE_ACCESS)) {
      for (const { only, key } of keys) {
        const { status, body } = await tryRoute(route, key);
        const code = z.object({ code: z.string() }).safeParse(body).data?.code;
        const outcome = status === 403 || status === 401 ? code : 'passed';
        const wanted = scopeOf(access);
        const passes = access === 'key' || wanted === only;
        const expected = passes ? 'passed' : wanted === null ? 'user_required' : 'scope_required';
        expect([route, only, outcome]).toEqual([route, only, expected]);
      }
    }
  });

  test('with every scope is refused on routes for people', async () => {
    const key = await keyWith([...scope.options]);
    for (const [route, access] of Object.entries(ROUTE_ACCESS)) {
      const { status } = await tryRoute(route, key);
      expect([route, status === 403]).toEqual([route, access !== 'key' && scopeOf(access) === null]);
    }
  });
});

/** Open routes that are not limited by IP address. The value is the reason. */
const UNLIMITED_ROUTES: Record<string, string> = {
  'GET /healthz': 'Probes come often and from one address. The response is constant.',
  'GET /readyz': 'Probes come often and from one address. Requests within 250 ms share their checks.',
  'GET /metrics': 'Without the token, the response is constant.',
};

/** Open routes that accept bodies of more than 64 kB. The value is the reason. */
const LARGE_BODY_ROUTES: Record<string, string> = {
  'POST /api/v1/trackers/:tracker_id/webhook':
    'Trackers send whole issues. Failures are limited, and unknown trackers are refused unread.',
  'POST /api/v1/billing/webhook': 'Stripe sends whole invoices. Failures are limited.',
};

/** Calls an open route without a token, as a browser does. */
function callOpen(route: string, raw?: string): Promise<Answer> {
  const path = route.split(' ')[1]?.replace(/:\w+/g, mine.trackerId).replace('*', 'missing') ?? '';
  const headers = { accept: 'text/html' };
  return call(winnow.origin, methodOf(route), path, raw === undefined ? { headers } : { headers, raw });
}

describe('without a valid token', () => {
  const wrong: [string, string | null][] = [
    ['none', null],
    ['garbage', 'garbage'],
    ['an unknown token', `${'a'.repeat(30)}.${'b'.repeat(30)}.${'c'.repeat(30)}`],
    ['an unknown key', newKey()],
  ];

  test.each(wrong)('(%s) every route except the open ones returns 401 without details', async (_, token) => {
    for (const [route, manner] of Object.entries(ROUTES)) {
      if (manner.kind === 'open') continue;
      const [method, path = ''] = [methodOf(route), route.split(' ')[1]];
      const address = path.replace(/:\w+/g, mine.trackerId);
      const sent = method === 'GET' ? { token } : { token, raw: '{"nonsense":' };
      const answer = await call(winnow.origin, method, address, sent);
      expect([route, failureOf(answer, 401).code]).toEqual([route, 'unauthorized']);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer\b/);
      if (method !== 'GET') continue;
      const head = await fetch(`${winnow.origin}${address}`, { method: 'HEAD' });
      expect([route, head.status]).toEqual([route, 401]);
    }
  });

  test('every open route is limited by address or sends a cached response', async () => {
    const unlimited: string[] = [];
    for (const [route, { kind }] of Object.entries(ROUTES)) {
      if (kind !== 'open' || UNLIMITED_ROUTES[route] !== undefined) continue;
      const { headers } = await callOpen(route);
      const isCached = /^(?:no-cache|public)/.test(headers.get('cache-control') ?? '');
      if (!headers.has('x-ratelimit-limit') && !isCached) unlimited.push(route);
    }
    expect(unlimited).toEqual([]);
  });

  test('no open route reads a body of more than 64 kB, except webhooks', async () => {
    const bodies: [string, number][] = [];
    for (const [route, { kind }] of Object.entries(ROUTES)) {
      if (kind !== 'open' || methodOf(route) === 'GET' || LARGE_BODY_ROUTES[route] !== undefined) continue;
      const { status } = await callOpen(route, JSON.stringify({ text: 'x'.repeat(64 * 1024) }));
      bodies.push([route, status]);
    }
    expect(bodies.length).toBeGreaterThan(8);
    expect(bodies.filter(([, status]) => status !== 413)).toEqual([]);
  });

  test.each(wrong)('(%s) the WebSocket for live events closes with 4401', async (_, token) => {
    const listener = await listenLive(winnow.origin, token ?? '');
    expect(await listener.closed).toBe(4401);
    expect(listener.events).toEqual([]);
  });

  test('the API description states which operations need no token', async () => {
    const { body } = await call(winnow.origin, 'GET', '/api/openapi.json');
    const document = description.parse(body);
    const open = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, operation]) =>
        operation.security?.length === 0 ? [`${method.toUpperCase()} ${path}`] : [],
      ),
    );
    const described = Object.keys(document.paths).length;
    expect(described).toBeGreaterThan(20);
    expect(open.sort()).toEqual(
      Object.entries(ROUTES)
        .filter(([route, { kind }]) => kind === 'open' && / \/(api\/v1\/(?!ws)|logout)/.test(route))
        .map(([route]) => route.replace(/:(\w+)/g, '{$1}'))
        .sort(),
    );
  });

  test('the API description states which operations accept a key, and with which scope', async () => {
    const { body } = await call(winnow.origin, 'GET', '/api/openapi.json');
    const forKeys = Object.entries(description.parse(body).paths).flatMap(([path, operations]) =>
      Object.entries(operations).flatMap(([method, { security = [] }]) =>
        security.flatMap(({ key = [] }) => key.map((one) => `${one}: ${method.toUpperCase()} ${path}`)),
      ),
    );
    expect(forKeys.sort()).toEqual(
      Object.entries(ROUTE_ACCESS)
        .filter(([, access]) => scopeOf(access) !== null)
        .map(([route, access]) => `${scopeOf(access)}: ${route.replace(/:(\w+)/g, '{$1}')}`)
        .sort(),
    );
  });
});

const description = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({ security: z.array(z.record(z.string(), z.array(z.string()))).optional() }),
    ),
  ),
});

function isSyncEnd(event: LiveEvent): boolean {
  return event.type === 'sync_progress' && event.state === 'idle';
}

/** Opens a listener, and waits until it receives events of the account. */
async function openJoinedListener({ caller, trackerId }: Account): Promise<LiveListener> {
  const listener = await listenLive(winnow.origin, caller.tokens.access_token);
  await eventually(
    async () => {
      if (listener.events.some(isSyncEnd)) return true;
      await caller.send('POST', `/trackers/${trackerId}/sync`, undefined, tracker);
      return listener.heard(isSyncEnd, 2_000).catch(() => null);
    },
    { what: 'the first live event' },
  );
  return listener;
}

/**
 * Returns the headers that could reveal whether an object exists. Omits headers that differ in
 * every response.
 */
function comparable(headers: Headers): Record<string, string> {
  const { date: _date, 'x-request-id': _id, ...rest } = Object.fromEntries(headers);
  return Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('x-ratelimit')));
}
