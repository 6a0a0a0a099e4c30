import type { AnalystVerdict, JudgedIssue, PairLikelihood, RuleVerdict } from '@winnow/analysis/verdict';
import { BUILT_IN_ANALYST } from '@winnow/contract/verdict';
import type { LanguageModels, StoredModel } from './model.ts';
import { plainReason } from './plain-text.ts';
import { judgePairPrompt } from './prompts/judge-pair.ts';
import { promptName } from './prompts/prompt.ts';
import { questionHash } from './question-hash.ts';

/** Identifies the analyst that gave a verdict. */
export interface Author {
  /** Id of the account's language model; null for the built-in analyst. */
  aiModelId: string | null;
  name: string;
}

/** Two issues to judge, with their computed similarity and likelihood. */
export interface PairToJudge {
  first: JudgedIssue;
  second: JudgedIssue;
  /** Similarity of the two texts, from 0 to 1. */
  similarity: number;
  likelihood: Omit<PairLikelihood, 'marks'>;
}

/** Verdict of a language model, with the built-in analyst's verdict on the same texts. */
export type ModelVerdict = AnalystVerdict & { builtIn: RuleVerdict };

/** Judges pairs by fixed rules. Deterministic; requires neither a language model nor a key. */
export class BuiltInAnalyst {
  readonly author: Author = { aiModelId: null, name: BUILT_IN_ANALYST };
  readonly #judge: (accountId: string, pairs: PairToJudge[]) => Promise<RuleVerdict[]>;

  /** @param judge applies the rules, with word weights computed from the account's issues */
  constructor(judge: (accountId: string, pairs: PairToJudge[]) => Promise<RuleVerdict[]>) {
    this.#judge = judge;
  }

  /** Judges how the two issues of each pair relate. Results follow the order of the pairs. */
  judge(accountId: string, pairs: readonly PairToJudge[]): Promise<RuleVerdict[]> {
    return this.#judge(accountId, [...pairs]);
  }
}

/**
 * Asks a language model to judge pairs. The prompt contains the findings of the built-in analyst.
 * If those findings name a difference, a "duplicate" verdict is lowered to "overlapping".
 */
export class ModelAnalyst {
  readonly author: Author & { aiModelId: string };
  /** Name by which the provider identifies the model. */
  readonly modelIdentifier: string;
  readonly promptName = promptName(judgePairPrompt);
  readonly #builtIn: BuiltInAnalyst;
  readonly #languageModels: LanguageModels;
  readonly #model: StoredModel;

  constructor(builtIn: BuiltInAnalyst, languageModels: LanguageModels, model: StoredModel) {
    this.#builtIn = builtIn;
    this.#languageModels = languageModels;
    this.#model = model;
    this.author = { aiModelId: model.id, name: model.name };
    this.modelIdentifier = model.identifier;
  }

  /**
   * Judges how the two issues of each pair relate. Results follow the order of the pairs.
   *
   * @throws {ModelError} for the first pair without a usable answer
   */
  async judge(
    accountId: string,
    pairs: readonly PairToJudge[],
    signal?: AbortSignal,
  ): Promise<ModelVerdict[]> {
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
        const judgment = bounded({ ...answer, reason: plainReason(answer.reason) }, builtIn);
        return { ...judgment, builtIn };
      }),
    );
  }

  /**
   * Returns the hash of a question. A stored verdict stays valid while the texts, the prompt and
   * the model are the same. Similarity and built-in findings are excluded. Other issues shift them
   * slightly, which must not trigger a new question.
   */
  fingerprint({ first, second }: Pick<PairToJudge, 'first' | 'second'>): Buffer {
    const texts = [first, second].map(({ key, title, body }) => [key, title, body]);
    return questionHash(judgePairPrompt, this.#model, texts);
  }
}

/**
 * Lowers a model's "duplicate" verdict to "overlapping" if the built-in analyst found a difference.
 */
function bounded(
  verdict: Omit<AnalystVerdict, 'difference'>,
  { difference }: AnalystVerdict,
): AnalystVerdict {
  if (verdict.decision !== 'duplicate' || difference === null) return { ...verdict, difference };
  const reason = `The model calls them duplicates: ${verdict.reason} ${difference}`;
  return {
    decision: 'overlapping',
    confidence: Math.min(verdict.confidence, MAX_BOUNDED_CONFIDENCE),
    reason,
    difference,
  };
}

const MAX_BOUNDED_CONFIDENCE = 0.7;
