import type { DeconflictSuggestion, MergeSuggestion } from '@winnow/analysis/suggest';
import { lineSources } from '@winnow/analysis/suggest/line-sources';
import {
  type CostBudget,
  deconflictIssuesPrompt,
  type LanguageModels,
  mergeIssuesPrompt,
  type Prompt,
  plainReason,
  type StoredModel,
  TextGenerator,
} from '../ai/index.ts';
import type { Db } from '../schema/tables.ts';
import { type SuggestionPlace, suggestionsIn } from './suggestion-store.ts';
import type { IssuesToWrite, SuggestionWriter, Written } from './suggestions.ts';

export interface ModelWriterOptions {
  db: Db;
  now: () => Date;
  builtIn: SuggestionWriter;
  languageModels: LanguageModels;
  /** Returns the account's model; null if it has none that can be asked. */
  modelOf: (accountId: string, budget: CostBudget | null) => Promise<StoredModel | null>;
}

/**
 * Asks the account's language model for texts. Caches them while issues, prompt and model stay the
 * same. If the model returns no usable texts, returns those of the built-in analyst.
 */
export class ModelWriter implements SuggestionWriter {
  readonly #builtIn: SuggestionWriter;
  readonly #writing: TextGenerator<SuggestionPlace>;

  constructor({ builtIn, db, ...options }: ModelWriterOptions) {
    this.#builtIn = builtIn;
    this.#writing = new TextGenerator({ ...options, feature: 'suggestion', store: suggestionsIn(db) });
  }

  async merge(accountId: string, issues: IssuesToWrite): Promise<Written<MergeSuggestion>> {
    const builtIn = await this.#builtIn.merge(accountId, issues);
    const written = await this.#write(
      accountId,
      issues,
      mergeIssuesPrompt,
      { ...issues, builtIn },
      (answer) => [answer.title, answer.description],
    );
    if (written === null) return builtIn;
    const { answer, author } = written;
    const sources = lineSources(answer.description, issues.first.body, issues.second.body);
    return { ...answer, explanation: plainReason(answer.explanation), sources, author };
  }

  async deconflict(accountId: string, issues: IssuesToWrite): Promise<Written<DeconflictSuggestion>> {
    const builtIn = await this.#builtIn.deconflict(accountId, issues);
    const written = await this.#write(
      accountId,
      issues,
      deconflictIssuesPrompt,
      { ...issues, builtIn },
      ({ title1, description1, title2, description2 }) => [title1, description1, title2, description2],
    );
    if (written === null) return builtIn;
    const { answer, author } = written;
    return { ...answer, explanation: plainReason(answer.explanation), author };
  }

  #write<Input, Answer>(
    accountId: string,
    { first, second }: IssuesToWrite,
    prompt: Prompt<Input, Answer>,
    input: Input,
    textsOf: (answer: Answer) => string[],
  ) {
    return this.#writing.generate(accountId, null, {
      place: { firstId: first.id, secondId: second.id, prompt: prompt.id },
      prompt,
      input,
      titles: [first.title, second.title],
      descriptions: [first.body, second.body],
      // The prompt also contains the built-in analyst's suggestion. It is omitted here, because it
      // is derived from the titles and descriptions above.
      dependsOn: [first.key, first.mention, second.key, second.mention],
      textsOf,
      mentions: [first.mention, second.mention],
    });
  }
}
