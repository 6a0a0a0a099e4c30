import { currentUser } from '@winnow/contract/account';
import { createdApiKey } from '@winnow/contract/api-key';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Caller, call, type Method } from './testing/caller.ts';
import { type RunningWinnow, startWinnow } from './testing/running-winnow.ts';

const described = z.object({
  paths: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        operationId: z.string(),
        requestBody: z.unknown().optional(),
        responses: z.record(z.string(), z.unknown()),
      }),
    ),
  ),
  components: z.object({
    responses: z.record(
      z.string(),
      z.object({
        content: z.object({ 'application/json': z.object({ examples: z.record(z.string(), z.unknown()) }) }),
      }),
    ),
  }),
});
const failed = z.object({ code: z.string() });
const NOBODY = '00000000-0000-4000-8000-000000000000';
/** Operations that end the session. They are skipped, because later calls need the session. */
const ENDING = ['deleteAccount', 'endOtherSessions'];

let winnow: RunningWinnow;
let caller: Caller;
let key: string;
let document: z.infer<typeof described>;

beforeAll(async () => {
  winnow = await startWinnow({ env: { API_KEY_RATE_LIMIT: '1000000' } });
  caller = await winnow.newCaller();
  ({ key } = await caller.send('POST', '/auth/api-keys', { name: 'Reads', scopes: ['read'] }, createdApiKey));
  const { text } = await call(winnow.origin, 'GET', '/api/openapi.json');
  document = described.parse(JSON.parse(text));
}, 180_000);
afterAll(() => winnow.close());

/** Malformed and unauthorized requests. Each is refused by most operations. */
const ATTEMPTS: Record<string, { id: string; token: 'user' | 'key' | null; raw?: string; type?: string }> = {
  'no token': { id: NOBODY, token: null, raw: '{}' },
  'an API key that may only read': { id: NOBODY, token: 'key', raw: '{}' },
  'an id of a missing object': { id: NOBODY, token: 'user', raw: '{}' },
  'a malformed id': { id: 'x', token: 'user', raw: '{}' },
  'an id with invalid characters': { id: '%00', token: 'user', raw: '{}' },
  'no JSON': { id: NOBODY, token: 'user', raw: '{' },
  'another type': { id: NOBODY, token: 'user', raw: 'a=b', type: 'text/plain' },
  'a list': { id: NOBODY, token: 'user', raw: '[]' },
  'no body': { id: NOBODY, token: 'user' },
  'wrong fields': {
    id: NOBODY,
    token: 'user',
    raw: '{"name":1,"url":[],"username":{},"issue_ids":"x","limit":-1}',
  },
  'a body that is too large': { id: NOBODY, token: 'user', raw: JSON.stringify('x'.repeat(3_000_000)) },
};

test.each(Object.entries(ATTEMPTS))(
  'every error response of %s is described',
  async (_, { id, token, raw, type }) => {
    const undescribed: string[] = [];
    for (const [path, methods] of Object.entries(document.paths)) {
      for (const [method, operation] of Object.entries(methods)) {
        if (ENDING.includes(operation.operationId)) continue;
        const hasBody = operation.requestBody !== undefined && method !== 'get';
        const answer = await call(
          winnow.origin,
          method.toUpperCase() as Method,
          `${path.replace(/\{\w+\}/g, id)}?limit=x&skip=-1&status=nothing`,
          {
            token: token === 'key' ? key : token === 'user' ? caller.tokens.access_token : null,
            ...(hasBody && raw !== undefined ? { raw } : {}),
            ...(hasBody && type !== undefined ? { headers: { 'content-type': type } } : {}),
          },
        );
        if (answer.status < 400) continue;
        const { code } = failed.parse(answer.body);
        const response = operation.responses[answer.status];
        const name = z.object({ $ref: z.string() }).safeParse(response).data?.$ref.split('/').at(-1) ?? '';
        const examples = document.components.responses[name]?.content['application/json'].examples ?? {};
        if (!Object.hasOwn(examples, `error-${code}`)) {
          undescribed.push(`${operation.operationId} ${answer.status} ${code}`);
        }
      }
    }
    expect(undescribed).toEqual([]);
    // The session is still valid, so no call was refused only because the session had ended.
    await caller.get('/auth/users/me', currentUser);
  },
  180_000,
);
