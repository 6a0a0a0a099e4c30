import { findIssues, findPrompt } from '../lookups.ts';
import { fallbackNotice, namedIssue } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const checkCompliance: RunTool<'check_compliance'> = async (services, caller, input) => {
  const { accountId, budget } = caller;
  const prompt = await findPrompt(services.prompts, accountId, input.prompt);
  const found = await findIssues(services.issues, caller, input.issues);
  const ids = found.map(({ id }) => id);
  const results = await services.evaluations.check(accountId, prompt.id, ids, budget);
  return {
    prompt: prompt.name,
    results: results.flatMap((result) => {
      const judged = found.find(({ id }) => id === result.issue_id);
      if (judged === undefined) return [];
      const issue = namedIssue(judged);
      if (result.compliance_factor === null) return { issue, checking: true };
      return {
        issue,
        ...(result.stale ? { stale: true } : {}),
        score: result.compliance_factor,
        scored_by: result.ai_model_name,
        ...fallbackNotice(result.instead_of),
        reason: result.reason,
        ...(result.suggestion === null ? {} : { suggestion: result.suggestion }),
        ...(result.estimate === null ? {} : { story_points: result.estimate.points }),
        criteria: result.criteria.map(({ name, score, fix }) => ({
          name,
          ...(score === null ? {} : { score }),
          ...(fix === null ? {} : { fix: fix }),
        })),
      };
    }),
  };
};
