import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { AiProvider } from '@winnow/contract/ai-model';
import type { LanguageModel } from 'ai';

// Suppresses the library's warnings about settings that a model does not support. Operators cannot
// act on them.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** Connection data of a language model. */
export interface ModelAddress {
  provider: AiProvider;
  identifier: string;
  apiUrl: string;
  /** Empty if the provider needs no key. */
  apiKey: string;
}

/** Creates the client for a model. All its requests go through `fetch`. */
export function languageModelOf(
  { provider, identifier, apiUrl: baseURL, apiKey }: ModelAddress,
  fetch: typeof globalThis.fetch,
): Exclude<LanguageModel, string> {
  switch (provider) {
    case 'openai':
      return createOpenAI({ baseURL, apiKey, fetch }).chat(identifier);
    case 'anthropic':
      return createAnthropic({ baseURL, apiKey, fetch })(identifier);
    case 'google':
      return createGoogle({ baseURL, apiKey, fetch })(identifier);
    case 'custom':
      return createOpenAICompatible({
        name: 'custom',
        baseURL,
        fetch,
        supportsStructuredOutputs: true,
        ...(apiKey === '' ? {} : { apiKey }),
      })(identifier);
  }
}
