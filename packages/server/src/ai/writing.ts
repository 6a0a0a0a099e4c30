import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { Author } from './analyst.ts';
import type { AiFeature } from './calls.ts';
import { LONGEST } from './fence.ts';
import type { LanguageModels, StoredModel } from './model.ts';
import { ModelError } from './model-error.ts';
import { nameOf, type Prompt } from './prompts/prompt.ts';
import { hasOtherReferences } from './references.ts';

/** A text that a model wrote, as it is kept. */
export interface KeptText {
  /** SHA-256 of all that the question depended on. */
  askedAs: Buffer;
  answer: unknown;
  aiModelId: string;
  at: Date;
}

/** Where texts are kept; `Place` says for what each was written. */
export interface TextStore<Place> {
  /** What was written of exactly this question; undefined when it was not asked. */
  find(accountId: string, place: Place, askedAs: Buffer): Promise<unknown>;
  /** Keeps a text instead of the one before; not when what it was written for is gone. */
  save(accountId: string, place: Place, text: KeptText): Promise<void>;
}

/** What a model is asked to write. */
export interface WritingTask<Place, Input, Answer> {
  place: Place;
  prompt: Prompt<Input, Answer>;
  input: Input;
  /** What of issues goes into the question, each shown to the model whole or not at all. */
  titles: readonly string[];
  descriptions: readonly string[];
  /** What else the answer depends on. */
  dependsOn: readonly unknown[];
  /** The texts of an answer that are to stand in issues. */
  textsOf: (answer: Answer) => readonly string[];
  /** What those texts may lead to beside what the issues lead to. */
  mentions?: readonly string[];
}

export interface WritingOptions<Place> {
  now: () => Date;
  languageModels: LanguageModels;
  feature: AiFeature;
  /** The account's model, where one works for it. */
  modelOf: (accountId: string) => Promise<StoredModel | null>;
  store: TextStore<Place>;
}

/** Texts that language models write for issues: each is asked for once, and kept while what it depends on stays. */
export class Writing<Place> {
  readonly #options: WritingOptions<Place>;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(options: WritingOptions<Place>) {
    this.#options = options;
  }

  /**
   * What the account's model writes. Null where there is no model, where it fails, where its texts lead somewhere, or call
   * for somebody, as the issues do not (who wrote one may have talked the model into that), and for issues that are too long
   * to be shown to it whole: it would lose what it was not shown.
   */
  async write<Input, Answer>(
    accountId: string,
    task: WritingTask<Place, Input, Answer>,
  ): Promise<{ answer: Answer; author: Author } | null> {
    const model = await this.#options.modelOf(accountId);
    if (model === null || !isShownWhole(task)) return null;
    const askedAs = fingerprintOf(model, task);
    const key = `${accountId} ${askedAs.toString('hex')}`;
    const running = this.#running.get(key) ?? this.#ask(accountId, model, askedAs, task);
    this.#running.set(key, running);
    const forget = () => this.#running.delete(key);
    running.then(forget, forget);
    try {
      // What was kept may have been made by a program that is not this one.
      const answer = task.prompt.answer.parse(await running);
      const { titles, descriptions, mentions = [] } = task;
      if (hasOtherReferences(task.textsOf(answer), [...titles, ...descriptions, ...mentions])) return null;
      return { answer, author: { aiModelId: model.id, name: model.name } };
    } catch (error) {
      if (error instanceof ModelError || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  async #ask<Input, Answer>(
    accountId: string,
    model: StoredModel,
    askedAs: Buffer,
    { place, prompt, input }: WritingTask<Place, Input, Answer>,
  ): Promise<unknown> {
    const { store, now, languageModels, feature } = this.#options;
    const kept = await store.find(accountId, place, askedAs);
    if (kept !== undefined) return kept;
    const answer = await languageModels.ask(accountId, model, feature, prompt, input);
    await store.save(accountId, place, { askedAs, answer, aiModelId: model.id, at: now() });
    return answer;
  }
}

function isShownWhole({
  titles,
  descriptions,
}: Pick<WritingTask<unknown, unknown, unknown>, 'titles' | 'descriptions'>): boolean {
  return (
    titles.every(({ length }) => length <= LONGEST.line) &&
    descriptions.every(({ length }) => length <= LONGEST.text)
  );
}

/** SHA-256 of the texts, what else goes into the question, the prompt, and the model with its address. */
function fingerprintOf<Input, Answer>(
  { id, provider, identifier, apiUrl }: StoredModel,
  { prompt, titles, descriptions, dependsOn }: WritingTask<unknown, Input, Answer>,
): Buffer {
  const all = JSON.stringify([
    nameOf(prompt),
    id,
    provider,
    identifier,
    apiUrl,
    titles,
    descriptions,
    dependsOn,
  ]);
  return createHash('sha256').update(all).digest();
}
