import { type AiProvider, aiProvider, type ModelPrices, withoutEdition } from '@winnow/contract/ai-model';
import { z } from 'zod';
import { dayOf } from '../billing/index.ts';
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
        /** Day on which the price was read from the provider's page. */
        as_of: z.iso.date(),
        models: z.record(
          z.string(),
          rates.extend({
            /**
             * Rates of long calls. They apply to all tokens of a call with more than `above` input
             * tokens.
             */
            long: rates.extend({ above: z.int() }).optional(),
            /** Last day of a promotional price. After it, the price is unknown. */
            until: z.iso.date().optional(),
          }),
        ),
      }),
    ),
  })
  .parse(priceFile);

/** Date of the newest entry in the price list. */
export const PRICES_AS_OF = PRICES.as_of;

interface Rates {
  input: number;
  output: number;
  /** Rate of cached input; null if it costs the same as other input. */
  cachedInput: number | null;
}

/** US dollars per million tokens. */
export interface Price extends Rates {
  /**
   * Rates of calls whose input has more than `above` tokens; null if the length does not affect the
   * rates.
   */
  long: (Rates & { above: number }) | null;
  source: 'custom' | 'list';
  /** Date of the price list; null for a price that the account entered. */
  asOf: string | null;
}

/** Token counts of a call; null if the model did not report them. */
export interface TokenCounts {
  input: number | null;
  output: number | null;
  /** Part of `input` that the provider served from its cache. */
  cachedInput?: number | null;
}

/** Returns the list price of a model on a day; null for an unlisted model. */
export function listPriceOf(
  { provider, identifier }: { provider: AiProvider; identifier: string },
  at: Date,
): Price | null {
  const name = withoutEdition(identifier);
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

/** Returns every list price that is valid on a day. */
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

/**
 * Average characters per token in English text and JSON, for estimates. Providers report the exact
 * count.
 */
export const CHARACTERS_PER_TOKEN = 4;

/** Returns the expected cost of a call in US dollars; 0 if the price is unknown. */
export function likelyCost(
  price: Price | null,
  { characters, outputTokens }: { characters: number; outputTokens: number },
): number {
  return costOf(price, { input: characters / CHARACTERS_PER_TOKEN, output: outputTokens }) ?? 0;
}

/** Returns the cost of a call in US dollars; null if the price or the tokens are unknown. */
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
