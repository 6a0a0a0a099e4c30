import { type Operations, WRITE_ERRORS } from '../operation.ts';

const RESOLUTION_ERRORS = [
  ...WRITE_ERRORS,
  'already_closed',
  'already_resolved',
  'being_closed',
  'being_resolved',
  'decision_undone',
  'duplicate_cycle',
  'same_issue',
  'target_closed',
  'target_is_duplicate',
  'unknown_original',
] as const;

export const duplicateOperations: Operations = {
  'GET /api/v1/issue-duplicates': {
    id: 'listPairs',
    summary: 'List similar pairs',
    description:
      'Returns pairs of similar issues, most similar first, or most likely first with `order_by=probability`. By default both issues are open and in one project. `scope=account` compares across projects; only one of the two issues must then be in `project_ids`.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/issue-duplicates/:pair_id': {
    id: 'getPair',
    summary: 'Get a pair',
    description: 'Returns a pair with both texts and the passages that they share.',
  },
  'PUT /api/v1/issue-duplicates/mark': {
    id: 'setPairMark',
    summary: 'Set the minimum probability of the queue',
    description:
      'Stores the minimum probability of a pair that is worth a decision, for the whole account. Null restores the default.',
  },
  'PUT /api/v1/issue-duplicates/:pair_id/judgment': {
    id: 'judgePair',
    summary: 'Store a judgment of a pair',
    description:
      'Stores that two issues are the same, related or different. Nothing is written to the tracker. With enough judged pairs, the probabilities of all pairs are calibrated to them.',
    errors: ['not_found'],
  },
  'DELETE /api/v1/issue-duplicates/:pair_id/judgment': {
    id: 'removePairJudgment',
    summary: 'Remove a judgment of a pair',
    description:
      'Removes the judgment of a pair. Probabilities are adjusted again once a tenth of the judgments has changed.',
    errors: ['not_found'],
  },
  'GET /api/v1/issue-duplicates/check': {
    id: 'checkPair',
    summary: 'Judge a pair',
    description:
      'Returns the verdict about two issues in the given order. Computes it on first use and stores it. Asks the default model about any pair, even if its probability is below 0.1 or above 0.9.',
    errors: ['not_found'],
  },
  'POST /api/v1/issue-duplicates/check-batch': {
    id: 'checkPairs',
    summary: 'Judge several pairs',
    description:
      'Returns verdicts about up to 100 pairs within two seconds. Pairs that are not judged yet have the decision `checking`; the live channel reports them. Asks the default model only about pairs with a probability from 0.1 to 0.9. Other pairs get the verdict of the built-in analyst, and `instead_of` states the reason.',
    errors: ['not_found'],
  },
  'POST /api/v1/ai-suggestion': {
    id: 'suggestTexts',
    summary: 'Suggest texts for a pair',
    description:
      'Returns texts that merge two issues, or that make their difference clear. Fields of the other resolution are null. Nothing is written.',
    errors: ['not_found', 'upstream_failed', 'unavailable'],
  },
  'PATCH /api/v1/issue-duplicates/execute-resolution': {
    id: 'resolvePair',
    summary: 'Resolve a pair',
    description:
      'Closes, merges, deconflicts or marks a pair as unrelated, and writes that to the tracker. Returns 200 when all is applied within ten seconds, else 202. The change can be undone.',
    errors: RESOLUTION_ERRORS,
  },
  'PATCH /api/v1/issue-duplicates/propose-resolution': {
    id: 'proposeResolution',
    summary: 'Propose a resolution',
    description:
      'Stores a resolution as a proposed change, for a person or another key to approve. Nothing is written to the tracker.',
    errors: [...RESOLUTION_ERRORS, 'already_proposed'],
  },
  'POST /api/v1/issue-duplicates/dismiss': {
    id: 'dismissPair',
    summary: 'Dismiss a pair',
    description: 'Hides a pair from lists and suggestions. Nothing is written to the tracker.',
    errors: ['not_found'],
  },
  'POST /api/v1/issue-duplicates/restore': {
    id: 'restorePair',
    summary: 'Restore a dismissed pair',
    description: 'Lists a dismissed pair again.',
    errors: ['not_found'],
  },
  'POST /api/v1/issue-duplicates/series/:series_id/dismiss': {
    id: 'dismissSeries',
    summary: 'Dismiss a series',
    description:
      'Dismisses all pairs of a series of issues, and those found later. Nothing is written to the tracker.',
    errors: ['not_found'],
  },
  'POST /api/v1/issue-duplicates/series/:series_id/restore': {
    id: 'restoreSeries',
    summary: 'Restore a dismissed series',
    description: 'Lists the pairs of a dismissed series again.',
    errors: ['not_found'],
  },
  'GET /api/v1/project-duplicate-stats': {
    id: 'getDuplicateStats',
    summary: 'Count duplicates by project',
    description:
      'Returns for each project how many issues are in at least one unresolved pair at or above the threshold, and how many issues it has.',
    errors: ['ambiguous_project', 'not_found'],
  },
};
