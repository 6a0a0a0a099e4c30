import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogle } from '@ai-sdk/google';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { AiProvider } from '@winnow/contract/ai-model';
import type { LanguageModel } from 'ai';

// A setting that a model does not know is left out; whoever runs the server can do nothing about it.
globalThis.AI_SDK_LOG_WARNINGS = false;

/** How a language model is reached. */
export interface ModelAddress {
  provider: AiProvider;
  identifier: string;
  apiUrl: string;
  /** Empty where none is needed. */
  apiKey: string;
}

/** The model behind an address; it calls out through `fetch` alone. */
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
