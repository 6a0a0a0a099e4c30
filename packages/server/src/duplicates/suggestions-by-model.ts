import { createHash } from 'node:crypto';
import type { DeconflictSuggestion, MergeSuggestion } from '@winnow/analysis/suggest';
import { lineSources } from '@winnow/analysis/suggest/line-sources';
import { z } from 'zod';
import { plainReason } from '../ai/analyst.ts';
import { LONGEST } from '../ai/fence.ts';
import type { LanguageModels, StoredModel } from '../ai/model.ts';
import { ModelError } from '../ai/model-error.ts';
import { deconflictIssuesPrompt } from '../ai/prompts/deconflict-issues.ts';
import { mergeIssuesPrompt } from '../ai/prompts/merge-issues.ts';
import { nameOf, type Prompt } from '../ai/prompts/prompt.ts';
import { hasOtherReferences } from '../ai/references.ts';
import type { Db } from '../schema/tables.ts';
import { findSuggestion, saveSuggestion } from './suggestion-store.ts';
import type { IssuesToWrite, SuggestionWriter, Written } from './suggestions.ts';

export interface ModelWriterOptions {
  db: Db;
  now: () => Date;
  builtIn: SuggestionWriter;
  languageModels: LanguageModels;
  /** The account's model, where one works for it. */
  modelOf: (accountId: string) => Promise<StoredModel | null>;
}

/**
 * Has the account's language model write the texts, and keeps them while issues, prompt and model stay the same. The
 * built-in analyst's texts are given where there is no model, where it fails or its texts lead where neither issue does, and for
 * issues that are too long to be shown to it whole: it would lose what it was not shown.
 */
export class ModelWriter implements SuggestionWriter {
  readonly #options: ModelWriterOptions;
  readonly #running = new Map<string, Promise<unknown>>();

  constructor(options: ModelWriterOptions) {
    this.#options = options;
  }

  async merge(accountId: string, issues: IssuesToWrite): Promise<Written<MergeSuggestion>> {
    const builtIn = await this.#options.builtIn.merge(accountId, issues);
    const input = { ...issues, builtIn };
    const written = await this.#write(accountId, issues, mergeIssuesPrompt, input);
    if (written === null) return builtIn;
    const { answer, author } = written;
    if (leadsElsewhere([answer.title, answer.description], issues)) return builtIn;
    const sources = lineSources(answer.description, issues.first.body, issues.second.body);
    return { ...answer, explanation: plainReason(answer.explanation), sources, author };
  }

  async deconflict(accountId: string, issues: IssuesToWrite): Promise<Written<DeconflictSuggestion>> {
    const builtIn = await this.#options.builtIn.deconflict(accountId, issues);
    const input = { ...issues, builtIn };
    const written = await this.#write(accountId, issues, deconflictIssuesPrompt, input);
    if (written === null) return builtIn;
    const { answer, author } = written;
    const { title1, description1, title2, description2 } = answer;
    if (leadsElsewhere([title1, description1, title2, description2], issues)) return builtIn;
    return { ...answer, explanation: plainReason(answer.explanation), author };
  }

  /** What the model writes, asked for once however many wait for it; null when it writes nothing that can be used. */
  async #write<Input, Answer>(
    accountId: string,
    issues: IssuesToWrite,
    prompt: Prompt<Input, Answer>,
    input: Input,
  ): Promise<{ answer: Answer; author: Written<unknown>['author'] } | null> {
    const { modelOf } = this.#options;
    const model = await modelOf(accountId);
    if (model === null || !isShownWhole(issues)) return null;
    const askedAs = fingerprintOf(model, prompt, issues);
    const key = `${accountId} ${askedAs.toString('hex')}`;
    const running = this.#running.get(key) ?? this.#ask(accountId, model, issues, { prompt, input, askedAs });
    this.#running.set(key, running);
    const forget = () => this.#running.delete(key);
    running.then(forget, forget);
    try {
      // What was kept may have been made by a program that is not this one.
      const answer = prompt.answer.parse(await running);
      return { answer, author: { aiModelId: model.id, name: model.name } };
    } catch (error) {
      if (error instanceof ModelError || error instanceof z.ZodError) return null;
      throw error;
    }
  }

  async #ask<Input, Answer>(
    accountId: string,
    model: StoredModel,
    issues: IssuesToWrite,
    { prompt, input, askedAs }: { prompt: Prompt<Input, Answer>; input: Input; askedAs: Buffer },
  ): Promise<unknown> {
    const { db, now, languageModels } = this.#options;
    const place = { firstId: issues.first.id, secondId: issues.second.id, prompt: prompt.id };
    const kept = await findSuggestion(db, accountId, place, askedAs);
    if (kept !== undefined) return kept;
    const answer = await languageModels.ask(accountId, model, 'suggestion', prompt, input);
    await saveSuggestion(db, accountId, place, { askedAs, answer, aiModelId: model.id, at: now() });
    return answer;
  }
}

function isShownWhole({ first, second }: IssuesToWrite): boolean {
  return [first, second].every(
    ({ title, body }) => title.length <= LONGEST.line && body.length <= LONGEST.text,
  );
}

/** Whether a text leads somewhere, or calls for somebody, as neither issue does: who wrote one may have talked the model into that. */
function leadsElsewhere(texts: readonly string[], { first, second }: IssuesToWrite): boolean {
  const known = [first, second].flatMap(({ title, body, mention }) => [title, body, mention]);
  return hasOtherReferences(texts, known);
}

/**
 * SHA-256 of the issues' texts and names, the prompt, and the model with its address: what was written holds while these
 * stay. The built-in analyst's suggestion goes into the question too; it follows from the same texts.
 */
function fingerprintOf(
  { id, provider, identifier, apiUrl }: StoredModel,
  prompt: { id: string; version: number },
  { first, second }: IssuesToWrite,
): Buffer {
  const texts = [first, second].flatMap(({ key, title, body, mention }) => [key, title, body, mention]);
  const all = JSON.stringify([nameOf(prompt), id, provider, identifier, apiUrl, ...texts]);
  return createHash('sha256').update(all).digest();
}
