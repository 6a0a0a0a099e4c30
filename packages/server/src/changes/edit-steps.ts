import { isSameText } from './edited-texts.ts';
import type { PlannedStep } from './plan.ts';

/** Texts that an issue should have after the edit. Omitted texts stay unchanged. */
export interface ResultingTexts {
  title?: string | undefined;
  description?: string | undefined;
}

/**
 * Plans an edit of the texts that differ from the issue's current texts. Returns no step if all are
 * equal.
 */
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
