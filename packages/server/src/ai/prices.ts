import type { AiProvider } from '@winnow/contract/ai-model';

/** US dollars for a million tokens, as the provider's list has it since a day. */
interface Price {
  input: number;
  output: number;
  since: string;
}

/** List prices by the model's name without its date. A model that is not here has no known cost. */
const PRICES: Record<Exclude<AiProvider, 'custom'>, Record<string, Price>> = {
  openai: {
    'gpt-4o': { input: 2.5, output: 10, since: '2024-10-02' },
    'gpt-4o-mini': { input: 0.15, output: 0.6, since: '2024-07-18' },
    'gpt-4.1': { input: 2, output: 8, since: '2025-04-14' },
    'gpt-4.1-mini': { input: 0.4, output: 1.6, since: '2025-04-14' },
    'gpt-4-turbo': { input: 10, output: 30, since: '2024-04-09' },
    'gpt-3.5-turbo': { input: 0.5, output: 1.5, since: '2024-01-25' },
  },
  anthropic: {
    'claude-3-opus': { input: 15, output: 75, since: '2024-03-04' },
    'claude-3-sonnet': { input: 3, output: 15, since: '2024-03-04' },
    'claude-3-haiku': { input: 0.25, output: 1.25, since: '2024-03-13' },
    'claude-3-5-sonnet': { input: 3, output: 15, since: '2024-06-20' },
    'claude-3-5-haiku': { input: 0.8, output: 4, since: '2024-12-03' },
    'claude-3-7-sonnet': { input: 3, output: 15, since: '2025-02-24' },
  },
  google: {
    'gemini-1.5-pro': { input: 1.25, output: 5, since: '2024-10-01' },
    'gemini-1.5-flash': { input: 0.075, output: 0.3, since: '2024-08-12' },
    'gemini-2.0-flash': { input: 0.1, output: 0.4, since: '2025-02-05' },
  },
};

/** `gpt-4o-2024-08-06`, `claude-3-opus-20240229`, `gemini-1.5-pro-latest` and `gemini-1.5-pro-002` are one model each. */
const EDITION = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3}|latest)$/;

type PricedModel = { provider: AiProvider; identifier: string };

/** What a million tokens cost by the list, in US dollars; null when the model is not known. */
export function priceOf(model: PricedModel): Pick<Price, 'input' | 'output'> | null {
  if (model.provider === 'custom') return null;
  const name = model.identifier.replace(EDITION, '');
  const prices = PRICES[model.provider];
  return (Object.hasOwn(prices, name) ? prices[name] : undefined) ?? null;
}

/** Of English text and of JSON; what it comes to in the end is counted by the provider. */
export const CHARACTERS_PER_TOKEN = 4;

/** What a question that is not asked yet is likely to cost, in US dollars; 0 when the model is not known. */
export function likelyCost(
  model: PricedModel,
  { characters, outputTokens }: { characters: number; outputTokens: number },
): number {
  return costOf(model, { input: characters / CHARACTERS_PER_TOKEN, output: outputTokens }) ?? 0;
}

/** What a call cost by the list, in US dollars; null when the model or its tokens are not known. */
export function costOf(
  model: PricedModel,
  tokens: { input: number | null; output: number | null },
): number | null {
  const price = priceOf(model);
  if (price === null || tokens.input === null || tokens.output === null) return null;
  return (tokens.input * price.input + tokens.output * price.output) / 1_000_000;
}
