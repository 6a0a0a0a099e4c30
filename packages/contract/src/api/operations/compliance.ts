import { type Operations, WRITE_ERRORS } from '../operation.ts';

/** Error codes of operations that may call a language model to judge an issue. */
const JUDGING_ERRORS = ['not_found', 'plan_limit', 'upstream_failed', 'unavailable'] as const;

export const complianceOperations: Operations = {
  'GET /api/v1/issue_compliance/:issue_id': {
    id: 'scoreIssue',
    summary: 'Score an issue',
    description:
      'Returns how an issue meets the criteria of a prompt. Computes it on first use and stores it.',
    errors: JUDGING_ERRORS,
  },
  'POST /api/v1/issue_compliance/batch': {
    id: 'scoreIssues',
    summary: 'Score several issues',
    description:
      'Returns the scores of up to 100 issues within two seconds. Scores that are not ready have the state `checking`; the live channel reports them.',
    errors: JUDGING_ERRORS,
  },
  'GET /api/v1/issue_compliance/:issue_id/history': {
    id: 'getScoreHistory',
    summary: 'Get earlier scores',
    description:
      'Returns the scores an issue had: one per version of its texts, of the prompt and of the analyst.',
  },
  'GET /api/v1/issue_compliance_stats': {
    id: 'getComplianceStats',
    summary: 'Summarize scores by project',
    description:
      'Returns for each project the number of scored issues, the mean score, and the number of issues per tenth of the score.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/issue_compliance_scores': {
    id: 'getComplianceScores',
    summary: 'Get all current scores',
    description: 'Returns the ids of scored issues and their scores as two parallel columns.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/issue_compliance_runs': {
    id: 'listComplianceRuns',
    summary: 'List scoring runs',
    description: 'Returns the newest scoring run of each project.',
    errors: ['not_found'],
  },
  'POST /api/v1/issue_compliance_runs/preview': {
    id: 'previewComplianceRun',
    summary: 'Estimate a scoring run',
    description: 'Returns how many issues would be scored, and with how many calls of a language model.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'POST /api/v1/issue_compliance_runs': {
    id: 'startComplianceRun',
    summary: 'Score whole projects',
    description:
      'Starts scoring all issues of the projects in the background. Refused if it takes more calls of a language model than `most_calls`.',
    errors: ['ambiguous_project', 'not_found', 'more_calls'],
  },
  'POST /api/v1/issue_compliance_runs/:run_id/stop': {
    id: 'stopComplianceRun',
    summary: 'Stop a scoring run',
    description: 'Stops a run after its current page. Its scores are retained.',
  },
  'GET /api/v1/issue_compliance_suggestion/:issue_id': {
    id: 'suggestImprovement',
    summary: 'Suggest better texts',
    description:
      'Returns a title and a description with which the issue would score higher. Nothing is written.',
    errors: ['upstream_failed', 'unavailable'],
  },
  'POST /api/v1/issue_compliance_trial/:issue_id': {
    id: 'tryTexts',
    summary: 'Score texts before writing them',
    description: 'Returns what an issue would score with other texts. Nothing is stored or written.',
  },
  'PATCH /api/v1/issue_compliance_update/:issue_id': {
    id: 'updateIssueTexts',
    summary: 'Write better texts',
    description:
      'Writes a title and a description to the tracker. Returns 200 when it is applied within ten seconds, else 202. The change can be undone.',
    errors: WRITE_ERRORS,
  },
  'GET /api/v1/issue_compliance_prompts': {
    id: 'listPrompts',
    summary: 'List prompts',
    description:
      'Returns the prompts that issues can be scored by: the built-in ones and those of the account.',
  },
  'POST /api/v1/issue_compliance_prompts': {
    id: 'createPrompt',
    summary: 'Create a prompt',
    description: 'Creates a prompt of the account with weighted criteria.',
    errors: ['name_taken', 'too_many_prompts', 'plan_limit'],
  },
  'POST /api/v1/issue_compliance_prompts/try': {
    id: 'tryPrompt',
    summary: 'Try a prompt',
    description: 'Scores up to ten issues by a prompt that is not saved. Nothing is stored.',
    errors: JUDGING_ERRORS,
  },
  'PUT /api/v1/issue_compliance_prompts/:prompt_id': {
    id: 'updatePrompt',
    summary: 'Change a prompt',
    description: 'Stores a new version of a prompt. Scores by the previous version become stale.',
    errors: ['name_taken', 'plan_limit'],
  },
  'GET /api/v1/issue_compliance_prompts/:prompt_id/versions': {
    id: 'listPromptVersions',
    summary: 'List versions of a prompt',
    description: 'Returns the versions of a prompt, newest first.',
  },
  'DELETE /api/v1/issue_compliance_prompts/:prompt_id': {
    id: 'deletePrompt',
    summary: 'Delete a prompt',
    description: 'Deletes a prompt of the account with its versions and scores.',
    errors: ['plan_limit'],
  },
};
