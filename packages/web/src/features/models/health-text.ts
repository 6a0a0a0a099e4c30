import { type AiModel, MODEL_STATES, type ModelState } from '@winnow/contract/ai-model';
import type { Tone } from '../../theme/tones.ts';

/** Color tone of each model state. */
export const STATE_TONES: Record<ModelState, Tone> = {
  unused: 'neutral',
  ok: 'success',
  failing: 'warning',
  paused: 'danger',
  capped: 'warning',
};

/** True if the calls to a model fail or are paused, or if its spending cap is reached. */
export function needsAttention({ health }: Pick<AiModel, 'health'>): boolean {
  return health.state === 'failing' || health.state === 'paused' || health.state === 'capped';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times in a row`;
}

/** Describes the problem of a model in one or two sentences. Null if the model works. */
export function troubleText(model: Pick<AiModel, 'name' | 'health'>): string | null {
  const { name, health } = model;
  switch (health.state) {
    case 'unused':
    case 'ok':
      return null;
    case 'failing':
      return `${name} failed ${times(health.failures_in_row)}. ${health.last_failure ?? ''}`.trim();
    case 'paused':
      return `${name} is paused after ${health.failures_in_row} failures in a row. ${health.last_failure ?? ''}`.trim();
    case 'capped':
      return `${name} has reached its cap for this month.`;
  }
}

/** States in a sentence which analyst replaces the model. Null if the model itself is used. */
export function insteadText({ health }: Pick<AiModel, 'health'>): string | null {
  if (health.used_instead === null) return null;
  return `The ${health.used_instead.toLowerCase()} answers reviews and scores instead.`;
}

/** States how often a model and the built-in analyst agree with the decisions of people. */
export function agreementText({ agreement }: Pick<AiModel, 'agreement'>): string {
  if (agreement === null) {
    return 'Agreement with people is unknown: they have judged none of the pairs that this model judged.';
  }
  const { pairs, agreed, built_in_agreed } = agreement;
  const judged = `${agreed} of ${pairs} ${pairs === 1 ? 'pair' : 'pairs'}`;
  return `Agrees with people on ${judged} they judged. The built-in analyst agrees on ${built_in_agreed} of them.`;
}

export function stateLabel(state: ModelState): string {
  return MODEL_STATES[state].label;
}

/**
 * Formats an amount of US dollars with two decimals. Amounts below one cent read "less than $0.01".
 */
export function dollarsText(amount: number): string {
  if (amount === 0) return '$0';
  if (amount < 0.01) return 'less than $0.01';
  return `$${amount.toFixed(2)}`;
}
