import type { JudgedIssue, Judgment } from '@winnow/analysis/judge';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import { askedAs } from './asked-as.ts';
import type { LanguageModels, StoredModel } from './model.ts';
import { plainReason } from './plain-text.ts';
import { judgePairPrompt } from './prompts/judge-pair.ts';
import { nameOf } from './prompts/prompt.ts';

/** Who answered. */
export interface Author {
  /** The account's model; null for the built-in analyst. */
  aiModelId: string | null;
  name: string;
}

/** Two issues to be judged, and how alike they are. */
export interface PairToJudge {
  first: JudgedIssue;
  second: JudgedIssue;
  similarity: number;
}

/** Answers from rules alone: it needs no model and no key, and always says the same of the same texts. */
export class BuiltInAnalyst {
  readonly author: Author = { aiModelId: null, name: BUILT_IN_ANALYST };
  readonly #judge: (accountId: string, pairs: PairToJudge[]) => Promise<Judgment[]>;

  /** @param judge knows which words are telling in the account */
  constructor(judge: (accountId: string, pairs: PairToJudge[]) => Promise<Judgment[]>) {
    this.#judge = judge;
  }

  /** What the two issues of each pair are to each other, in the order of the pairs. */
  judge(accountId: string, pairs: readonly PairToJudge[]): Promise<Judgment[]> {
    return this.#judge(accountId, [...pairs]);
  }
}

/**
 * Has a language model answer, with what the built-in analyst found before it, and within the bounds that analyst sets: two
 * issues that differ in what they name are never called duplicates.
 */
export class ModelAnalyst {
  readonly author: Author & { aiModelId: string };
  readonly promptName = nameOf(judgePairPrompt);
  readonly #builtIn: BuiltInAnalyst;
  readonly #languageModels: LanguageModels;
  readonly #model: StoredModel;

  constructor(builtIn: BuiltInAnalyst, languageModels: LanguageModels, model: StoredModel) {
    this.#builtIn = builtIn;
    this.#languageModels = languageModels;
    this.#model = model;
    this.author = { aiModelId: model.id, name: model.name };
  }

  /**
   * What the two issues of each pair are to each other, in the order of the pairs.
   *
   * @throws {ModelError} for the first pair about which the model gives no answer that can be used.
   */
  async judge(accountId: string, pairs: readonly PairToJudge[], signal?: AbortSignal): Promise<Judgment[]> {
    const found = await this.#builtIn.judge(accountId, pairs);
    return Promise.all(
      pairs.map(async (pair, index) => {
        const builtIn = found[index];
        if (!builtIn) throw new Error('The built-in analyst left out a pair.');
        const answer = await this.#languageModels.ask(
          accountId,
          this.#model,
          'verdict',
          judgePairPrompt,
          { ...pair, builtIn },
          signal,
        );
        return bounded({ ...answer, reason: plainReason(answer.reason) }, builtIn);
      }),
    );
  }

  /**
   * The form of the question: a judgment that was kept holds while the texts, the prompt and the model stay. The
   * similarity and what the built-in analyst found go into the question too, but not in here: they may shift a little with
   * the account's other issues, which is no reason to ask about every pair again.
   */
  fingerprint({ first, second }: Pick<PairToJudge, 'first' | 'second'>): Buffer {
    const texts = [first, second].map(({ key, title, body }) => [key, title, body]);
    return askedAs(judgePairPrompt, this.#model, texts);
  }
}

/** A model's judgment, unless the built-in analyst knows that the two issues cannot be one. */
function bounded(judgment: Omit<Judgment, 'difference'>, { difference }: Judgment): Judgment {
  if (judgment.decision !== 'duplicate' || difference === null) return { ...judgment, difference };
  const reason = `The model calls them duplicates: ${judgment.reason} ${difference}`;
  return {
    decision: 'overlapping',
    confidence: Math.min(judgment.confidence, MOST_SURE_IF_BOUNDED),
    reason,
    difference,
  };
}

const MOST_SURE_IF_BOUNDED = 0.7;
