import { AI_PROVIDERS, type ProviderModels } from '@winnow/contract/ai-model';
import { z } from 'zod';
import { outboundErrorIn } from '../platform/outbound/outbound-errors.ts';
import type { ModelAddress } from './providers.ts';

const LIST_TIMEOUT_MS = 10_000;

const idList = z.object({ data: z.array(z.object({ id: z.string() })) });
const namedList = z.object({ models: z.array(z.object({ name: z.string() })) });

/**
 * Fetches the names of the models that a provider offers for a key. Never throws: some providers
 * have no such list.
 */
export async function listProviderModels(
  address: Omit<ModelAddress, 'identifier'>,
  fetch: typeof globalThis.fetch,
): Promise<ProviderModels> {
  const { label } = AI_PROVIDERS[address.provider];
  const without = (why: string): ProviderModels => ({
    models: null,
    message: `${label} returned no list of models: ${why}`,
  });
  try {
    const response = await fetch(listUrl(address), {
      headers: headersOf(address),
      signal: AbortSignal.timeout(LIST_TIMEOUT_MS),
    });
    if (!response.ok) return without(`it responded with status ${response.status}.`);
    const names = namesIn(await response.json());
    if (names === null) return without('its response is not a list of models.');
    return { models: [...new Set(names)].sort(), message: null };
  } catch (error) {
    return without(outboundErrorIn(error)?.detail ?? 'it could not be reached.');
  }
}

function listUrl({ provider, apiUrl }: Pick<ModelAddress, 'provider' | 'apiUrl'>): string {
  switch (provider) {
    case 'anthropic':
      return `${apiUrl}/models?limit=1000`;
    case 'google':
      return `${apiUrl}/models?pageSize=1000`;
    case 'openai':
    case 'custom':
      return `${apiUrl}/models`;
  }
}

function headersOf({ provider, apiKey }: Pick<ModelAddress, 'provider' | 'apiKey'>): Record<string, string> {
  switch (provider) {
    case 'anthropic':
      return { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' };
    case 'google':
      return { 'x-goog-api-key': apiKey };
    case 'openai':
    case 'custom':
      return apiKey === '' ? {} : { authorization: `Bearer ${apiKey}` };
  }
}

function namesIn(body: unknown): string[] | null {
  const byId = idList.safeParse(body);
  if (byId.success) return byId.data.data.map(({ id }) => id);
  const named = namedList.safeParse(body);
  return named.success ? named.data.models.map(({ name }) => name.replace(/^models\//, '')) : null;
}
