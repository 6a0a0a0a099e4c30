import * as change from '../../change.ts';
import * as compliance from '../../compliance.ts';
import { previewRequest } from '../../preview.ts';
import { BUILT_IN_ANALYST } from '../../verdict.ts';
import { EXAMPLE_TIME, example, HASH, IDS, LATER_EXAMPLE_TIME } from '../example.ts';
import { EXAMPLE_ISSUE, TRACKER } from './issues.ts';

const BASE_HASHES = { [IDS.issue]: HASH };
const TITLE = 'Export button does nothing after the second click';
const TEXT = '## Steps\n1. Open a report.\n2. Click **Export** twice.';
const PROMPT = 'dor_compliance_v1';

const place = { project_id: IDS.project, tracker: TRACKER };
const step = {
  id: IDS.step,
  action: 'close_as_duplicate' as const,
  group: 0,
  target_key: 'acme/web#12',
  target_project_id: IDS.project,
  other_project_id: IDS.project,
  target_tracker: TRACKER,
  before: { state: 'opened' as const },
  after: { state: 'closed' as const, duplicate_of: 'acme/web#7' },
  status: 'applied' as const,
  error: null,
  applied_at: LATER_EXAMPLE_TIME,
};
export const closed = {
  id: IDS.change,
  kind: 'resolution' as const,
  status: 'applied' as const,
  title: 'Closed acme/web#12 as a duplicate of acme/web#7.',
  rationale: null,
  confidence: null,
  actor: { type: 'user' as const, id: IDS.user, name: 'ada' },
  decided_by: 'ada',
  issue_keys: ['acme/web#7', 'acme/web#12'],
  issues: [
    { id: IDS.original, key: 'acme/web#7', ...place },
    { id: IDS.issue, key: 'acme/web#12', ...place },
  ],
  steps: [step],
  base_hashes: BASE_HASHES,
  created_at: EXAMPLE_TIME,
  decided_at: EXAMPLE_TIME,
  retried_by: null,
  applied_at: LATER_EXAMPLE_TIME,
  undoes: null,
  undone_by: null,
};
const resolution = {
  issue1_id: IDS.original,
  issue2_id: IDS.issue,
  resolution: 'close_b' as const,
  base_hashes: BASE_HASHES,
};
const criterion = {
  id: 'acceptance',
  name: 'Acceptance criteria',
  weight: 1,
  description: 'Says when the work is done.',
  check: 'acceptance' as const,
};
const prompt = {
  id: PROMPT,
  name: 'Definition of Ready',
  short_name: 'DoR',
  description: 'Whether work on an issue can begin.',
  criteria: [criterion],
  builtin: true,
  version: 1,
};
const draft = {
  name: 'Security review',
  short_name: 'Security',
  criteria: [{ name: 'Threats', weight: 1, description: 'Names what could be attacked.' }],
};
const criterionResult = {
  id: criterion.id,
  name: criterion.name,
  weight: 1,
  score: 0.4,
  note: 'No acceptance criteria are given.',
  evidence: [{ field: 'description' as const, start: 0, end: 8, quote: '## Steps' }],
  fix: 'Add a list of acceptance criteria.',
};
const score = {
  id: IDS.other,
  issue_id: IDS.issue,
  prompt_id: PROMPT,
  name: prompt.name,
  short_name: prompt.short_name,
  state: 'evaluated' as const,
  compliance_factor: 0.4,
  judged_share: 1,
  reason: 'It does not say when the work is done.',
  suggestion: 'Add a list of acceptance criteria.',
  criteria: [criterionResult],
  estimate: null,
  ai_model_id: null,
  ai_model_name: BUILT_IN_ANALYST,
  instead_of: null,
  evaluated_at: EXAMPLE_TIME,
  stale: false,
};
const run = {
  id: IDS.other,
  project_id: IDS.project,
  prompt_id: PROMPT,
  status: 'opened' as const,
  state: 'running' as const,
  done: 50,
  total: 134,
  reason: null,
  started_at: EXAMPLE_TIME,
  ended_at: null,
};
const move = { before: 0.4, after: 0.8 };

/** Examples of the schemas of changes and compliance. */
export const CHANGE_EXAMPLES = [
  example(change.change, closed),
  example(change.changeList, { changes: [closed], total: 1, limit: 20, skip: 0 }),
  example(change.resolutionPayload, resolution),
  example(change.proposalPayload, { ...resolution, reason: 'Same steps, same error.' }),
  example(change.resolutionResult, {
    issue1_id: IDS.original,
    issue2_id: IDS.issue,
    resolution: 'closed',
    change_id: IDS.change,
    summary: closed.title,
    status: 'applied',
    steps: [
      {
        id: step.id,
        action: step.action,
        target_key: step.target_key,
        target_project_id: step.target_project_id,
        status: 'applied',
        error: null,
      },
    ],
  }),
  example(previewRequest, { kind: 'resolution', payload: resolution }),
  example(change.changePreview, {
    kind: 'resolution',
    title: closed.title,
    rationale: null,
    issue_keys: closed.issue_keys,
    issues: closed.issues,
    base_hashes: BASE_HASHES,
    steps: [
      {
        action: step.action,
        group: step.group,
        target_id: IDS.issue,
        target_key: step.target_key,
        target_project_id: step.target_project_id,
        other_project_id: step.other_project_id,
        target_tracker: step.target_tracker,
        before: step.before,
        after: step.after,
      },
    ],
  }),
  example(compliance.complianceResult, score),
  example(compliance.complianceResults, { results: [score] }),
  example(compliance.complianceBatch, { issue_ids: [IDS.issue], prompt_name: PROMPT }),
  example(compliance.complianceHistory, {
    results: [
      {
        id: IDS.other,
        ai_model_name: BUILT_IN_ANALYST,
        stale: false,
        compliance_factor: 0.4,
        evaluated_at: EXAMPLE_TIME,
        prompt_version: 1,
      },
    ],
  }),
  example(compliance.complianceStats, {
    projects: [
      {
        project_id: IDS.project,
        project_name: 'web',
        total: 134,
        evaluated: 134,
        evaluated_by_model: null,
        not_evaluable: 0,
        mean: 0.61,
        tenths: [0, 2, 6, 14, 20, 30, 32, 20, 8, 2],
      },
    ],
  }),
  example(compliance.complianceScores, { issue_ids: [IDS.issue], factors: [0.4] }),
  example(compliance.complianceRun, run),
  example(compliance.complianceRuns, { runs: [run] }),
  example(compliance.complianceRunPreviewRequest, { project_ids: [IDS.project] }),
  example(compliance.complianceRunRequest, { project_ids: [IDS.project], most_calls: 120 }),
  example(compliance.complianceRunPreview, { to_score: 84, calls: 0, ai_model_name: BUILT_IN_ANALYST }),
  example(compliance.complianceSuggestion, {
    title: TITLE,
    description: TEXT,
    changes: ['Added the steps.'],
    sources: ['new', 'issue', 'issue'],
    score: move,
    notice: null,
    ai_model_id: null,
    ai_model_name: BUILT_IN_ANALYST,
  }),
  example(compliance.complianceTrial, { title: TITLE, description: TEXT }),
  example(compliance.complianceTrialResult, { score: move, judged_share: 1, criteria: [criterionResult] }),
  example(compliance.complianceUpdate, {
    title: TITLE,
    description: TEXT,
    changes: ['Added the steps.'],
    base_hashes: BASE_HASHES,
  }),
  example(compliance.complianceUpdated, {
    issue: { ...EXAMPLE_ISSUE, title: TITLE, description: TEXT },
    change_id: IDS.change,
    status: 'applied',
    error: null,
  }),
  example(compliance.compliancePrompt, prompt),
  example(compliance.compliancePromptVersions, [{ ...prompt, created_at: EXAMPLE_TIME }]),
  example(compliance.compliancePromptDraft, draft),
  example(compliance.promptTrial, { prompt: draft, issue_ids: [IDS.issue] }),
];
