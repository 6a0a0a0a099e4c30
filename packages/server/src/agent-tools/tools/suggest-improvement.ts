import { findIssue, findPrompt } from '../lookups.ts';
import { namedIssue } from '../present.ts';
import type { RunTool } from '../tool.ts';

export const suggestImprovement: RunTool<'suggest_improvement'> = async (services, caller, input) => {
  const { accountId, budget } = caller;
  const prompt = await findPrompt(services.prompts, accountId, input.prompt);
  const issue = await findIssue(services.issues, caller, input.issue);
  const suggestion = await services.improvements.suggest(accountId, prompt.id, issue.id, budget);
  const { title, description, changes, score, notice, ai_model_name: suggestedBy } = suggestion;
  return {
    issue: namedIssue(issue),
    title,
    ...(notice === null ? { description } : { notice }),
    changes,
    score,
    content_hash: issue.content_hash,
    suggested_by: suggestedBy,
  };
};
