import { type AiModel, MODEL_STATES, type ModelState } from '@winnow/contract/ai-model';
import type { Tone } from '../../theme/tones.ts';

/** The color of each state. */
export const STATE_TONES: Record<ModelState, Tone> = {
  unused: 'neutral',
  ok: 'success',
  failing: 'warning',
  paused: 'danger',
  capped: 'warning',
};

/** True for a model that a person should look at. */
export function needsAttention({ health }: Pick<AiModel, 'health'>): boolean {
  return health.state === 'failing' || health.state === 'paused' || health.state === 'capped';
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times in a row`;
}

/** What is wrong with a model, in one or two sentences; null where nothing is. */
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

/** Who answers meanwhile, in a sentence; null where nobody has to. */
export function insteadText({ health }: Pick<AiModel, 'health'>): string | null {
  if (health.used_instead === null) return null;
  return `The ${health.used_instead.toLowerCase()} answers reviews and scores instead.`;
}

export function stateLabel(state: ModelState): string {
  return MODEL_STATES[state].label;
}

/** An amount in US dollars: cents, or as many digits as a small amount needs. */
export function dollarsText(amount: number): string {
  if (amount === 0) return '$0';
  if (amount < 0.01) return 'less than $0.01';
  return `$${amount.toFixed(2)}`;
}
