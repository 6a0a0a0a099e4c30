import type { AiFeature } from '@winnow/contract/usage';
import { z } from 'zod';
import { SingleFlight } from '../platform/single-flight.ts';
import type { Author } from './analyst.ts';
import type { CostBudget } from './cost-budget.ts';
import { MAX_SHOWN_CHARS } from './fence.ts';
import type { LanguageModels, StoredModel } from './model.ts';
import { ModelError } from './model-error.ts';
import type { Prompt } from './prompts/prompt.ts';
import { questionHash } from './question-hash.ts';
import { hasUnknownReferences } from './references.ts';

/** A generated text as stored. */
interface StoredText {
  /** SHA-256 of everything the text depends on. */
  questionHash: Buffer;
  answer: unknown;
  aiModelId: string;
  at: Date;
}

/** Storage of generated texts. `Place` identifies the issue or pair that a text belongs to. */
export interface TextStore<Place> {
  /** Returns the text for exactly this question; undefined if the question was never answered. */
  findText(accountId: string, place: Place, questionHash: Buffer): Promise<unknown>;
  /** Stores a text and replaces the previous one. Does nothing if its subject was deleted. */
  save(accountId: string, place: Place, text: StoredText): Promise<void>;
}

/** Describes a text to generate. */
export interface TextTask<Place, Input, Answer> {
  place: Place;
  prompt: Prompt<Input, Answer>;
  input: Input;
  /** Issue texts in the prompt. The model is asked only if none of them must be cut. */
  titles: readonly string[];
  descriptions: readonly string[];
  /** Further inputs that the generated text depends on. */
  dependsOn: readonly unknown[];
  /** Returns the parts of an answer that will be written into issues. */
  textsOf: (answer: Answer) => readonly string[];
  /**
   * Texts whose links and mentions the generated text may repeat, in addition to those of the
   * issues.
   */
  mentions?: readonly string[];
}

export interface TextGeneratorOptions<Place> {
  now: () => Date;
  languageModels: LanguageModels;
  feature: AiFeature;
  /** Returns the account's model; null if the account uses the built-in analyst. */
  modelOf: (accountId: string, budget: CostBudget | null) => Promise<StoredModel | null>;
  store: TextStore<Place>;
}

/**
 * Generates issue texts with language models. Each text is generated once and reused until its
 * inputs change.
 */
export class TextGenerator<Place> {
  readonly #options: TextGeneratorOptions<Place>;
  readonly #running = new SingleFlight<unknown>();

  constructor(options: TextGeneratorOptions<Place>) {
    this.#options = options;
  }

  /**
   * Generates a text with the account's model. Returns null if the account has no model, the model
   * fails, or the issues are too long for the prompt. Also returns null if the text has links or
   * mentions that the issues lack, because an injection may have caused them.
   *
   * @throws {ModelError} `plan_limit` if the plan allows no more calls, so that the user learns the
   * reason
   */
  async generate<Input, Answer>(
    accountId: string,
    budget: CostBudget | null,
    task: TextTask<Place, Input, Answer>,
  ): Promise<{ answer: Answer; author: Author } | null> {
    const model = await this.#options.modelOf(accountId, budget);
    if (model === null || !isShownWhole(task)) return null;
    const { titles, descriptions, dependsOn, mentions = [] } = task;
    const form = questionHash(task.prompt, model, [titles, descriptions, dependsOn]);
    const key = `${accountId} ${form.toString('hex')}`;
    try {
      const written = await this.#running.run(key, () => this.#ask(accountId, model, form, task));
      // Validates again, because another version of the program may have stored the answer.
      const answer = task.prompt.answer.parse(written);
      if (hasUnknownReferences(task.textsOf(answer), [...titles, ...descriptions, ...mentions])) return null;
      return { answer, author: { aiModelId: model.id, name: model.name } };
    } catch (error) {
      const isWithoutResult = error instanceof ModelError && error.kind !== 'plan_limit';
      if (isWithoutResult || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  async #ask<Input, Answer>(
    accountId: string,
    model: StoredModel,
    form: Buffer,
    { place, prompt, input }: TextTask<Place, Input, Answer>,
  ): Promise<unknown> {
    const { store, now, languageModels, feature } = this.#options;
    const stored = await store.findText(accountId, place, form);
    if (stored !== undefined) return stored;
    const answer = await languageModels.ask(accountId, model, feature, prompt, input);
    await store.save(accountId, place, { questionHash: form, answer, aiModelId: model.id, at: now() });
    return answer;
  }
}

function isShownWhole({
  titles,
  descriptions,
}: Pick<TextTask<unknown, unknown, unknown>, 'titles' | 'descriptions'>): boolean {
  return (
    titles.every(({ length }) => length <= MAX_SHOWN_CHARS.line) &&
    descriptions.every(({ length }) => length <= MAX_SHOWN_CHARS.text)
  );
}
