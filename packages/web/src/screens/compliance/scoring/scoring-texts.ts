import type { ComplianceRun, ComplianceRunPreview } from '@winnow/contract/compliance';
import { countText } from '../../../ui/texts/count-text.ts';

/** How far some runs are together. */
function progressOf(runs: readonly ComplianceRun[]): { done: number; total: number } {
  return {
    done: runs.reduce((sum, run) => sum + run.done, 0),
    total: runs.reduce((sum, run) => sum + run.total, 0),
  };
}

/** `Scoring: 300 of 1,203`. */
export function progressText(runs: readonly ComplianceRun[]): string {
  const { done, total } = progressOf(runs);
  return `Scoring: ${countText(done)} of ${countText(total)}`;
}

/** What scoring takes when a language model judges, in sentences. */
export function costText({ to_score, calls, ai_model_name }: ComplianceRunPreview): string {
  const issues = to_score === 1 ? '1 issue has' : `${countText(to_score)} issues have`;
  const asked = calls === 1 ? '1 call' : `${countText(calls)} calls`;
  return `${issues} no score of what they say now. ${ai_model_name} is asked once for each: ${asked}. It goes on in the background, and can be stopped.`;
}
