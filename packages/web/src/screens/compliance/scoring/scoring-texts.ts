import type { ComplianceRun, ComplianceRunPreview } from '@winnow/contract/compliance';
import { countText } from '../../../ui/texts/count-text.ts';

/** Returns the total progress of several scoring runs. */
function progressOf(runs: readonly ComplianceRun[]): { done: number; total: number } {
  return {
    done: runs.reduce((sum, run) => sum + run.done, 0),
    total: runs.reduce((sum, run) => sum + run.total, 0),
  };
}

/** Formats the progress of scoring runs, such as `Scoring: 300 of 1,203`. */
export function progressText(runs: readonly ComplianceRun[]): string {
  const { done, total } = progressOf(runs);
  return `Scoring: ${countText(done)} of ${countText(total)}`;
}

/** States how many issues a scoring run would score, and how many model calls this takes. */
export function costText({ to_score, calls, ai_model_name }: ComplianceRunPreview): string {
  const issues = to_score === 1 ? '1 issue has' : `${countText(to_score)} issues have`;
  const callCount = calls === 1 ? '1 call' : `${countText(calls)} calls`;
  return `${issues} no current score. ${ai_model_name} is called once per issue: ${callCount}. Scoring runs in the background and can be stopped.`;
}
