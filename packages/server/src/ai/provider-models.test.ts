import { expect, test } from 'vitest';
import { listProviderModels } from './provider-models.ts';

const KEY = 'sk-0123456789';

/**
 * Starts a server that responds like a provider and lists its models. Returns the result and the
 * request.
 */
async function listed(
  provider: 'openai' | 'anthropic' | 'google' | 'custom',
  response: () => Response,
  apiKey = KEY,
) {
  const requests: { url: string; headers: Headers }[] = [];
  const fetch: typeof globalThis.fetch = async (url, init) => {
    requests.push({ url: String(url), headers: new Headers(init?.headers) });
    return response();
  };
  const result = await listProviderModels({ provider, apiUrl: 'https://api.example.com/v1', apiKey }, fetch);
  return { result, url: requests[0]?.url, headers: requests[0]?.headers };
}

test.each([
  ['openai', { data: [{ id: 'b' }, { id: 'a' }] }, '', 'authorization', `Bearer ${KEY}`],
  ['anthropic', { data: [{ id: 'b' }, { id: 'a' }] }, '?limit=1000', 'x-api-key', KEY],
  [
    'google',
    { models: [{ name: 'models/b' }, { name: 'models/a' }] },
    '?pageSize=1000',
    'x-goog-api-key',
    KEY,
  ],
] as const)('%s lists its models for a key', async (provider, body, query, header, value) => {
  const { result, url, headers } = await listed(provider, () => Response.json(body));
  expect(result).toEqual({ models: ['a', 'b'], message: null });
  expect(url).toBe(`https://api.example.com/v1/models${query}`);
  expect(headers?.get(header)).toBe(value);
});

test('a custom server without a key is asked without one', async () => {
  const { headers } = await listed('custom', () => Response.json({ data: [] }), '');
  expect(headers?.has('authorization')).toBe(false);
});

test.each([
  ['refuses the key', () => new Response('', { status: 401 }), 'it responded with status 401.'],
  ['returns no list', () => Response.json({ ok: true }), 'its response is not a list of models.'],
  ['returns no JSON', () => new Response('<html>'), 'it could not be reached.'],
  ['cannot be reached', () => Response.error(), 'it responded with status 0.'],
] as const)('a provider that %s yields no list, and the reason is stated', async (_what, response, why) => {
  expect((await listed('openai', response)).result).toEqual({
    models: null,
    message: `OpenAI returned no list of models: ${why}`,
  });
});
