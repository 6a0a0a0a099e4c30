import {
  type CompliancePrompt,
  type CompliancePromptDraft,
  type CriterionCheck,
  compliancePromptDraft,
} from '@winnow/contract/compliance';

/** A criterion as it stands in the form. */
export type CriterionValues = {
  /** Tells it from others while it is moved and renamed. */
  key: string;
  name: string;
  /** What is typed may be no number yet. */
  weight: number | string;
  /**
   * The percentage that `weight` showed at first, as exact as it is kept; null for a new criterion.
   */
  exactWeight: number | null;
  description: string;
  /** Null where only a language model can judge. */
  check: CriterionCheck | null;
};

/** A prompt as it stands in the form. */
export type PromptValues = {
  name: string;
  short_name: string;
  description: string;
  criteria: CriterionValues[];
};

/** As many as a prompt takes. */
export const MOST_CRITERIA = 12;

export function emptyCriterion(key: string): CriterionValues {
  return { key, name: '', weight: 1, exactWeight: null, description: '', check: null };
}

/** A prompt to edit; a new one has one empty criterion. Weights are shown as percentages. */
export function valuesOf(prompt: CompliancePrompt | null): PromptValues {
  if (prompt === null) return { name: '', short_name: '', description: '', criteria: [emptyCriterion('1')] };
  const { name, short_name, description, criteria } = prompt;
  return {
    name,
    short_name,
    description,
    criteria: criteria.map(({ id, weight, ...rest }) => ({
      key: id,
      name: rest.name,
      weight: shownWeight(weight * 100),
      exactWeight: weight * 100,
      description: rest.description,
      check: rest.check,
    })),
  };
}

/** Three digits are enough to read, however small the weight. */
function shownWeight(percentage: number): number {
  return Number(percentage.toPrecision(3));
}

/** A weight that nobody has changed stays as exact as it was. */
function weightOf({ weight, exactWeight }: CriterionValues): number {
  const typed = Number(weight);
  return exactWeight !== null && typed === shownWeight(exactWeight) ? exactWeight : typed;
}

function rawDraft({ criteria, ...values }: PromptValues) {
  return {
    ...values,
    criteria: criteria.map((criterion) => {
      const { key: _key, exactWeight: _exact, ...rest } = criterion;
      return { ...rest, weight: weightOf(criterion) };
    }),
  };
}

/** What is sent; null while something is missing. */
export function draftOf(values: PromptValues): CompliancePromptDraft | null {
  const parsed = compliancePromptDraft.safeParse(rawDraft(values));
  return parsed.success ? parsed.data : null;
}

/**
 * What is wrong, by the field's path: `criteria.0.name`. The first thing said of a field counts.
 */
export function errorsOf(values: PromptValues): Record<string, string> {
  const parsed = compliancePromptDraft.safeParse(rawDraft(values));
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}

/** A criterion's share of the whole, as `25%`; empty while its weight is no number. */
export function shareText(values: PromptValues, index: number): string {
  const weights = values.criteria.map((criterion) => Math.max(0, weightOf(criterion) || 0));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const own = weights[index] ?? 0;
  return whole === 0 || own === 0 ? '' : `${Math.round((own / whole) * 100)}%`;
}
