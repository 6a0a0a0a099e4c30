import { isSameText } from './edited-texts.ts';
import type { PlannedStep } from './plan.ts';

/** The texts an issue is to get; one left out stays. */
export interface ResultingTexts {
  title?: string | undefined;
  description?: string | undefined;
}

/** Writes those of the texts that differ from what the issue says; no step when none does. */
export function editSteps(
  issue: { id: string; key: string; title: string; description: string },
  texts: ResultingTexts,
): PlannedStep[] {
  const before: PlannedStep['before'] = {};
  const after: PlannedStep['after'] = {};
  for (const field of ['title', 'description'] as const) {
    const text = texts[field];
    if (text === undefined || isSameText(text, issue[field])) continue;
    before[field] = issue[field];
    after[field] = text;
  }
  if (Object.keys(after).length === 0) return [];
  return [{ action: 'edit', issueId: issue.id, key: issue.key, before, after }];
}
