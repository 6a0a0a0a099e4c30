import type { OfferedModel } from '../platform/config-ai-models.ts';
import { forbidden } from '../platform/errors.ts';
import type { StoredModel } from './model.ts';
import { listPriceOf } from './prices.ts';
import type { AiModelRow } from './store.ts';

/**
 * Models that the operator offers to every account. Each account has a database row per model, so
 * that verdicts can refer to it. The connection itself exists only in the configuration, under the
 * model's name.
 */
export class OfferedModels {
  readonly #models: readonly OfferedModel[];

  constructor(models: readonly OfferedModel[]) {
    this.#models = models;
  }

  /** True if the row belongs to a model that the operator has withdrawn. */
  isWithdrawn(row: AiModelRow): boolean {
    return row.is_offered && this.#of(row) === undefined;
  }

  /** Returns the model of a row with its connection; null if the operator does not offer it. */
  connect(row: AiModelRow, now: Date): StoredModel | null {
    const model = this.#of(row);
    return model
      ? {
          ...model,
          id: row.id,
          name: row.name,
          isOffered: true,
          price: listPriceOf(model, now),
          caps: { calls: row.monthly_call_cap, cost: row.monthly_cost_cap },
          budget: null,
        }
      : null;
  }

  /** Returns the row with provider and identifier of the current configuration. */
  withConfiguredModel(row: AiModelRow): AiModelRow {
    const model = this.#of(row);
    return model ? { ...row, provider_name: model.provider, model_identifier: model.identifier } : row;
  }

  /**
   * Sorts an account's rows for display: offered models in configured order, then custom models.
   */
  sort(rows: readonly AiModelRow[]): AiModelRow[] {
    const offered = this.#models.flatMap(
      ({ name }) => rows.find((row) => row.is_offered && row.name === name) ?? [],
    );
    return [...offered.map((row) => this.withConfiguredModel(row)), ...rows.filter((row) => !row.is_offered)];
  }

  /**
   * Returns the offered models without a row in the account (`missing`), and the rows of models
   * that the operator has withdrawn. An offered model is skipped if a custom model has its name.
   */
  missingAndWithdrawn(rows: readonly AiModelRow[]): { missing: OfferedModel[]; withdrawn: AiModelRow[] } {
    const withdrawn = rows.filter((row) => this.isWithdrawn(row));
    const taken = new Set(
      rows.filter((row) => !withdrawn.includes(row)).map(({ name }) => name.toLowerCase()),
    );
    return { withdrawn, missing: this.#models.filter(({ name }) => !taken.has(name.toLowerCase())) };
  }

  #of({ name, is_offered: isOffered }: AiModelRow): OfferedModel | undefined {
    return isOffered ? this.#models.find((model) => model.name === name) : undefined;
  }
}

/** Returns the 403 error for changes to an offered model, which only the operator can make. */
export function offeredModelForbidden() {
  return forbidden(
    'This model is offered by your administrator. It cannot be changed or removed here.',
    'ai_model_offered',
  );
}
