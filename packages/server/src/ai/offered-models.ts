import type { OfferedModel } from '../platform/config-ai-models.ts';
import { forbidden } from '../platform/errors.ts';
import type { StoredModel } from './model.ts';
import { listPriceOf } from './prices.ts';
import type { AiModelRow } from './store.ts';

/**
 * The models that the operator offers to everybody. Each account has a row of each, so that what a model says can refer to
 * it; how it is called only the configuration knows, by its name.
 */
export class OfferedModels {
  readonly #models: readonly OfferedModel[];

  constructor(models: readonly OfferedModel[]) {
    this.#models = models;
  }

  /** Whether a row is of a model that is not offered any more. */
  isGone(row: AiModelRow): boolean {
    return row.is_offered && this.#of(row) === undefined;
  }

  /** The model of a row as it is asked; null for one that is not offered. */
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
        }
      : null;
  }

  /** The row with what the configuration says by now. */
  shown(row: AiModelRow): AiModelRow {
    const model = this.#of(row);
    return model ? { ...row, provider_name: model.provider, model_identifier: model.identifier } : row;
  }

  /** An account's rows as people see them: first what is offered, in its own order. */
  inOrder(rows: readonly AiModelRow[]): AiModelRow[] {
    const offered = this.#models.flatMap(
      ({ name }) => rows.find((row) => row.is_offered && row.name === name) ?? [],
    );
    return [...offered.map((row) => this.shown(row)), ...rows.filter((row) => !row.is_offered)];
  }

  /**
   * What an account's rows lack, and which of them are of models that are not offered any more. One whose name a model of the
   * account's own has is not lacking.
   */
  difference(rows: readonly AiModelRow[]): { missing: OfferedModel[]; gone: AiModelRow[] } {
    const gone = rows.filter((row) => this.isGone(row));
    const taken = new Set(rows.filter((row) => !gone.includes(row)).map(({ name }) => name.toLowerCase()));
    return { gone, missing: this.#models.filter(({ name }) => !taken.has(name.toLowerCase())) };
  }

  #of({ name, is_offered: isOffered }: AiModelRow): OfferedModel | undefined {
    return isOffered ? this.#models.find((model) => model.name === name) : undefined;
  }
}

/** 403: what is offered is the operator's. */
export function notYours() {
  return forbidden(
    'This model is offered by whoever runs this Winnow. It cannot be changed or removed here.',
    'ai_model_offered',
  );
}
