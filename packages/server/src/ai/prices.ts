import { type AiProvider, aiProvider, type ModelPrices } from '@winnow/contract/ai-model';
import { z } from 'zod';
import { dayOf } from '../billing/usage/day.ts';
import priceFile from './model-prices.json' with { type: 'json' };

const rates = z.object({ input: z.number(), output: z.number(), cached_input: z.number().nullable() });
const PRICES = z
  .object({
    as_of: z.iso.date(),
    unit: z.string(),
    lists: z.array(
      z.object({
        provider: aiProvider,
        source: z.url(),
        /** The day on which the provider's page was read. */
        as_of: z.iso.date(),
        models: z.record(
          z.string(),
          rates.extend({
            /** What a whole call costs whose input has more tokens than `above`. */
            long: rates.extend({ above: z.int() }).optional(),
            /** The last day of a promotional price. Afterwards the price is unknown. */
            until: z.iso.date().optional(),
          }),
        ),
      }),
    ),
  })
  .parse(priceFile);

/** The day of the newest price. */
export const PRICES_AS_OF = PRICES.as_of;

interface Rates {
  input: number;
  output: number;
  /** Null where cached input costs as much as other input. */
  cachedInput: number | null;
}

/** US dollars per million tokens. */
export interface Price extends Rates {
  /** Rates of calls whose input has more than `above` tokens; null where length does not matter. */
  long: (Rates & { above: number }) | null;
  source: 'custom' | 'list';
  /** The day of the list; null for a price that the account entered. */
  asOf: string | null;
}

/** Tokens of a call; null where the model does not report them. */
export interface TokenCounts {
  input: number | null;
  output: number | null;
  /** The part of `input` that the provider had cached. */
  cachedInput?: number | null;
}

/** `gpt-4o-2024-08-06`, `claude-3-opus-20240229`, `gemini-1.5-pro-latest` and `gemini-1.5-pro-002` are one model each. */
const EDITION = /-(?:\d{4}-\d{2}-\d{2}|\d{8}|\d{3}|latest)$/;

/** Returns the list price of a model on a day; null for a model that is not listed. */
export function listPriceOf(
  { provider, identifier }: { provider: AiProvider; identifier: string },
  at: Date,
): Price | null {
  const name = identifier.replace(EDITION, '');
  for (const list of PRICES.lists) {
    if (list.provider !== provider || !Object.hasOwn(list.models, name)) continue;
    const found = list.models[name];
    if (!found || (found.until !== undefined && dayOf(at) > found.until)) return null;
    const { long } = found;
    return {
      ...ratesOf(found),
      long: long === undefined ? null : { ...ratesOf(long), above: long.above },
      source: 'list',
      asOf: list.as_of,
    };
  }
  return null;
}

/** Returns every listed price that holds on a day. */
export function listPrices(at: Date): ModelPrices {
  const models = PRICES.lists.flatMap(({ provider, as_of, models }) =>
    Object.entries(models)
      .filter(([, { until }]) => until === undefined || dayOf(at) <= until)
      .map(([model_identifier, { input, output, cached_input }]) => {
        return { provider_name: provider, model_identifier, input, output, cached_input, as_of };
      }),
  );
  return { as_of: PRICES_AS_OF, models };
}

/** English text and JSON have about four characters a token. The provider counts the real number. */
export const CHARACTERS_PER_TOKEN = 4;

/** Returns the expected cost of a call in US dollars; 0 when the price is not known. */
export function likelyCost(
  price: Price | null,
  { characters, outputTokens }: { characters: number; outputTokens: number },
): number {
  return costOf(price, { input: characters / CHARACTERS_PER_TOKEN, output: outputTokens }) ?? 0;
}

/** Returns the cost of a call in US dollars; null when the price or the tokens are not known. */
export function costOf(price: Price | null, { input, output, cachedInput }: TokenCounts): number | null {
  if (price === null || input === null || output === null) return null;
  const rates = price.long !== null && input > price.long.above ? price.long : price;
  const cached = Math.min(cachedInput ?? 0, input);
  const inputCost = (input - cached) * rates.input + cached * (rates.cachedInput ?? rates.input);
  return (inputCost + output * rates.output) / 1_000_000;
}

function ratesOf({ input, output, cached_input }: z.infer<typeof rates>): Rates {
  return { input, output, cachedInput: cached_input };
}
