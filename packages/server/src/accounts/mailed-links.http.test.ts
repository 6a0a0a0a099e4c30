import { readFile } from 'node:fs/promises';
import {
  currentUser,
  doneMessage,
  EMAIL_UNCONFIRMED,
  type EndedAccess,
  passwordResetDone,
  registeredUser,
  tokenPair,
} from '@winnow/contract/account';
import { accountEventPage, sessionList } from '@winnow/contract/account-activity';
import { aiModel } from '@winnow/contract/ai-model';
import { createdApiKey } from '@winnow/contract/api-key';
import { flow } from '@winnow/contract/flow';
import { mcpServer } from '@winnow/contract/mcp-server';
import { connectionTestResult, tracker } from '@winnow/contract/tracker';
import { startModels } from '@winnow/emulators/models/emulator';
import { sql } from 'kysely';
import PostalMime from 'postal-mime';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newFlow, newModel, runFlow, runToEnd, whenExecution } from '../flows/testing/flow-setup.ts';
import { type MailServer, type ReceivedMail, startMailServer } from '../platform/testing/mail-server.ts';
import { closeAll, newBacklog } from '../testing/backlog.ts';
import { type Answer, type Caller, call, failureOf, signInCaller } from '../testing/caller.ts';
import { eventually } from '../testing/eventually.ts';
import { differentIssues, startGitHub } from '../testing/github.ts';
import { listenLive } from '../testing/live-listener.ts';
import { type RunningWinnow, startWinnow } from '../testing/running-winnow.ts';

const KEY = { name: 'Key', scopes: ['read', 'write'], expires_at: null };
const MODEL = {
  name: 'Theirs',
  provider_name: 'custom',
  model_identifier: 'theirs',
  api_url: 'https://models.example.org/v1',
  is_default: true,
};
const OFFERED = { name: 'House', provider: 'openai', model: 'gpt-4o', api_key: 'sk-of-the-operator' };
const OTHER = 'another long secret';
let mailServer: MailServer;
let winnow: RunningWinnow;
const secrets: string[] = [];

beforeAll(async () => {
  mailServer = await startMailServer();
  winnow = await startWinnow({
    env: {
      SMTP_URL: `smtp://${mailServer.host}`,
      MAIL_FROM: 'Winnow <winnow@example.org>',
      AI_MODELS: JSON.stringify([OFFERED]),
    },
  });
});
afterAll(async () => {
  await winnow.close();
  await mailServer.close();
});

function post(path: string, body: unknown, token: string | null = null): Promise<Answer> {
  return call(winnow.origin, 'POST', `/api/v1/auth${path}`, { token, body });
}

function addressOf({ name }: Caller): string {
  return `${name}@example.com`;
}

function mailsTo(address: string, subject: string): ReceivedMail[] {
  return mailServer.received.filter((mail) => mail.to[0] === address && mail.parsed.subject === subject);
}

/** Waits for an email with this subject to the address, and returns the last one. */
function mailTo(address: string, subject: string): Promise<ReceivedMail> {
  return eventually(() => mailsTo(address, subject).at(-1), {
    what: `the mail "${subject}" to ${address}`,
  });
}

/** Returns the token of the link, which both forms of an email contain. */
function tokenIn({ parsed }: ReceivedMail, path: string): string {
  const link = new URL(/^http:\S+$/m.exec(parsed.text ?? '')?.[0] ?? '');
  expect(`${link.origin}${link.pathname}`).toBe(`${winnow.origin}${path}`);
  expect(parsed.html).toContain(`<a href="${link.href.replaceAll('&', '&amp;')}">`);
  const token = link.searchParams.get('token') ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  secrets.push(token);
  return token;
}

async function verificationOf(caller: Caller): Promise<string> {
  return tokenIn(await mailTo(addressOf(caller), 'Confirm your email address'), '/verify-email');
}

async function resetOf(caller: Caller): Promise<string> {
  await post('/forgot-password', { email: addressOf(caller) });
  return tokenIn(await mailTo(addressOf(caller), 'Reset your password'), '/reset-password');
}

/** Requests another reset and returns the token of the new email. */
async function resetAgainOf(caller: Caller): Promise<string> {
  const [address, subject] = [addressOf(caller), 'Reset your password'];
  const before = mailsTo(address, subject).length;
  await post('/forgot-password', { email: address });
  await eventually(() => mailsTo(address, subject).length > before);
  return tokenIn(await mailTo(address, subject), '/reset-password');
}

function messageOf(answer: Answer): string {
  expect(answer.status).toBe(200);
  return doneMessage.parse(answer.body).message;
}

async function resetTo(new_password: string, token: string): Promise<EndedAccess> {
  const answer = await post('/reset-password', { token, new_password });
  expect(messageOf(answer)).toBe('Your password has been reset successfully. You can now log in.');
  return passwordResetDone.strict().parse(answer.body).ended;
}

/** Creates a caller whose address was confirmed on a device that the account does not know. */
async function confirmedElsewhere(): Promise<Caller> {
  const caller = await winnow.newCaller();
  messageOf(await post('/verify-email', { token: await verificationOf(caller) }));
  return caller;
}

/** Creates a caller who has chosen the password through a mailed link. */
async function claimed(): Promise<Caller> {
  const caller = await winnow.newCaller();
  await resetTo(OTHER, await resetOf(caller));
  return signInCaller(winnow.origin, caller.name, OTHER);
}

test("the link of the first email verifies its user's address, once, and no other", async () => {
  const [mine, theirs] = [await winnow.newCaller(), await winnow.newCaller()];
  const token = await verificationOf(theirs);
  const answer = await post('/verify-email', { token }, mine.tokens.access_token);
  expect(messageOf(answer)).toBe('Your email has been successfully verified. You can now log in.');
  expect((await theirs.get('/auth/users/me', currentUser)).email_verified).toBe(true);
  expect((await mine.get('/auth/users/me', currentUser)).email_verified).toBe(false);
  for (const wrong of [token, 'garbled', 'x'.repeat(200), await resetOf(mine)]) {
    const failure = failureOf(await post('/verify-email', { token: wrong }), 400);
    expect(failure.detail).toBe('Invalid or expired verification token.');
  }
});

test('a resent link verifies too; for a verified address no email is sent', async () => {
  const caller = await winnow.newCaller();
  await verificationOf(caller);
  const resend = () => caller.send('POST', '/auth/resend-verification', undefined, doneMessage.strict());
  expect((await resend()).message).toBe('An email with a new link is on its way.');
  const mailed = () => mailServer.received.filter(({ to }) => to[0] === addressOf(caller));
  await eventually(() => mailed().length === 2);
  messageOf(await post('/verify-email', { token: await verificationOf(caller) }));
  expect((await resend()).message).toBe('Your email address is already verified.');
  expect(mailed()).toHaveLength(2);
  failureOf(await post('/resend-verification', undefined), 401);
});

test('requesting a reset responds alike whether or not the address has an account', async () => {
  const caller = await winnow.newCaller();
  const known = await post('/forgot-password', { email: addressOf(caller).toUpperCase() });
  const unknown = await post('/forgot-password', { email: 'nobody-at-all@example.com' });
  expect(messageOf(known)).toBe('If an account with that email exists, a password reset link has been sent.');
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text]);
  await mailTo(addressOf(caller), 'Reset your password');
  expect(mailServer.received.map(({ to }) => to[0])).not.toContain('nobody-at-all@example.com');
});

test('a reset link sets the password and ends all access with the previous one', async () => {
  const caller = await winnow.newCaller();
  const [first, second] = [
    await listenLive(winnow.origin, caller.tokens.access_token),
    await listenLive(
      winnow.origin,
      (await signInCaller(winnow.origin, caller.name, caller.password)).tokens.access_token,
    ),
  ];
  const token = await resetOf(caller);
  const startedMs = performance.now();
  const answer = await post('/reset-password', { token, new_password: OTHER });
  expect(messageOf(answer)).toBe('Your password has been reset successfully. You can now log in.');
  expect(await Promise.all([first.closed, second.closed])).toEqual([4401, 4401]);
  // Much less than the half minute after which a session is checked again.
  expect(performance.now() - startedMs).toBeLessThan(20_000);
  await caller.fail('GET', '/auth/users/me', 401);
  failureOf(await post('/refresh', { refresh_token: caller.tokens.refresh_token }), 401);
  failureOf(await post('/token/json', { username: caller.name, password: caller.password }), 401);
  await signInCaller(winnow.origin, caller.name, OTHER);
});

test('the first mailed link takes over an account that someone else created with the address', async () => {
  const attacker = await confirmedElsewhere();
  const { key } = await attacker.send('POST', '/auth/api-keys', KEY, createdApiKey);
  const made = await newFlow(attacker, null, { builtin_actions: ['flag_duplicates'], is_enabled: true });
  const model = await attacker.send('POST', '/ai-models', MODEL, aiModel);
  expect([made.is_enabled, model.is_default]).toEqual([true, true]);
  const reads = () => call(winnow.origin, 'GET', '/api/v1/search', { token: key });
  expect((await reads()).status).toBe(200);
  expect(await resetTo(OTHER, await resetOf(attacker))).toEqual({
    sessions: 1,
    api_keys: [KEY.name],
    flows: [made.name],
    default_model: true,
  });
  expect((await reads()).status).toBe(401);
  const owner = await signInCaller(winnow.origin, attacker.name, OTHER);
  expect((await owner.get('/auth/users/me', currentUser)).email_verified).toBe(true);
  expect((await owner.get(`/flows/${made.id}`, flow)).is_enabled).toBe(false);
  const models = await owner.get('/ai-models', aiModel.array());
  expect(models.map(({ name, is_default }) => [name, is_default])).toEqual([
    [OFFERED.name, false],
    [MODEL.name, false],
  ]);
});

test('a later reset keeps a default model that the operator offers', async () => {
  const owner = await claimed();
  const [offered] = await owner.get('/ai-models', aiModel.array());
  await owner.send('PUT', `/ai-models/${offered?.id}`, { is_default: true }, aiModel);
  expect(await resetTo('a third long secret', await resetAgainOf(owner))).toMatchObject({
    default_model: false,
  });
  const again = await signInCaller(winnow.origin, owner.name, 'a third long secret');
  expect(await again.get('/ai-models', aiModel.array())).toMatchObject([{ is_default: true }]);
});

test('a later reset ends sessions, keys, flows that write or use custom models or servers, and a custom default model, reports it on the page and by email, and keeps the rest', async () => {
  const owner = await claimed();
  const model = await owner.send('POST', '/ai-models', MODEL, aiModel);
  const { key } = await owner.send('POST', '/auth/api-keys', KEY, createdApiKey);
  const created = await mailTo(addressOf(owner), 'New API key for your Winnow account');
  expect(created.parsed.text).toContain('The API key “Key” was created');
  expect(created.parsed.text).not.toContain(key);
  const shared = { builtin_actions: ['report_backlog'], is_enabled: true };
  const writing = await newFlow(owner, null, { ...shared, name: 'Writes', write_mode: 'apply' });
  await owner.send(
    'POST',
    '/mcp-servers',
    { name: 'Notes', url: 'https://notes.example.org/mcp' },
    mcpServer,
  );
  const offered = (await owner.get('/ai-models', aiModel.array())).find(({ name }) => name === OFFERED.name);
  const stopped = [
    writing,
    await newFlow(owner, model.id, { is_enabled: true, name: 'Asks their model' }),
    await newFlow(owner, offered?.id ?? '', {
      ...{ is_enabled: true, name: 'Asks their server', allowed_mcp_servers: ['winnow', 'Notes'] },
    }),
  ];
  const kept = [
    await newFlow(owner, null, { ...shared, name: 'Proposes' }),
    await newFlow(owner, offered?.id ?? '', { is_enabled: true, name: 'Proposes with a model' }),
  ];
  const reads = () => call(winnow.origin, 'GET', '/api/v1/search', { token: key });
  expect((await reads()).status).toBe(200);
  expect(await resetTo('a third long secret', await resetAgainOf(owner))).toEqual({
    sessions: 1,
    api_keys: ['Key'],
    flows: ['Asks their model', 'Asks their server', 'Writes'],
    default_model: true,
  });
  expect((await reads()).status).toBe(401);
  const again = await signInCaller(winnow.origin, owner.name, 'a third long secret');
  const areOn = (flows: readonly { id: string }[]) =>
    Promise.all(flows.map(async ({ id }) => (await again.get(`/flows/${id}`, flow)).is_enabled));
  expect([await areOn(stopped), await areOn(kept)]).toEqual([
    [false, false, false],
    [true, true],
  ]);
  expect((await again.get('/ai-models', aiModel.array())).find(({ id }) => id === model.id)).toMatchObject({
    is_default: false,
    api_url: MODEL.api_url,
  });
  const told = await eventually(() =>
    mailServer.received.find(
      ({ to, parsed }) =>
        to[0] === addressOf(owner) &&
        parsed.text?.includes('switched off: 3 (Asks their model, Asks their server, Writes)'),
    ),
  );
  expect(told.parsed.subject).toBe('Your Winnow password was reset');
  expect(told.parsed.text).toMatch(/Sessions signed out: 1\nAPI keys revoked: 1 \(Key\)/);
  expect(told.parsed.text).toContain('Create new keys under Settings, API Keys.');
  expect(told.parsed.text).toContain('Check your flows with their models and MCP servers');
  expect(told.parsed.text).toContain('The default model was reset to the built-in analyst.');
  expect(told.parsed.text).toContain('remove those that you did not add');
});

test('a password change ends keys and flows that write on request, and is mailed', async () => {
  const owner = await claimed();
  const { key } = await owner.send('POST', '/auth/api-keys', KEY, createdApiKey);
  const writing = await newFlow(owner, null, {
    ...{ builtin_actions: ['report_backlog'], is_enabled: true, write_mode: 'apply' },
  });
  const reads = async () => (await call(winnow.origin, 'GET', '/api/v1/search', { token: key })).status;
  const change = (current_password: string, new_password: string, choices = {}) =>
    owner.do('PUT', '/auth/users/me/password', { current_password, new_password, ...choices });
  const isOn = async () => (await owner.get(`/flows/${writing.id}`, flow)).is_enabled;
  await change(OTHER, 'a third long secret');
  await mailTo(addressOf(owner), 'Your Winnow password was changed');
  expect([await reads(), await isOn()]).toEqual([200, true]);
  await change('a third long secret', OTHER, { revoke_api_keys: true, switch_off_flows: true });
  expect([await reads(), await isOn()]).toEqual([401, false]);
  const kinds = (await owner.get('/auth/activity', accountEventPage)).events.map(({ kind }) => kind);
  expect(kinds.slice(0, 4)).toEqual(['password_changed', 'password_changed', 'api_key_created', 'signed_in']);
});

test('until the address is confirmed there are no keys, trackers except the sample, or flows that write', async () => {
  const caller = await winnow.newCaller();
  const refusals = [
    caller.fail('POST', '/auth/api-keys', 403, KEY),
    caller.fail('POST', '/trackers', 403, {
      ...{ name: 'Mine', type: 'github', tracker_type: 'github', url: 'https://github.com', api_key: 'x' },
      scope_rules: [{ rule_type: 'INCLUDE', scope_type: 'ORGANIZATION', identifier: 'acme' }],
    }),
    caller.fail('POST', '/flows', 403, {
      name: 'Writes',
      builtin_actions: ['report_backlog'],
      write_mode: 'apply',
    }),
  ];
  for (const { code, detail } of await Promise.all(refusals)) {
    expect([code, detail]).toEqual(['email_unconfirmed', EMAIL_UNCONFIRMED]);
  }
  await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
  const proposing = await newFlow(caller, null, { builtin_actions: ['report_backlog'] });
  await caller.fail('PUT', `/flows/${proposing.id}`, 403, { write_mode: 'apply' });
  expect(await caller.get('/auth/users/me', currentUser)).toMatchObject({ must_confirm_email: true });
  messageOf(await post('/verify-email', { token: await verificationOf(caller) }));
  expect(await caller.get('/auth/users/me', currentUser)).toMatchObject({ must_confirm_email: false });
  await caller.send('POST', '/auth/api-keys', KEY, createdApiKey);
});

test('until the address is confirmed, no tracker is called', async () => {
  const github = await startGitHub([]);
  try {
    const caller = await winnow.newCaller();
    const connection = { tracker_type: 'github', url: github.url, api_key: 'x' };
    const paths = ['/trackers/test-and-list-orgs', '/trackers/list-projects-for-org'];
    const trial = { ...connection, organization_identifier: 'acme' };
    const refusals = paths.map((path) => caller.fail('POST', path, 403, trial));
    for (const { code } of await Promise.all(refusals)) expect(code).toBe('email_unconfirmed');
    // A tracker connected before emails were sent stays, but its address cannot be changed.
    const { id } = await caller.send('POST', '/trackers', { name: 'Sample', type: 'sample' }, tracker);
    const old = { tracker_type: 'github', url: 'https://github.com', sealed_key: null } as const;
    await winnow.database.db.updateTable('tracker').set(old).where('id', '=', id).execute();
    const moved = { name: 'Moved', url: github.url, api_key: 'x' };
    expect((await caller.fail('PUT', `/trackers/${id}`, 403, moved)).code).toBe('email_unconfirmed');
    expect(github.requests.all()).toEqual([]);
    messageOf(await post('/verify-email', { token: await verificationOf(caller) }));
    const tested = await caller.send('POST', paths[0] ?? '', connection, connectionTestResult);
    expect([tested.success, github.requests.all().length > 0]).toEqual([false, true]);
  } finally {
    await github.close();
  }
});

test('registering with a taken address responds like any other, and its owner is mailed', async () => {
  const owner = await winnow.newCaller();
  const register = (username: string, email: string) =>
    post('/register', { username, email, password: 'correct horse battery' });
  const answers = [
    await register('not-the-owner', addressOf(owner)),
    await register('somebody-new', 'somebody-new@example.com'),
  ];
  const shapes = answers.map(({ status, body }) => {
    const { id, ...rest } = registeredUser.strict().parse(body);
    expect(id).toMatch(/^[0-9a-f-]{36}$/);
    return { status, ...rest };
  });
  const alike = { status: 201, full_name: null, email_verified: false };
  expect(shapes).toEqual([
    { ...alike, username: 'not-the-owner', email: addressOf(owner) },
    { ...alike, username: 'somebody-new', email: 'somebody-new@example.com' },
  ]);
  await mailTo(addressOf(owner), 'You already have a Winnow account');
  await signInCaller(winnow.origin, 'not-the-owner', 'correct horse battery');
  const weak = { username: 'weak', email: 'weak@example.com', password: '12345678' };
  expect(failureOf(await post('/register', weak), 422).fields).toMatchObject([{ path: 'password' }]);
});

test('sessions are listed and ended over HTTP, and a device cookie is set for a year', async () => {
  const caller = await winnow.newCaller();
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  const body = { username: caller.name, password: caller.password };
  const second = await call(winnow.origin, 'POST', '/api/v1/auth/token/json', { body, headers });
  expect(second.headers.get('set-cookie')).toMatch(
    /^winnow_device=[\w-]{43}; Max-Age=34560000; Path=\/api\/v1\/auth; HttpOnly; SameSite=Strict$/,
  );
  const sessions = await caller.get('/auth/sessions', sessionList);
  expect(sessions.map(({ current, device }) => [current, device]).sort()).toEqual([
    [false, 'Firefox on Linux'],
    [true, 'node'],
  ]);
  const other = sessions.find(({ current }) => !current);
  await caller.do('DELETE', `/auth/sessions/${other?.id}`);
  await caller.fail('DELETE', `/auth/sessions/${other?.id}`, 404);
  const token = tokenPair.parse(second.body).access_token;
  failureOf(await call(winnow.origin, 'GET', '/api/v1/auth/users/me', { token }), 401);
  await signInCaller(winnow.origin, caller.name, caller.password);
  await caller.do('DELETE', '/auth/sessions');
  expect(await caller.get('/auth/sessions', sessionList)).toHaveLength(1);
  const logged = winnow.logLines.filter(({ event }) => event === 'new_device' || event === 'signed_in');
  expect(logged.at(-1)).toMatchObject({ accountId: await caller.accountId(), address: '127.0.0.1' });
});

test.each([
  { of: 'an account that is taken over', newAccount: confirmedElsewhere, write_mode: 'apply' },
  { of: 'a flow with a custom model after a later reset', newAccount: claimed, write_mode: 'propose' },
])('work in progress of $of ends, and later model output is not used', async ({ newAccount, write_mode }) => {
  const models = await startModels();
  const { github, caller } = await newBacklog(winnow, differentIssues(2), {}, newAccount);
  try {
    const answering = Promise.withResolvers<void>();
    models.answerAll(async () => {
      await answering.promise;
      const input = { issue: 'acme/app#1', comment: 'From a stranger' };
      return { calls: [{ name: 'winnow__comment_on_issue', arguments: input }] };
    });
    const { id: modelId } = await newModel(caller, models);
    const { id: flowId } = await newFlow(caller, modelId, { write_mode });
    const { id } = await runFlow(caller, flowId);
    await eventually(() => models.requests.length > 0);
    await resetTo('a third long secret', await resetAgainOf(caller));
    const owner = await signInCaller(winnow.origin, caller.name, 'a third long secret');
    expect(await whenExecution(owner, id)).toMatchObject({ status: 'STOPPED', change_ids: [] });
    models.answerAll(() => ({ text: 'Done.' }));
    answering.resolve();
    // When another execution has ended, the response has certainly arrived.
    await runToEnd(owner, flowId);
    expect(github.issue('acme', 'app', 1).comments).toEqual([]);
  } finally {
    await closeAll(models, github);
  }
});

test('a password that names its owner is refused at every door, and the link stays valid', async () => {
  const caller = await winnow.newCaller();
  const weak = `${caller.name}1!`;
  const token = await resetOf(caller);
  const refusedAt = (path: string, answer: Answer) =>
    expect(failureOf(answer, 422).fields).toEqual([
      { path, message: expect.stringContaining('This password is easy to guess.') },
    ]);
  refusedAt('new_password', await post('/reset-password', { token, new_password: weak }));
  refusedAt(
    'new_password',
    await caller.call('PUT', '/auth/users/me/password', {
      current_password: caller.password,
      new_password: weak,
    }),
  );
  refusedAt(
    'password',
    await post('/register', { username: caller.name, email: addressOf(caller), password: weak }),
  );
  await resetTo(OTHER, token);
});

test('a used, expired or unrelated token resets nothing', async () => {
  const [used, old] = [await winnow.newCaller(), await winnow.newCaller()];
  const usedToken = await resetOf(used);
  messageOf(await post('/reset-password', { token: usedToken, new_password: OTHER }));
  const oldToken = await resetOf(old);
  await sql`update one_time_token set expires_at = now()`.execute(winnow.database.db);
  const verification = await verificationOf(old);
  for (const token of [usedToken, oldToken, verification, 'garbled', '"', 'é'.repeat(100)]) {
    const failure = failureOf(await post('/reset-password', { token, new_password: 'never taken' }), 400);
    expect([failure.code, failure.detail]).toEqual([
      'invalid_reset_token',
      'Invalid or expired reset token.',
    ]);
  }
  await signInCaller(winnow.origin, used.name, OTHER);
  await signInCaller(winnow.origin, old.name, old.password);
});

test.each([
  ['/forgot-password', {}, 'email', 'This is not an email address.'],
  ['/forgot-password', { email: ' ' }, 'email', 'Enter your email address.'],
  ['/forgot-password', { email: 'nobody' }, 'email', 'This is not an email address.'],
  ['/reset-password', { new_password: OTHER }, 'token', 'No reset token found in the URL.'],
  ['/reset-password', { token: '', new_password: OTHER }, 'token', 'No reset token found in the URL.'],
  [
    '/reset-password',
    { token: 'x'.repeat(201), new_password: OTHER },
    'token',
    'Invalid or expired reset token.',
  ],
  [
    '/reset-password',
    { token: 'x', new_password: 'seven77' },
    'new_password',
    'Password must be at least 8 characters long.',
  ],
  ['/reset-password', { token: 'x' }, 'new_password', 'This field is required.'],
  ['/verify-email', {}, 'token', 'No verification token found in the URL.'],
  ['/verify-email', { token: 'x'.repeat(201) }, 'token', 'Invalid or expired verification token.'],
])('%s with %j is refused at its field', async (path, body, field, message) => {
  expect(failureOf(await post(path, body), 422).fields).toEqual([{ path: field, message }]);
});

test('a signed-in user changes the password; other sessions end, this one stays', async () => {
  const here = await winnow.newCaller();
  const there = await signInCaller(winnow.origin, here.name, here.password);
  const listener = await listenLive(winnow.origin, there.tokens.access_token);
  const change = { current_password: here.password, new_password: OTHER };
  const wrong = await here.fail('PUT', '/auth/users/me/password', 400, { ...change, current_password: 'no' });
  expect(wrong.detail).toBe('Current password is incorrect.');
  const short = await here.fail('PUT', '/auth/users/me/password', 422, {
    ...change,
    new_password: 'seven77',
  });
  expect(short.fields).toEqual([
    { path: 'new_password', message: 'Password must be at least 8 characters long.' },
  ]);
  await there.get('/auth/users/me', currentUser);
  await here.do('PUT', '/auth/users/me/password', change);
  expect(await listener.closed).toBe(4401);
  await there.fail('GET', '/auth/users/me', 401);
  await here.get('/auth/users/me', currentUser);
  const refreshed = await post('/refresh', { refresh_token: here.tokens.refresh_token });
  tokenPair.parse(refreshed.body);
  await signInCaller(winnow.origin, here.name, OTHER);
});

test('requests do not wait for an unavailable mail server, and the email arrives once it is back', async () => {
  await mailServer.away();
  const caller = await winnow.newCaller();
  const { db } = winnow.database;
  const waiting = () =>
    sql<{ last_error: string | null }>`
    select last_error from graphile_worker._private_jobs where last_error like 'The email could not be sent%'
  `.execute(db);
  await eventually(async () => (await waiting()).rows.length > 0);
  await mailServer.back();
  // Skips the pause before the next attempt.
  await sql`update graphile_worker._private_jobs set run_at = now() where locked_at is null`.execute(db);
  messageOf(await post('/verify-email', { token: await verificationOf(caller) }));
});

test('without a mail server the email is a file in the outbox, and the log names it', async () => {
  const alone = await startWinnow();
  try {
    const { name } = await alone.newCaller();
    const line = await eventually(() => alone.logLines.find(({ kind }) => kind === 'verify_email'));
    const mail = await PostalMime.parse(await readFile(String(line.path)));
    expect(mail.to).toMatchObject([{ address: `${name}@example.com` }]);
    expect(mail.text).toContain(`${alone.origin}/verify-email?token=`);
  } finally {
    await alone.close();
  }
});

test('no link token and no password was logged', () => {
  const log = JSON.stringify(winnow.logLines);
  expect(secrets.length).toBeGreaterThan(5);
  for (const secret of [...secrets, OTHER]) expect(log).not.toContain(secret);
});

// This test is the last, because it uses up the limit of this machine's address.
test('an address can register at most 30 times a minute, because each one sends an email', async () => {
  const statuses: number[] = [];
  for (let attempt = 0; attempt < 31; attempt += 1) statuses.push((await post('/register', {})).status);
  expect([statuses[0], statuses.at(-1)]).toEqual([422, 429]);
});
