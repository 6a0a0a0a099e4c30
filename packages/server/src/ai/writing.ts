import type { AiFeature } from '@winnow/contract/usage';
import { z } from 'zod';
import { SingleFlight } from '../platform/single-flight.ts';
import type { Author } from './analyst.ts';
import { askedAs } from './asked-as.ts';
import { LONGEST } from './fence.ts';
import type { LanguageModels, StoredModel } from './model.ts';
import { ModelError } from './model-error.ts';
import type { Prompt } from './prompts/prompt.ts';
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
  readonly #running = new SingleFlight<unknown>();

  constructor(options: WritingOptions<Place>) {
    this.#options = options;
  }

  /**
   * What the account's model writes. Null where there is no model, where it fails, where its texts lead somewhere, or call
   * for somebody, as the issues do not (who wrote one may have talked the model into that), and for issues that are too long
   * to be shown to it whole: it would lose what it was not shown.
   *
   * @throws {ModelError} `plan_limit` where the account's plan allows no more calls: who asks is told so.
   */
  async write<Input, Answer>(
    accountId: string,
    task: WritingTask<Place, Input, Answer>,
  ): Promise<{ answer: Answer; author: Author } | null> {
    const model = await this.#options.modelOf(accountId);
    if (model === null || !isShownWhole(task)) return null;
    const { titles, descriptions, dependsOn, mentions = [] } = task;
    const form = askedAs(task.prompt, model, [titles, descriptions, dependsOn]);
    const key = `${accountId} ${form.toString('hex')}`;
    try {
      const written = await this.#running.run(key, () => this.#ask(accountId, model, form, task));
      // What was kept may have been made by a program that is not this one.
      const answer = task.prompt.answer.parse(written);
      if (hasOtherReferences(task.textsOf(answer), [...titles, ...descriptions, ...mentions])) return null;
      return { answer, author: { aiModelId: model.id, name: model.name } };
    } catch (error) {
      const isNothing = error instanceof ModelError && error.kind !== 'plan_limit';
      if (isNothing || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  async #ask<Input, Answer>(
    accountId: string,
    model: StoredModel,
    form: Buffer,
    { place, prompt, input }: WritingTask<Place, Input, Answer>,
  ): Promise<unknown> {
    const { store, now, languageModels, feature } = this.#options;
    const kept = await store.find(accountId, place, form);
    if (kept !== undefined) return kept;
    const answer = await languageModels.ask(accountId, model, feature, prompt, input);
    await store.save(accountId, place, { askedAs: form, answer, aiModelId: model.id, at: now() });
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
