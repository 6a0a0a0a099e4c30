import { z } from 'zod';
import { contentHash, id, instant, pageQuery, projectReference, repeated } from './primitives.ts';
import { trackerType } from './tracker.ts';

export const issueState = z.enum(['opened', 'closed']);
export type IssueState = z.infer<typeof issueState>;

/** Returns a schema that also accepts `open` as an alias of `opened`. */
export function withOpened<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess((value) => (value === 'open' ? 'opened' : value), schema);
}

/** Filters issues by state. */
export const statusFilter = withOpened(z.enum(['opened', 'closed', 'all']));
export type StatusFilter = z.infer<typeof statusFilter>;

export const issueType = z.string();
/** Issue type of pull requests and merge requests. */
export const CHANGE_REQUEST = 'change_request';

export const organization = z.object({
  id,
  name: z.string(),
  identifier: z.string(),
  tracker_id: id,
});
export type Organization = z.infer<typeof organization>;

export const project = z.object({
  id,
  name: z.string(),
  identifier: z.string(),
  organization_id: id,
  tracker_id: id,
  tracker_name: z.string(),
  tracker_type: trackerType,
  /**
   * True if a project in another tracker has the same identifier or name, as a mirror has. The
   * project and its issues are then always displayed with the name of their tracker.
   */
  has_namesake: z.boolean(),
  issues: z.int(),
});
export type Project = z.infer<typeof project>;

/** The tracker of an issue. Clients need it to distinguish issues with the same key. */
export const namedTracker = z.object({ name: z.string(), type: trackerType });
export type NamedTracker = z.infer<typeof namedTracker>;

export const issue = z.object({
  id,
  external_id: z.string(),
  key: z.string(),
  title: z.string(),
  /** Description of the issue, in Markdown. */
  description: z.string(),
  /** Name of the state in the tracker, such as `In Progress`. */
  status: z.string(),
  state: issueState,
  issue_type: issueType,
  priority: z.string().nullable(),
  labels: z.array(z.string()),
  assignees: z.array(z.string()),
  author: z.string().nullable(),
  project_id: id,
  project: z.object({ id, name: z.string(), identifier: z.string() }),
  organization: z.object({ id, name: z.string() }),
  tracker_id: id,
  tracker: namedTracker,
  url: z.string(),
  parent_key: z.string().nullable(),
  comments_count: z.int(),
  created_at: instant,
  updated_at: instant,
  content_hash: contentHash,
  /**
   * Last time when Winnow's copy of the issue matched the tracker. Null if the issue was last read
   * before Winnow recorded this time.
   */
  synced_at: instant.nullable(),
  meta_data: z.object({ url: z.string() }),
});
export type Issue = z.infer<typeof issue>;

/** An issue as shown in lists, without its description. */
export const issueSummary = issue.pick({
  id: true,
  key: true,
  title: true,
  status: true,
  state: true,
  issue_type: true,
  author: true,
  project_id: true,
  project: true,
  tracker_id: true,
  tracker: true,
  url: true,
  comments_count: true,
  created_at: true,
  updated_at: true,
});
export type IssueSummary = z.infer<typeof issueSummary>;

/**
 * A reference to an issue. Project and tracker are null if the issue is outside the projects that
 * the tracker reads.
 */
export const issueReference = z.object({
  id,
  key: z.string(),
  project_id: id.nullable(),
  tracker: namedTracker.nullable(),
});
export type IssueReference = z.infer<typeof issueReference>;

export const comment = z.object({
  id,
  author: z.string().nullable(),
  body: z.string(),
  created_at: instant,
  updated_at: instant,
});
export type Comment = z.infer<typeof comment>;

/**
 * Query parameters of a request for an issue. `tracker_id` is needed only if issues in several
 * trackers have the same key.
 */
export const issueQuery = z.object({ tracker_id: id.optional() });

/** Filters a list by project. The query parameter `project_ids` can be repeated. */
export const projectIdsQuery = repeated(projectReference);

export const similarQuery = z.object({
  ...issueQuery.shape,
  created_before: z.iso.datetime().optional(),
  status: statusFilter.default('all'),
  /** Limits the results to these projects. */
  project_ids: projectIdsQuery,
  limit: pageQuery(10).limit,
});
export const similarIssues = z.object({
  results: z.array(z.object({ issue: issueSummary, similarity: z.number() })),
  model_used: z.string(),
});

export const organizationsQuery = z.object({
  tracker_id: id.optional(),
  organization_id: id.optional(),
  ...pageQuery(100),
});
export const organizationList = z.object({
  items: z.array(organization),
  total: z.int(),
  limit: z.int(),
  offset: z.int(),
});
export const projectsQuery = z.object({ tracker_id: id.optional(), organization_id: id.optional() });
export const projectList = z.array(project);

export const issuesCount = z.object({
  total_issues: z.int(),
  /** Number of issues whose pairs are up to date. */
  total_processed: z.int(),
  /** A sentence about why the analysis is incomplete. Null if the analysis is complete. */
  notice: z.string().nullable(),
});
export type IssuesCount = z.infer<typeof issuesCount>;
