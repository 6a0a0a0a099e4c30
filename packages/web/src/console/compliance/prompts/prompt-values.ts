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
  return { key, name: '', weight: 1, description: '', check: null };
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
      weight: Math.round(weight * 1_000) / 10,
      description: rest.description,
      check: rest.check,
    })),
  };
}

function rawDraft({ criteria, ...values }: PromptValues) {
  return {
    ...values,
    criteria: criteria.map(({ key: _, weight, ...rest }) => ({ ...rest, weight: Number(weight) })),
  };
}

/** What is sent; null while something is missing. */
export function draftOf(values: PromptValues): CompliancePromptDraft | null {
  const parsed = compliancePromptDraft.safeParse(rawDraft(values));
  return parsed.success ? parsed.data : null;
}

/** What is wrong, by the field's path: `criteria.0.name`. The first thing said of a field counts. */
export function errorsOf(values: PromptValues): Record<string, string> {
  const parsed = compliancePromptDraft.safeParse(rawDraft(values));
  const errors: Record<string, string> = {};
  for (const { path, message } of parsed.error?.issues ?? []) errors[path.join('.')] ??= message;
  return errors;
}

/** A criterion's share of the whole, as `25%`; empty while its weight is no number. */
export function shareText(values: PromptValues, index: number): string {
  const weights = values.criteria.map(({ weight }) => Math.max(0, Number(weight) || 0));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const own = weights[index] ?? 0;
  return whole === 0 || own === 0 ? '' : `${Math.round((own / whole) * 100)}%`;
}
