import { randomUUID } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { currentUser } from '@winnow/contract/account';
import { createdApiKey, scope } from '@winnow/contract/api-key';
import { auditPage } from '@winnow/contract/audit';
import { change, resolutionResult } from '@winnow/contract/change';
import { pairList } from '@winnow/contract/duplicate';
import { flow, flowList } from '@winnow/contract/flow';
import { mayAs, type Role, role as roles } from '@winnow/contract/role';
import { permissionOf, ROUTE_ACCESS, scopeOf } from '@winnow/contract/route-access';
import { authenticatorSetup } from '@winnow/contract/second-factor';
import { tracker } from '@winnow/contract/tracker';
import {
  createdInvitation,
  type InvitationCreate,
  invitationAccepted,
  memberPage,
  shownInvitation,
  workspace,
  workspaceList,
  workspaceSettings,
} from '@winnow/contract/workspace';
import { generate } from 'otplib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Caller, call, failureOf, type Method } from '../../testing/caller.ts';
import { eventually } from '../../testing/eventually.ts';
import { listenLive } from '../../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../../testing/running-winnow.ts';

let winnow: RunningWinnow;

beforeAll(async () => {
  winnow = await startWinnow();
});
afterAll(() => winnow.close());

/** A workspace for tests with its owner, and callers that name it in each request. */
async function newWorkspace(name = 'Acme') {
  const owner = await winnow.newCaller();
  const { id } = await owner.send('POST', '/workspaces', { name }, workspace);
  return { id, owner, of: (caller: Caller) => inWorkspace(caller, id) };
}

/** Sends the requests of a user with the header of a workspace. */
function inWorkspace(caller: Caller, workspaceId: string) {
  const send = (method: Method, path: string, body?: unknown) =>
    call(winnow.origin, method, `/api/v1${path}`, {
      token: caller.tokens.access_token,
      body,
      headers: { 'winnow-workspace': workspaceId },
    });
  return {
    call: send,
    async read<T>(method: Method, path: string, body: unknown, schema: z.ZodType<T>): Promise<T> {
      const answer = await send(method, path, body);
      expect([path, answer.status < 300, answer.text]).toEqual([path, true, expect.anything()]);
      return schema.parse(answer.body);
    },
    async done(method: Method, path: string, body?: unknown): Promise<void> {
      expect((await send(method, path, body)).status).toBe(204);
    },
    async fail(status: number, method: Method, path: string, body?: unknown) {
      return failureOf(await send(method, path, body), status);
    },
  };
}

async function userOf(caller: Caller) {
  return caller.get('/auth/users/me', currentUser);
}

/** Connects the sample backlog in a workspace and waits until its pairs are found. */
async function connectSample(caller: Caller, workspaceId: string): Promise<void> {
  const here = inWorkspace(caller, workspaceId);
  await here.read('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  await eventually(async () => (await here.read('GET', '/issue-duplicates', undefined, pairList)).total > 0);
}

function tokenOf(link: string | null): string {
  return new URL(link ?? '').searchParams.get('token') ?? '';
}

/** Adds a new user to a workspace with a role. */
async function join(acme: Awaited<ReturnType<typeof newWorkspace>>, role: Role) {
  const caller = await winnow.newCaller();
  const { email, id } = await userOf(caller);
  const invited = role === 'owner' ? 'admin' : role;
  const { link } = await acme
    .of(acme.owner)
    .read('POST', '/invitations', { kind: 'email', role: invited, email }, createdInvitation);
  await caller.send('POST', '/invitations/accept', { token: tokenOf(link) }, invitationAccepted);
  if (role === 'owner') await acme.of(acme.owner).done('PATCH', `/members/${id}`, { role });
  return { caller, id, email, ...acme.of(caller) };
}

describe('workspaces', () => {
  test('a new user has a personal one, and creates and lists more; requests concern the chosen one', async () => {
    const { id, owner, of } = await newWorkspace('Größe & Co');
    const list = await owner.get('/workspaces', workspaceList);
    expect(list.map(({ name, personal, role }) => [name, personal, role])).toEqual([
      [owner.name, true, 'owner'],
      ['Größe & Co', false, 'owner'],
    ]);
    await of(owner).read('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
    const trackers = z.array(tracker);
    expect(await of(owner).read('GET', '/trackers', undefined, trackers)).toHaveLength(1);
    expect(await owner.get('/trackers', trackers)).toEqual([]);
    expect((await of(owner).read('GET', '/workspace', undefined, workspaceSettings)).id).toBe(id);
  });

  test('a workspace that does not exist, a foreign one and a malformed id are refused with the same response', async () => {
    const [acme, stranger] = [await newWorkspace(), await winnow.newCaller()];
    const answers = await Promise.all(
      [acme.id, randomUUID(), 'acme', ''].map((id) => inWorkspace(stranger, id).call('GET', '/trackers')),
    );
    for (const answer of answers) expect(failureOf(answer, 403).code).toBe('not_a_member');
    expect(await stranger.get('/workspaces', workspaceList)).toHaveLength(1);
  });

  test('an API key belongs to one, and is refused with the header of another', async () => {
    const acme = await newWorkspace();
    const { key } = await acme.of(acme.owner).read('POST', '/auth/api-keys', { name: 'CI' }, createdApiKey);
    const asked = (headers: Record<string, string>) =>
      call(winnow.origin, 'GET', '/api/v1/projects', { token: key, headers });
    expect((await asked({})).status).toBe(200);
    expect((await asked({ 'winnow-workspace': acme.id })).status).toBe(200);
    const other = await asked({ 'winnow-workspace': await acme.owner.accountId() });
    expect(failureOf(other, 403).code).toBe('not_a_member');
  });
});

describe('the policy of access', () => {
  /** Calls a route with random ids and an empty body, which changes nothing. */
  async function outcomeOf(caller: Caller, workspaceId: string, route: string): Promise<string> {
    const [method = '', path = ''] = route.split(' ');
    const address = path.replace(/:\w+/g, () => randomUUID());
    const { status, body } = await call(winnow.origin, method as Method, address, {
      token: caller.tokens.access_token,
      headers: { 'winnow-workspace': workspaceId },
      ...(method === 'GET' ? {} : { body: {} }),
    });
    if (status !== 403 && status !== 401) return 'passed';
    return z.object({ code: z.string() }).parse(body).code;
  }
  /** Routes that end the membership or the session of the caller even with an empty body. */
  const ENDING = ['POST /api/v1/workspace/leave', 'DELETE /api/v1/auth/sessions'];

  test('decides every route for every role, in the own and in a foreign workspace', {
    timeout: 300_000,
  }, async () => {
    const [acme, foreign] = [await newWorkspace(), await newWorkspace('Foreign')];
    let cases = 0;
    for (const role of roles.options) {
      const { caller } = await join(acme, role);
      for (const [route, access] of Object.entries(ROUTE_ACCESS)) {
        if (ENDING.includes(route)) continue;
        const permission = permissionOf(access);
        const own = access === 'key' ? 'unauthorized' : undefined;
        const expected = own ?? (permission === null || mayAs(role, permission) ? 'passed' : 'role_required');
        expect([role, route, await outcomeOf(caller, acme.id, route)]).toEqual([role, route, expected]);
        const elsewhere = own ?? (permission === null ? 'passed' : 'not_a_member');
        expect([role, route, await outcomeOf(caller, foreign.id, route)]).toEqual([role, route, elsewhere]);
        cases += 2;
      }
    }
    expect(cases).toBe(2 * roles.options.length * (Object.keys(ROUTE_ACCESS).length - ENDING.length));
  });

  test('gives an API key what both its scopes and the role of its owner allow', async () => {
    const acme = await newWorkspace();
    const { caller, id, read } = await join(acme, 'admin');
    const { key } = await read(
      'POST',
      '/auth/api-keys',
      { name: 'All', scopes: scope.options },
      createdApiKey,
    );
    for (const role of roles.options.filter((one) => one !== 'owner')) {
      await acme.of(acme.owner).done('PATCH', `/members/${id}`, { role });
      for (const [route, access] of Object.entries(ROUTE_ACCESS)) {
        const permission = permissionOf(access);
        if (permission === null || scopeOf(access) === null) continue;
        const [method = '', path = ''] = route.split(' ');
        const address = path.replace(/:\w+/g, () => randomUUID());
        const sent = method === 'GET' ? { token: key } : { token: key, body: {} };
        const { status } = await call(winnow.origin, method as Method, address, sent);
        expect([role, route, status !== 403]).toEqual([role, route, mayAs(role, permission)]);
      }
    }
    expect(caller.name).not.toBe('');
  });

  test('a member who is removed while connected is disconnected, and later requests are refused', async () => {
    const acme = await newWorkspace();
    const { caller, id, fail } = await join(acme, 'maintainer');
    const live = await listenLive(winnow.origin, caller.tokens.access_token, acme.id);
    await eventually(async () => {
      await acme.of(acme.owner).call('PATCH', '/workspace', { name: 'Acme' });
      return live.events.some(({ type }) => type === 'members_changed');
    });
    await acme.of(acme.owner).done('POST', `/members/${id}/remove`, {});
    expect(await live.closed).toBe(4403);
    expect((await fail(403, 'GET', '/trackers')).code).toBe('not_a_member');
    expect(await caller.get('/trackers', z.array(tracker))).toEqual([]);
  });
});

describe('members', () => {
  test('are listed, found by name, and change roles; each change is in the audit log', async () => {
    const acme = await newWorkspace();
    const { id, email } = await join(acme, 'viewer');
    const owner = acme.of(acme.owner);
    await owner.done('PATCH', `/members/${id}`, { role: 'triager' });
    const found = await owner.read(
      'GET',
      `/members?search=${encodeURIComponent(email)}`,
      undefined,
      memberPage,
    );
    expect(found).toMatchObject({ total: 1, members: [{ user_id: id, role: 'triager', email }] });
    expect((await owner.read('GET', '/members?search=%25', undefined, memberPage)).total).toBe(0);
    const { events } = await owner.read('GET', '/audit-events', undefined, auditPage);
    expect(events.map(({ kind }) => kind)).toEqual([
      'role_changed',
      'member_joined',
      'member_invited',
      'workspace_created',
    ]);
    expect(events[0]).toMatchObject({ details: { from: 'viewer', to: 'triager' } });
  });

  test('cannot raise their own role, nor make or remove an owner without being one', async () => {
    const acme = await newWorkspace();
    const [admin, viewer] = [await join(acme, 'admin'), await join(acme, 'viewer')];
    const { id: ownerId } = await userOf(acme.owner);
    await viewer.fail(403, 'PATCH', `/members/${viewer.id}`, { role: 'owner' });
    expect((await admin.fail(403, 'PATCH', `/members/${admin.id}`, { role: 'owner' })).code).toBe(
      'role_required',
    );
    await admin.fail(403, 'PATCH', `/members/${ownerId}`, { role: 'viewer' });
    await admin.fail(403, 'POST', `/members/${ownerId}/remove`, {});
    await admin.fail(422, 'POST', '/invitations', { kind: 'email', role: 'owner', email: 'x@example.com' });
    await admin.fail(403, 'PATCH', '/workspace', { four_eyes: true });
    await admin.fail(403, 'POST', `/members/${admin.id}/transfer-ownership`);
  });

  test('the last owner stays, also if two owners remove each other at the same time', async () => {
    const acme = await newWorkspace();
    const { id: firstId } = await userOf(acme.owner);
    const first = acme.of(acme.owner);
    expect((await first.fail(409, 'POST', '/workspace/leave', {})).code).toBe('last_owner');
    expect((await first.fail(409, 'PATCH', `/members/${firstId}`, { role: 'admin' })).code).toBe(
      'last_owner',
    );
    const second = await join(acme, 'owner');
    const answers = await Promise.all([
      first.call('POST', `/members/${second.id}/remove`, {}),
      second.call('POST', `/members/${firstId}/remove`, {}),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 403]);
    const rows = await winnow.database.db
      .selectFrom('member')
      .selectAll()
      .where('account_id', '=', acme.id)
      .execute();
    expect(rows).toMatchObject([{ role: 'owner' }]);
  });

  test('ownership is transferred to a member, and the previous owner is an admin', async () => {
    const acme = await newWorkspace();
    const heir = await join(acme, 'maintainer');
    await acme.of(acme.owner).done('POST', `/members/${heir.id}/transfer-ownership`);
    const { members } = await heir.read('GET', '/members', undefined, memberPage);
    expect(members.map(({ user_id, role }) => [user_id === heir.id, role])).toEqual([
      [false, 'admin'],
      [true, 'owner'],
    ]);
  });

  test('a removed member loses keys at once; flows go to another member or are switched off', async () => {
    const acme = await newWorkspace();
    const { id: ownerId } = await userOf(acme.owner);
    for (const flows_to of [ownerId, null]) {
      const leaving = await join(acme, 'admin');
      const { key } = await leaving.read('POST', '/auth/api-keys', { name: 'CI' }, createdApiKey);
      const draft = { name: `Flow ${flows_to}`, builtin_actions: ['flag_duplicates'], is_enabled: true };
      const { id } = await leaving.read('POST', '/flows', draft, flow);
      const asked = () => call(winnow.origin, 'GET', '/api/v1/projects', { token: key });
      expect((await asked()).status).toBe(200);
      await acme.of(acme.owner).done('POST', `/members/${leaving.id}/remove`, { flows_to });
      expect((await asked()).status).toBe(401);
      const flows = await acme.of(acme.owner).read('GET', '/flows', undefined, flowList);
      expect(flows.find((one) => one.id === id)?.is_enabled).toBe(flows_to !== null);
    }
    const viewer = await join(acme, 'viewer');
    const other = await join(acme, 'admin');
    const owner = acme.of(acme.owner);
    await owner.fail(422, 'POST', `/members/${other.id}/remove`, { flows_to: viewer.id });
    await owner.fail(422, 'POST', `/members/${other.id}/remove`, { flows_to: randomUUID() });
  });

  test('who leaves the own personal workspace to others gets a new one and stays signed in', async () => {
    const owner = await winnow.newCaller();
    const home = await owner.accountId();
    const acme = { id: home, owner, of: (caller: Caller) => inWorkspace(caller, home) };
    const heir = await join(acme, 'owner');
    await acme.of(owner).done('POST', '/workspace/leave', {});
    const renewed = await call(winnow.origin, 'POST', '/api/v1/auth/refresh', {
      body: { refresh_token: owner.tokens.refresh_token },
    });
    const { access_token } = z.object({ access_token: z.string() }).parse(renewed.body);
    const me = await call(winnow.origin, 'GET', '/api/v1/auth/users/me', { token: access_token });
    const moved = currentUser.parse(me.body);
    expect(moved.account_id).not.toBe(home);
    const shown = await heir.read('GET', '/workspace', undefined, workspaceSettings);
    expect(shown).toMatchObject({ name: owner.name, role: 'owner', personal: false, members: 1 });
  });

  test('an account is not deleted while its user is the last owner of another workspace', async () => {
    const acme = await newWorkspace();
    const deletion = { username: acme.owner.name, current_password: acme.owner.password };
    const refused = await acme.owner.fail('DELETE', '/auth/account', 409, deletion);
    expect(refused).toMatchObject({ code: 'last_owner', detail: expect.stringContaining('Acme') });
    const wrong = { name: 'Other', current_password: acme.owner.password };
    await acme.of(acme.owner).fail(422, 'DELETE', '/workspace', wrong);
    await acme
      .of(acme.owner)
      .fail(400, 'DELETE', '/workspace', { name: 'Acme', current_password: 'wrong one' });
    const member = await join(acme, 'viewer');
    await acme.of(acme.owner).done('DELETE', '/workspace', { ...wrong, name: 'Acme' });
    await member.fail(403, 'GET', '/trackers');
    await acme.owner.do('DELETE', '/auth/account', deletion);
  });
});

describe('rights that end', () => {
  test('a member who leaves the own workspace can still sign in with the authenticator app', async () => {
    const owner = await winnow.newCaller();
    const home = await owner.accountId();
    const setup = await owner.send(
      'POST',
      '/auth/second-factors/authenticator',
      { current_password: owner.password },
      authenticatorSetup,
    );
    const codeAt = (steps: number) =>
      generate({ secret: setup.secret, epoch: Date.now() / 1000 + steps * 30 });
    await owner.call('POST', '/auth/second-factors/authenticator/confirm', { code: await codeAt(-1) });
    const acme = { id: home, owner, of: (caller: Caller) => inWorkspace(caller, home) };
    await join(acme, 'owner');
    await acme.of(owner).done('POST', '/workspace/leave', {});
    const login = { username: owner.name, password: owner.password, code: await codeAt(0) };
    const answer = await call(winnow.origin, 'POST', '/api/v1/auth/token/json', { body: login });
    expect([answer.status, answer.text]).toEqual([200, expect.stringContaining('access_token')]);
  });

  test('a flow acts for the member who saved it last, and a demoted one cannot give it away', async () => {
    const acme = await newWorkspace();
    const { id: ownerId } = await userOf(acme.owner);
    const admin = await join(acme, 'admin');
    const draft = { name: 'Flag', builtin_actions: ['flag_duplicates'], is_enabled: true };
    const { id } = await acme.of(acme.owner).read('POST', '/flows', draft, flow);
    const ownerOf = async () => {
      const { db } = winnow.database;
      const row = await db.selectFrom('flow').select('owner_id').where('id', '=', id).executeTakeFirst();
      return row?.owner_id;
    };
    expect(await ownerOf()).toBe(ownerId);
    await admin.read('PUT', `/flows/${id}`, { name: 'Flag more' }, flow);
    expect(await ownerOf()).toBe(admin.id);
    await acme.of(acme.owner).done('PATCH', `/members/${admin.id}`, { role: 'viewer' });
    await admin.done('POST', '/workspace/leave', { flows_to: ownerId });
    const flows = await acme.of(acme.owner).read('GET', '/flows', undefined, flowList);
    expect(flows.map(({ is_enabled }) => is_enabled)).toEqual([false]);
  });

  test('an export by another owner has nothing personal of the user whose own workspace it is', async () => {
    const owner = await winnow.newCaller();
    const home = await owner.accountId();
    const acme = { id: home, owner, of: (caller: Caller) => inWorkspace(caller, home) };
    const other = await join(acme, 'owner');
    const filesFor = async (caller: Caller) => {
      const response = await fetch(`${winnow.origin}/api/v1/auth/account/export`, {
        headers: { authorization: `Bearer ${caller.tokens.access_token}`, 'winnow-workspace': home },
      });
      const tar = gunzipSync(Buffer.from(await response.arrayBuffer())).toString('latin1');
      return ['sessions.ndjson', 'devices.ndjson', 'users.ndjson', 'members.ndjson'].filter((name) =>
        tar.includes(name),
      );
    };
    expect(await filesFor(other.caller)).toEqual(['members.ndjson']);
    expect(await filesFor(owner)).toHaveLength(4);
  });
});

describe('an invitation', () => {
  const invite = async (request: InvitationCreate) => {
    const acme = await newWorkspace();
    const { id, link } = await acme.of(acme.owner).read('POST', '/invitations', request, createdInvitation);
    return { acme, id, link, token: link === null ? '' : tokenOf(link) };
  };
  const accept = (caller: Caller, token: string) => caller.call('POST', '/invitations/accept', { token });

  test('by email is mailed, seen before signing in, and works once, for its address only', async () => {
    const guest = await winnow.newCaller();
    const { email } = await userOf(guest);
    const { token } = await invite({ kind: 'email', role: 'triager', email: email.toUpperCase() });
    const seen = await call(winnow.origin, 'POST', '/api/v1/invitations/look-up', { body: { token } });
    expect(shownInvitation.parse(seen.body)).toMatchObject({ workspace: 'Acme', role: 'triager' });
    const stranger = await winnow.newCaller();
    expect(failureOf(await accept(stranger, token), 403).code).toBe('invitation_for_another');
    expect((await accept(guest, token)).status).toBe(200);
    for (const caller of [guest, stranger]) {
      expect(failureOf(await accept(caller, token), 400).code).toBe('invalid_invitation');
    }
  });

  test('by link stops at its limit, also for people who accept at the same time', async () => {
    const { token } = await invite({ kind: 'link', role: 'viewer', max_uses: 2 });
    const guests = await Promise.all(Array.from({ length: 5 }, () => winnow.newCaller()));
    const answers = await Promise.all(guests.map((guest) => accept(guest, token)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 400, 400, 400]);
  });

  test('is not used up by a member, and does not let a removed member in again', async () => {
    const { acme, token } = await invite({ kind: 'link', role: 'viewer', max_uses: 5 });
    expect(failureOf(await accept(acme.owner, token), 409).code).toBe('already_a_member');
    const guest = await winnow.newCaller();
    await accept(guest, token);
    const { id, email } = await userOf(guest);
    await acme.of(acme.owner).done('POST', `/members/${id}/remove`, {});
    expect(failureOf(await accept(guest, token), 403).code).toBe('was_removed');
    const again = { kind: 'email', role: 'viewer', email };
    const { link } = await acme.of(acme.owner).read('POST', '/invitations', again, createdInvitation);
    expect((await accept(guest, tokenOf(link))).status).toBe(200);
  });

  test('ends when it is withdrawn, expires, or its author loses the role', async () => {
    const guest = await winnow.newCaller();
    const withdrawn = await invite({ kind: 'link', role: 'viewer' });
    await withdrawn.acme.of(withdrawn.acme.owner).done('DELETE', `/invitations/${withdrawn.id}`);
    const expired = await invite({ kind: 'link', role: 'viewer' });
    await winnow.database.db
      .updateTable('invitation')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('id', '=', expired.id)
      .execute();
    const { acme } = await invite({ kind: 'link', role: 'viewer' });
    const admin = await join(acme, 'admin');
    const { link } = await admin.read(
      'POST',
      '/invitations',
      { kind: 'link', role: 'admin' },
      createdInvitation,
    );
    await acme.of(acme.owner).done('PATCH', `/members/${admin.id}`, { role: 'maintainer' });
    for (const token of [withdrawn.token, expired.token, tokenOf(link), 'unknown']) {
      expect(failureOf(await accept(guest, token), 400).code).toBe('invalid_invitation');
    }
    expect(await guest.get('/workspaces', workspaceList)).toHaveLength(1);
  });

  test('of another workspace cannot be withdrawn', async () => {
    const [one, other] = [await invite({ kind: 'link', role: 'viewer' }), await newWorkspace()];
    await other.of(other.owner).fail(404, 'DELETE', `/invitations/${one.id}`);
  });

  test('for a domain needs the confirmed address of its author, and admits confirmed addresses only', async () => {
    const owner = await winnow.newConfirmedCaller();
    const { email } = await userOf(owner);
    const { id } = await owner.send('POST', '/workspaces', { name: 'Example' }, workspace);
    const acme = inWorkspace(owner, id);
    const domain = email.slice(email.indexOf('@') + 1);
    await acme.fail(422, 'POST', '/invitations', { kind: 'domain', role: 'viewer', domain: 'gmail.com' });
    await acme.fail(422, 'POST', '/invitations', { kind: 'domain', role: 'viewer', domain: 'example.org' });
    await acme.read('POST', '/invitations', { kind: 'domain', role: 'viewer', domain }, createdInvitation);
    const [confirmed, unconfirmed] = [await winnow.newConfirmedCaller(), await winnow.newCaller()];
    await unconfirmed.fail('POST', `/workspaces/${id}/join`, 404);
    const joinable = await confirmed.call('GET', '/workspaces/joinable');
    expect(joinable.text).toContain(id);
    await confirmed.do('POST', `/workspaces/${id}/join`);
    await confirmed.fail('POST', `/workspaces/${id}/join`, 404);
    const { id: userId } = await userOf(confirmed);
    await acme.done('POST', `/members/${userId}/remove`, {});
    await confirmed.fail('POST', `/workspaces/${id}/join`, 404);
  });
});

test('a workspace that requires a second factor refuses members without one, but not their own settings', async () => {
  const acme = await newWorkspace();
  const member = await join(acme, 'maintainer');
  await acme.of(acme.owner).read('PATCH', '/workspace', { require_second_factor: true }, workspaceSettings);
  expect((await member.fail(403, 'GET', '/trackers')).code).toBe('second_factor_missing');
  expect((await member.call('GET', '/auth/second-factors')).status).toBe(200);
  expect((await acme.of(acme.owner).call('GET', '/trackers')).status).toBe(403);
});

test('the audit log has the sign-ins of members, changes of settings, and no secrets', async () => {
  const acme = await newWorkspace();
  const owner = acme.of(acme.owner);
  await owner.read('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  const { id, key } = await owner.read('POST', '/auth/api-keys', { name: 'Laptop' }, createdApiKey);
  await owner.done('DELETE', `/auth/api-keys/${id}`);
  await call(winnow.origin, 'POST', '/api/v1/auth/token/json', {
    body: { username: acme.owner.name, password: 'not the password' },
  });
  const { events } = await owner.read('GET', '/audit-events', undefined, auditPage);
  expect(events.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['sign_in_failed', null],
    ['api_key_revoked', 'Laptop'],
    ['api_key_created', 'Laptop'],
    ['tracker_changed', 'Sample'],
    ['workspace_created', 'Acme'],
  ]);
  const exported = await owner.call('GET', '/audit-events/export?kind=api_key_created');
  expect(
    exported.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).kind),
  ).toEqual(['api_key_created']);
  expect(exported.text).not.toContain(key);
});

describe('the rule of the second person', () => {
  test('proposes closes and bulk changes, which another member approves; other writes apply', async () => {
    const acme = await newWorkspace();
    const owner = acme.of(acme.owner);
    const second = await join(acme, 'maintainer');
    await connectSample(acme.owner, acme.id);
    await owner.read('PATCH', '/workspace', { four_eyes: true }, workspaceSettings);
    const { duplicates } = await owner.read('GET', '/issue-duplicates', undefined, pairList);
    const [pair] = duplicates;
    if (pair === undefined) throw new Error('The sample has no pair.');
    const ids = { issue1_id: pair.issue1.id, issue2_id: pair.issue2.id };

    const here = { ...ids, resolution: 'unrelated' };
    const applied = await owner.read('PATCH', '/issue-duplicates/execute-resolution', here, resolutionResult);
    await owner.read('POST', `/changes/${applied.change_id}/undo`, undefined, change);
    const close = { ...ids, resolution: 'close_b' };
    const asked = await owner.read('PATCH', '/issue-duplicates/execute-resolution', close, resolutionResult);
    expect(asked.status).toBe('proposed');
    const path = `/changes/${asked.change_id}/apply`;
    expect((await owner.fail(403, 'POST', path)).code).toBe('second_person_required');
    const { key } = await owner.read('POST', '/auth/api-keys', { name: 'Own key' }, createdApiKey);
    const byOwnKey = await call(winnow.origin, 'POST', `/api/v1${path}`, { token: key });
    expect(failureOf(byOwnKey, 403).code).toBe('second_person_required');
    expect(await second.read('POST', path, undefined, change)).toMatchObject({ status: 'applied' });
    const { events } = await owner.read('GET', '/audit-events?kind=change_decided', undefined, auditPage);
    expect(events.map(({ details }) => details.decision)).toEqual(['approved', 'undone']);
  });
});
