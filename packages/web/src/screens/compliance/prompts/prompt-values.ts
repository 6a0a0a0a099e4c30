import {
  type CompliancePrompt,
  type CompliancePromptDraft,
  type CriterionCheck,
  compliancePromptDraft,
} from '@winnow/contract/compliance';

/** Values of the form fields of a criterion. */
export type CriterionValues = {
  /** Id of the criterion in the form. It does not change when the criterion is moved or renamed. */
  key: string;
  name: string;
  /** The weight as typed, which may not be a number yet. */
  weight: number | string;
  /**
   * Saved weight in percent at full precision; null for a new criterion. `weight` contains the
   * rounded value.
   */
  exactWeight: number | null;
  description: string;
  /**
   * Check that the built-in analyst uses; null if only a language model can judge the criterion.
   */
  check: CriterionCheck | null;
};

/** Values of the form fields of a prompt. */
export type PromptValues = {
  name: string;
  short_name: string;
  description: string;
  criteria: CriterionValues[];
};

/** Maximum number of criteria of a prompt. */
export const MAX_CRITERIA = 12;

export function emptyCriterion(key: string): CriterionValues {
  return { key, name: '', weight: 1, exactWeight: null, description: '', check: null };
}

/**
 * Returns the form values of a prompt, with weights in percent. Without a prompt, returns those of
 * a new prompt with one empty criterion.
 */
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

/** Rounds a percentage to three significant digits. */
function shownWeight(percentage: number): number {
  return Number(percentage.toPrecision(3));
}

/** Returns the exact weight, unless the user edited the displayed weight. */
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

/** Returns the prompt to send to the server; null if the form is invalid. */
export function draftOf(values: PromptValues): CompliancePromptDraft | null {
  const parsed = compliancePromptDraft.safeParse(rawDraft(values));
  return parsed.success ? parsed.data : null;
}

/**
 * Returns the first error of each field. The key is the path of the field, such as
 * `criteria.0.name`.
 */
export function errorsOf(values: PromptValues): Record<string, string> {
  const parsed = compliancePromptDraft.safeParse(rawDraft(values));
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}

/**
 * Formats the share of a criterion in the total weight, such as `25%`. Empty if the weight of the
 * criterion is not positive.
 */
export function shareText(values: PromptValues, index: number): string {
  const weights = values.criteria.map((criterion) => Math.max(0, weightOf(criterion) || 0));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const own = weights[index] ?? 0;
  return whole === 0 || own === 0 ? '' : `${Math.round((own / whole) * 100)}%`;
}
