import type { ComplianceRun, ComplianceRunPreview } from '@winnow/contract/compliance';
import { countText } from '../../../ui/texts/count-text.ts';

/** Sums the progress of several runs. */
function progressOf(runs: readonly ComplianceRun[]): { done: number; total: number } {
  return {
    done: runs.reduce((sum, run) => sum + run.done, 0),
    total: runs.reduce((sum, run) => sum + run.total, 0),
  };
}

/** Formats the progress of runs: `Scoring: 300 of 1,203`. */
export function progressText(runs: readonly ComplianceRun[]): string {
  const { done, total } = progressOf(runs);
  return `Scoring: ${countText(done)} of ${countText(total)}`;
}

/** Describes how many issues and model calls a scoring run takes. */
export function costText({ to_score, calls, ai_model_name }: ComplianceRunPreview): string {
  const issues = to_score === 1 ? '1 issue has' : `${countText(to_score)} issues have`;
  const callCount = calls === 1 ? '1 call' : `${countText(calls)} calls`;
  return `${issues} no current score. ${ai_model_name} is called once per issue: ${callCount}. Scoring runs in the background and can be stopped.`;
}
