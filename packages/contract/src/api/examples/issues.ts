import * as dependency from '../../dependency.ts';
import * as duplicate from '../../duplicate.ts';
import * as issue from '../../issue.ts';
import { issueDetail } from '../../issue-detail.ts';
import { issueMap, searchResults } from '../../search.ts';
import * as suggestion from '../../suggestion.ts';
import * as verdict from '../../verdict.ts';
import { EXAMPLE_TIME, example, HASH, IDS, LATER_EXAMPLE_TIME } from '../example.ts';

const URL = 'https://github.com/acme/web/issues/12';
export const TRACKER = { name: 'Acme', type: 'github' as const };
const project = { id: IDS.project, name: 'web', identifier: 'acme/web' };
const summary = {
  id: IDS.issue,
  key: 'acme/web#12',
  title: 'Export button does nothing on a slow connection',
  status: 'open',
  state: 'opened' as const,
  issue_type: 'bug',
  author: 'ada',
  project_id: IDS.project,
  project,
  tracker_id: IDS.tracker,
  tracker: TRACKER,
  url: URL,
  comments_count: 1,
  created_at: EXAMPLE_TIME,
  updated_at: LATER_EXAMPLE_TIME,
};
export const EXAMPLE_ISSUE = {
  ...summary,
  external_id: '12',
  description: 'The second click on **Export** does nothing.',
  priority: null,
  labels: ['bug'],
  assignees: ['grace'],
  organization: { id: IDS.organization, name: 'acme' },
  parent_key: null,
  content_hash: HASH,
  synced_at: '2026-03-02T09:30:00.000Z',
  meta_data: { url: URL },
};
const original = { id: IDS.original, key: 'acme/web#7', title: 'Export button is dead' };
const comment = {
  id: IDS.other,
  author: 'grace',
  body: 'Seen on Firefox.',
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
};
const pair = {
  id: IDS.pair,
  issue1: { ...summary, ...original },
  issue2: summary,
  similarity: 0.86,
  probability: 0.91,
  standing: 'both_open' as const,
  series: null,
  judgment: null,
  resolution: null,
  dismissed: false,
  undone: false,
  created_at: EXAMPLE_TIME,
};
const shared = {
  text: 'the second click',
  in1: [0, 16] as [number, number],
  in2: [0, 16] as [number, number],
};
const pairKey = { issue1_id: IDS.original, issue2_id: IDS.issue };
const judged = {
  ...pairKey,
  decision: 'duplicate' as const,
  confidence: 0.9,
  reason: 'Both report that a second click on Export does nothing.',
  relation: 'same' as const,
  probability: 0.91,
  suggestion: 'Close acme/web#12 as a duplicate of acme/web#7.',
  resolution: null,
  resolution_at: null,
  resolved_by: null,
  ai_model_id: null,
  ai_model_name: verdict.BUILT_IN_ANALYST,
  instead_of: null,
  decided_at: EXAMPLE_TIME,
  stale: false,
};
const place = { project_id: IDS.project, tracker: TRACKER };
const named = { source_issue_id: IDS.original, dependent_issue_id: IDS.issue };
const blocking = {
  source: { id: IDS.original, key: original.key, ...place },
  dependent: { id: IDS.issue, key: summary.key, ...place },
  ...named,
  issue_key: original.key,
  dependency_key: summary.key,
  reason: 'acme/web#12 says that it waits for acme/web#7.',
  confidence_score: 0.95,
  found_by: verdict.BUILT_IN_ANALYST,
  is_committed: false,
  comes_from_tracker: false,
  undone: false,
  change_id: null,
};
const found = { dependencies: [blocking], notice: null, checking: false };

/** Examples of the schemas of issues, search, pairs, verdicts and dependencies. */
export const ISSUE_EXAMPLES = [
  example(issueDetail, {
    ...EXAMPLE_ISSUE,
    comments: [comment],
    pairs: [pair],
    compliance: [],
    dependencies: [blocking],
    changes: [],
  }),
  example(issue.similarIssues, {
    results: [{ issue: { ...summary, ...original }, similarity: 0.86 }],
    model_used: 'minilm',
  }),
  example(issue.issuesCount, { total_issues: 134, total_processed: 134, notice: null }),
  example(issue.organizationList, {
    items: [{ id: IDS.organization, name: 'acme', identifier: 'acme', tracker_id: IDS.tracker }],
    total: 1,
    limit: 100,
    offset: 0,
  }),
  example(issue.project, {
    ...project,
    organization_id: IDS.organization,
    tracker_id: IDS.tracker,
    tracker_name: TRACKER.name,
    tracker_type: TRACKER.type,
    has_namesake: false,
    issues: 134,
  }),
  example(searchResults, {
    results: [
      {
        item_type: 'issue',
        item: EXAMPLE_ISSUE,
        similarity: 0.72,
        highlights: [{ field: 'title', start: 0, end: 6 }],
      },
    ],
    total: 1,
    total_is_capped: false,
    limit: 10,
    skip: 0,
    search_type: 'hybrid',
    notice: null,
    region_total: null,
  }),
  example(issueMap, {
    data: [
      {
        issue_id: IDS.issue,
        project_id: IDS.project,
        issue_key: summary.key,
        issue_title: summary.title,
        state: 'opened',
        x: 1.25,
        y: -0.5,
        cluster_id: 1,
      },
    ],
    clusters: [{ cluster_id: 1, issues: 14, name: 'export' }],
    missing: 0,
    capped_at: null,
  }),
  example(duplicate.pairList, {
    duplicates: [pair],
    total: 1,
    limit: 10,
    skip: 0,
    threshold_used: 0.1,
    mark: 0.25,
    model_used: 'minilm',
  }),
  example(duplicate.pairDetail, {
    ...pair,
    issue1: { ...EXAMPLE_ISSUE, ...original },
    issue2: EXAMPLE_ISSUE,
    evidence: { title: 0.8, body: 0.9, error_text: null, shared: [shared] },
    likelihood: {
      raises: [{ text: 'Both issues are open.', effect: 0.8 }],
      lowers: [{ text: 'grace wrote both issues.', effect: -0.6 }],
    },
    change_id: null,
  }),
  example(duplicate.pairKey, pairKey),
  example(duplicate.pairJudgmentBody, { judgment: 'related' }),
  example(duplicate.pairMarkBody, { mark: 0.5 }),
  example(duplicate.duplicateStats, {
    projects: [{ project_id: IDS.project, project_name: 'web', duplicates: 8, total: 134 }],
    threshold_used: 0.72,
    mark: 0.25,
  }),
  example(verdict.verdict, judged),
  example(verdict.verdictBatch, { pairs: [pairKey] }),
  example(verdict.verdictList, { verdicts: [judged] }),
  example(suggestion.suggestionRequest, { ...pairKey, resolution: 'merged' }),
  example(suggestion.suggestion, {
    merged_title: original.title,
    merged_description: 'The second click on **Export** does nothing.',
    deconflicted_title1: null,
    deconflicted_description1: null,
    deconflicted_title2: null,
    deconflicted_description2: null,
    explanation: 'The texts say the same. The better description is retained.',
    merged_sources: ['both'],
    ai_model_id: null,
    ai_model_name: verdict.BUILT_IN_ANALYST,
  }),
  example(dependency.detectRequest, { issue_ids: [IDS.issue, IDS.original] }),
  example(dependency.extendRequest, { issue_ids: [IDS.issue], extend_by: 10 }),
  example(dependency.dependencyList, found),
  example(dependency.extendedScan, { ...found, issues: [summary] }),
  example(dependency.commitRequest, { dependencies: [named] }),
  example(dependency.commitResult, {
    dependencies: [{ ...blocking, is_committed: true, change_id: IDS.change }],
    failed: [],
    pending: [],
  }),
  example(dependency.dismissRequest, named),
  example(dependency.dismissedList, { dependencies: [blocking] }),
  example(dependency.dependencyGraph, {
    issues: [
      {
        id: IDS.issue,
        project_id: IDS.project,
        key: summary.key,
        title: summary.title,
        status: 'open',
        state: 'opened',
        url: URL,
        created_at: EXAMPLE_TIME,
        layer: 1,
      },
    ],
    dependencies: [{ ...blocking, is_satisfied: false, is_in_cycle: false }],
    cycles: [],
    longest_chain: [IDS.original, IDS.issue],
    scan: { read: 134, total: 134 },
  }),
];
