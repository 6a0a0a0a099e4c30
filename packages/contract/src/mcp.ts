import { z } from 'zod';
import type { Scope } from './api-key.ts';
import {
  changeKind,
  changeStatus,
  closeReason,
  issueDescription,
  issueTitle,
  MAX_MARKED_TEXT_CHARS,
  MAX_TITLE_CHARS,
} from './change.ts';
import {
  CLUSTER_PROBABILITY,
  clusterStatus,
  FACT_KINDS,
  factsPlace,
  MAX_CLUSTER_MEMBERS_CLOSED,
} from './cluster.ts';
import { issueState, statusFilter, withOpened } from './issue.ts';
import { contentHash, id, instant, memberOf } from './primitives.ts';
import { searchItemType } from './search.ts';
import { MAX_VERDICTS, verdictDecision } from './verdict.ts';

interface ToolDefinition {
  title: string;
  /** Scopes that allow the tool. An API key needs only one of them. */
  scopes: readonly Scope[];
  /** Description for agents, and for people who choose tools. */
  description: string;
  /** True if the tool may overwrite or remove existing data. */
  isDestructive?: true;
  /** True if calling the tool twice has the same effect as calling it once. */
  isIdempotent?: true;
  /** Set if the tool is only for agents that connect to Winnow, or only for flows. */
  onlyFor?: 'agents' | 'flows';
}

const WRITE_SCOPES: readonly Scope[] = ['write', 'propose'];

/** All MCP tools of Winnow: tools for connected agents, and tools for flows. */
export const MCP_TOOLS = {
  search_issues: {
    title: 'Search issues',
    scopes: ['read'],
    description:
      'Searches issues in all trackers by meaning and words. A key, a number such as #12 or a URL finds that issue. Without a query, returns the newest issues.',
  },
  find_similar: {
    title: 'Find similar issues',
    scopes: ['read'],
    description: 'Finds the issues most similar to one. Returns a verdict with its reason for each.',
  },
  list_clusters: {
    title: 'List clusters',
    scopes: ['read'],
    description: 'Lists clusters: issues that probably report one problem, most valuable first.',
    onlyFor: 'agents',
  },
  get_cluster: {
    title: 'Get a cluster',
    scopes: ['read'],
    description:
      'Reads one cluster: up to 50 issues, the proposed canonical one with reasons, and the facts that each issue adds.',
    onlyFor: 'agents',
  },
  get_issue: {
    title: 'Get an issue',
    scopes: ['read'],
    description: 'Reads one issue: its text, comments and, on request, related records.',
  },
  list_projects: {
    title: 'List projects',
    scopes: ['read'],
    description: 'Lists the projects you can search and write to, with their trackers.',
  },
  create_issue: {
    title: 'Create an issue',
    scopes: WRITE_SCOPES,
    description:
      'Creates an issue. If a likely duplicate exists, returns it with the evidence and creates nothing. Pass an idempotency_key to make retries safe.',
  },
  update_issue: {
    title: 'Update an issue',
    scopes: WRITE_SCOPES,
    description:
      'Changes title, description, labels or state of an issue. Omitted fields stay unchanged. A new description requires base_hash.',
    isDestructive: true,
    isIdempotent: true,
  },
  assign_issue: {
    title: 'Assign an issue',
    scopes: WRITE_SCOPES,
    description: 'Replaces the assignees of an issue. An empty list removes all.',
    isDestructive: true,
    isIdempotent: true,
  },
  comment_on_issue: {
    title: 'Comment on an issue',
    scopes: WRITE_SCOPES,
    description: 'Posts a comment on an issue.',
  },
  close_as_duplicate: {
    title: 'Close as a duplicate',
    scopes: WRITE_SCOPES,
    description:
      'Closes an issue as a duplicate of another, in the tracker’s own way, and comments on both. The other issue keeps its state.',
    isDestructive: true,
  },
  propose_cluster_resolution: {
    title: 'Propose to resolve a cluster',
    scopes: WRITE_SCOPES,
    description:
      'Proposes to close issues of a cluster as duplicates of its canonical issue, in one change. With the write scope, closes them immediately.',
    isDestructive: true,
    onlyFor: 'agents',
  },
  check_compliance: {
    title: 'Score issues',
    scopes: ['read'],
    description:
      'Scores issues against a prompt (default: Definition of Ready). Returns a score and a fix per criterion.',
  },
  suggest_improvement: {
    title: 'Suggest better texts',
    scopes: ['read'],
    description:
      'Suggests a better title and description, with the expected score. Writes nothing: apply it with update_issue.',
  },
  detect_dependencies: {
    title: 'Find dependencies',
    scopes: ['read'],
    description: 'Finds which issues block which and why, among the given issues or in a project.',
  },
  commit_dependency: {
    title: 'Commit a dependency',
    scopes: WRITE_SCOPES,
    description:
      'Records in the tracker that one issue blocks another. Use it for dependencies from detect_dependencies.',
    isIdempotent: true,
    onlyFor: 'flows',
  },
  list_changes: {
    title: 'List changes',
    scopes: ['read'],
    description: 'Lists applied and proposed changes, newest first, with author, reason and status.',
  },
  decide_change: {
    title: 'Decide about a change',
    scopes: ['write'],
    description:
      'Approves or rejects a proposed change, or undoes an applied one. Read it first with list_changes and change_id. A key cannot decide its own proposals.',
    isDestructive: true,
    // Flows must not decide about their own proposals.
    onlyFor: 'agents',
  },
} as const satisfies Record<string, ToolDefinition>;
type Tools = typeof MCP_TOOLS;
export type McpToolName = keyof Tools;
const MCP_TOOL_NAMES = Object.keys(MCP_TOOLS) as McpToolName[];

type ToolWithout<Whose extends string> = {
  [T in McpToolName]: Tools[T] extends { onlyFor: Whose } ? never : T;
}[McpToolName];
/** A tool available to agents that connect to Winnow. */
export type AgentToolName = ToolWithout<'flows'>;
/** A tool available to flows. */
export type FlowToolName = ToolWithout<'agents'>;
export const AGENT_TOOLS = MCP_TOOL_NAMES.filter((name): name is AgentToolName => onlyFor(name) !== 'flows');
export const FLOW_TOOLS = MCP_TOOL_NAMES.filter((name): name is FlowToolName => onlyFor(name) !== 'agents');

/** A tool for flows that changes nothing. */
export type ReadingTool = {
  [T in FlowToolName]: Tools[T]['scopes'] extends readonly ['read'] ? T : never;
}[FlowToolName];
/** A tool for flows that writes. */
export type WritingTool = Exclude<FlowToolName, ReadingTool>;

export function isReadingTool(name: McpToolName): name is ReadingTool {
  const { scopes }: ToolDefinition = MCP_TOOLS[name];
  return scopes.includes('read');
}

function onlyFor(name: McpToolName): ToolDefinition['onlyFor'] {
  const facts: ToolDefinition = MCP_TOOLS[name];
  return facts.onlyFor;
}

/** Maximum length of an issue, project or prompt name, in UTF-16 code units. */
export const MAX_NAME_CHARS = 300;
const issueName = z.string().trim().min(1).max(MAX_NAME_CHARS).describe('Key (acme/web#12), URL or id');
const tracker = z.string().trim().max(150).optional().describe('Name or id, if trackers share the key');
const projectName = z
  .string()
  .trim()
  .min(1)
  .max(MAX_NAME_CHARS)
  .describe('Identifier (acme/web, PROJ) or id');
const reason = z.string().trim().max(1_000).optional().describe('Shown to approvers');
const idempotencyKey = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .optional()
  .describe('Unique key; retries with it write only once');
const cursor = z.string().max(500).optional().describe('next_cursor you received');
const limit = (maximum: number, fallback: number) => z.int().min(1).max(maximum).default(fallback);
const state = withOpened(issueState);
const labels = z.array(z.string().trim().min(1).max(255)).max(50);
const assignees = z
  .array(z.string().trim().min(1).max(255))
  .max(20)
  .describe('Logins or full names; "me" is the owner of the tracker’s token');
const title = issueTitle.describe(`One line of at most ${MAX_TITLE_CHARS} characters`);
const markdown = issueDescription.describe('Markdown');
/**
 * Markdown to which Winnow appends a hidden marker. A retry uses the marker to find the text in the
 * tracker.
 */
const markedMarkdown = z
  .string()
  .max(
    MAX_MARKED_TEXT_CHARS,
    `At most ${MAX_MARKED_TEXT_CHARS.toLocaleString('en')} characters: the tracker’s limit minus a marker that is appended.`,
  )
  .describe('Markdown');
const baseHash = contentHash
  .optional()
  .describe('content_hash you read; refused if text, labels, state or type changed');

/** Fields that `update_issue` can change. */
const CHANGEABLE_FIELDS = ['title', 'description', 'add_labels', 'remove_labels', 'state'] as const;

/** Maximum unknown fields that an error quotes, and maximum characters of each name. */
const MAX_QUOTED = { fields: 3, characters: 40 } as const;

/**
 * Creates the schema of a tool's arguments. The error for an unknown field lists the valid fields.
 */
function inputOf<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const named = issue.keys.slice(0, MAX_QUOTED.fields).map((key) => key.slice(0, MAX_QUOTED.characters));
      return `Unknown field ${named.join(', ')}. Available: ${Object.keys(shape).join(', ')}.`;
    },
  });
}

/**
 * Creates the schema of a list of field names, without duplicates. Names of fields that are always
 * returned are also accepted.
 */
function fieldList<Field extends string>(fields: readonly Field[]) {
  const named = [...ALWAYS_RETURNED, ...fields];
  return z
    .array(z.enum(named))
    .max(named.length)
    .transform((chosen) => fields.filter((field) => chosen.some((name) => name === field)));
}
const ALWAYS_RETURNED = ['id', 'key', 'tracker'] as const;

/**
 * A tracker by name and type, such as `Acme (GitHub)`. The argument `tracker` also accepts the name
 * alone, or the id.
 */
const trackerLabel = z.string();

/** An issue as returned to agents. Empty fields are omitted. */
const agentIssue = z.object({
  id,
  key: z.string(),
  tracker: trackerLabel,
  title: z.string().optional(),
  state: issueState.optional(),
  status: z.string().optional(),
  issue_type: z.string().optional(),
  priority: z.string().optional(),
  labels: z.array(z.string()).optional(),
  assignees: z.array(z.string()).optional(),
  author: z.string().optional(),
  project: z.string().optional(),
  parent_key: z.string().optional(),
  url: z.string().optional(),
  comments_count: z.int().optional(),
  created_at: instant.optional(),
  updated_at: instant.optional(),
  description: z.string().optional(),
  content_hash: z.string().optional(),
  synced_at: instant.optional(),
});
export type AgentIssue = z.infer<typeof agentIssue>;
export type AgentIssueField = Exclude<keyof AgentIssue, (typeof ALWAYS_RETURNED)[number]>;
/**
 * Fields of an issue that a caller can request. The fields `id`, `key` and `tracker` are always
 * returned.
 */
export const issueField = z.enum(
  Object.keys(agentIssue.shape).filter((field) => !ALWAYS_RETURNED.some((name) => name === field)) as [
    AgentIssueField,
  ],
);
/** Records related to an issue that a caller can request. */
export const relatedField = z.enum(['comments', 'similar', 'scores', 'dependencies', 'changes']);
export type AgentRelatedField = z.infer<typeof relatedField>;
/** Fields of issues that lists return by default. */
export const FIELDS_OF_LISTS: readonly AgentIssueField[] = [
  'title',
  'state',
  'labels',
  'assignees',
  'project',
  'url',
  'updated_at',
];
/** An issue with the fields that lists return by default. */
const issueOfList = agentIssue.pick({
  id: true,
  key: true,
  tracker: true,
  title: true,
  state: true,
  labels: true,
  assignees: true,
  project: true,
  url: true,
  updated_at: true,
});
const fields = fieldList(issueField.options)
  .optional()
  .describe(`Default: ${FIELDS_OF_LISTS.join(', ')}`);
const page = { total: z.int().optional(), next_cursor: z.string().optional() };
const share = z.number().min(0).max(1);

const verdictOnIssue = {
  similarity: share,
  verdict: verdictDecision.optional(),
  reason: z.string().optional(),
};

/** Identifies an issue uniquely, even if issues in several trackers have the same key. */
const namedIssue = agentIssue.pick({ id: true, key: true, tracker: true });
export type NamedIssue = z.infer<typeof namedIssue>;

/** Identifies an issue. The tracker is omitted if the issue is not stored in Winnow. */
const agentReference = namedIssue.partial({ tracker: true });
export type AgentReference = z.infer<typeof agentReference>;

const agentDependency = z.object({
  blocker: agentReference,
  blocked: agentReference,
  reason: z.string(),
  confidence: share,
  in_tracker: z.boolean(),
});

const agentStep = z.object({
  action: z.string(),
  target: z.string(),
  tracker: trackerLabel.optional(),
  status: z.string(),
  error: z.string().optional(),
});

const agentChange = z.object({
  change_id: id,
  title: z.string(),
  kind: z.string(),
  status: z.string(),
  asked_by: z.string(),
  reason: z.string().optional(),
  decided_by: z.string().optional(),
  issues: z.array(agentReference),
  created_at: instant,
  steps: z
    .array(agentStep.extend({ before: z.looseObject({}).optional(), after: z.looseObject({}).optional() }))
    .optional(),
});

const agentCluster = z.object({
  cluster_id: id,
  revision: z.int(),
  name: z.string(),
  status: z.string(),
  size: z.int(),
  open_issues: z.int(),
  probability: share,
  canonical: namedIssue.optional(),
});

/** Outcome of a write. */
const written = {
  /** `unchanged` means that the issue already had all values. */
  status: z.enum(['unchanged', ...changeStatus.options]),
  summary: z.string(),
  change_id: id.optional(),
  /** Key of the issue that was created or changed. */
  issue_key: z.string().optional(),
  issue_id: id.optional(),
  tracker: trackerLabel.optional(),
  steps: z.array(agentStep).optional(),
};

/** Input and output schemas of each tool. Unknown input fields are refused. */
export const MCP_SCHEMAS = {
  search_issues: {
    input: inputOf({
      query: z.string().max(1_000).default(''),
      search_type: z.enum(['hybrid', 'similarity', 'fulltext']).default('hybrid'),
      projects: z.array(projectName).max(50).optional(),
      tracker,
      cluster_id: id.optional(),
      status: statusFilter.default('all'),
      item_types: z
        .array(searchItemType)
        .min(1)
        .max(searchItemType.options.length)
        .transform((chosen) => [...new Set(chosen)])
        .default(['issue']),
      limit: limit(50, 10),
      cursor,
      fields,
    }),
    output: z.object({
      results: z.array(
        z.object({
          item_type: searchItemType,
          issue: agentIssue,
          comment: z.string().optional(),
          /**
           * Id of the comment. Set only if the comment is truncated here. `get_issue` returns the
           * whole comment for this id.
           */
          comment_id: id.optional(),
          similarity: share.optional(),
        }),
      ),
      ...page,
      notice: z.string().optional(),
    }),
  },
  find_similar: {
    input: inputOf({
      issue: issueName,
      tracker,
      projects: z.array(projectName).max(50).optional().describe('Only issues of these projects'),
      status: statusFilter.default('all'),
      limit: limit(MAX_VERDICTS, 5),
      fields,
    }),
    output: z.object({
      results: z.array(
        z.object({
          issue: agentIssue,
          ...verdictOnIssue,
          /**
           * Probability that the two issues describe one problem. Absent if they have not been
           * compared yet.
           */
          probability: share.optional(),
          /** Name of the analyst that judged the pair: the built-in analyst or a language model. */
          judged_by: z.string().optional(),
          /**
           * A sentence about why the built-in analyst judged although a language model is the
           * default.
           */
          notice: z.string().optional(),
          /**
           * True if a text or the analyst has changed since this verdict. A new verdict is being
           * computed.
           */
          stale: z.boolean().optional(),
        }),
      ),
    }),
  },
  list_clusters: {
    input: inputOf({
      projects: z.array(projectName).max(50).optional(),
      status: z.enum([...clusterStatus.options, 'all']).default('to_decide'),
      min_probability: share.default(CLUSTER_PROBABILITY),
      limit: limit(50, 10),
      cursor,
    }),
    output: z.object({ clusters: z.array(agentCluster), ...page }),
  },
  get_cluster: {
    input: inputOf({ cluster_id: id }),
    output: agentCluster.extend({
      canonical_reasons: z.array(z.string()).optional(),
      members: z.array(
        namedIssue.extend({
          title: z.string(),
          state: issueState,
          adds: z.array(z.object({ kind: memberOf(FACT_KINDS), quote: z.string() })).optional(),
        }),
      ),
      weakest_link: z.object({ issue: namedIssue, other: namedIssue, probability: share }).optional(),
    }),
  },
  get_issue: {
    input: inputOf({
      issue: issueName,
      tracker,
      fields: fieldList([...issueField.options, ...relatedField.options])
        .optional()
        .describe('Default: issue fields and comments'),
      description_from: z.int().min(0).optional().describe('next_description_from you received'),
      comments_cursor: id.optional().describe('next_comments_cursor you received'),
      comment_id: id.optional().describe('Only this comment, in full'),
      comment_from: z.int().min(0).optional().describe('next_comment_from you received'),
    })
      .refine(
        ({ comments_cursor: page, comment_id: one }) => page === undefined || one === undefined,
        'Give comments_cursor or comment_id, not both.',
      )
      .refine(
        ({ comment_id: one, comment_from: from }) => from === undefined || one !== undefined,
        'comment_from requires comment_id.',
      ),
    output: agentIssue.extend({
      comments: z
        .array(
          z.object({
            /** Id of the comment. Set only if the text of the comment is truncated. */
            id: id.optional(),
            author: z.string().optional(),
            at: instant,
            text: z.string(),
          }),
        )
        .optional(),
      /**
       * Offset at which the rest of a long comment starts. Set only if the comment was requested by
       * id.
       */
      next_comment_from: z.int().optional(),
      /** Offset at which the rest of a long description starts. */
      next_description_from: z.int().optional(),
      /** Cursor of the next page, which contains older comments. */
      next_comments_cursor: z.string().optional(),
      similar: z
        .array(namedIssue.extend({ title: z.string(), state: issueState, similarity: share }))
        .optional(),
      scores: z
        .array(
          z.object({
            prompt: z.string(),
            score: share,
            stale: z.boolean(),
            /**
             * Name of the analyst that scored the issue: the built-in analyst or a language model.
             */
            scored_by: z.string().optional(),
          }),
        )
        .optional(),
      dependencies: z.array(agentDependency).optional(),
      changes: z.array(agentChange.omit({ steps: true })).optional(),
      notice: z.string().optional(),
    }),
  },
  list_projects: {
    input: inputOf({ limit: limit(100, 50), cursor }),
    output: z.object({
      projects: z.array(
        z.object({
          id,
          identifier: z.string(),
          name: z.string(),
          tracker: trackerLabel,
          tracker_id: id,
          issues: z.int(),
        }),
      ),
      ...page,
    }),
  },
  create_issue: {
    input: inputOf({
      project: projectName,
      tracker,
      title,
      description: markedMarkdown.default(''),
      labels: labels.default([]),
      assignees: assignees.default([]),
      allow_duplicate: z.boolean().default(false).describe('Create even if similar issues exist'),
      idempotency_key: idempotencyKey,
      reason,
    }),
    output: z.object({
      ...written,
      status: z.enum(['duplicate_found', ...changeStatus.options]),
      likely_originals: z
        .array(
          z.object({
            issue: issueOfList,
            ...verdictOnIssue,
            /** Name of the analyst that judged the draft. This is always the built-in analyst. */
            judged_by: z.string().optional(),
            /** Passages that occur in both texts. */
            shared: z.array(z.string()).optional(),
          }),
        )
        .optional(),
      /** Other issues that are similar to the draft. */
      similar: z
        .array(
          namedIssue.extend({
            title: z.string().optional(),
            similarity: share,
            verdict: verdictDecision,
          }),
        )
        .optional(),
    }),
  },
  update_issue: {
    input: inputOf({
      issue: issueName,
      tracker,
      title: title.optional(),
      description: markdown.optional(),
      add_labels: labels.optional(),
      remove_labels: labels.optional(),
      state: state.optional(),
      close_reason: closeReason.optional(),
      base_hash: baseHash,
      idempotency_key: idempotencyKey,
      reason,
    })
      .refine(
        (input) => CHANGEABLE_FIELDS.some((field) => input[field] !== undefined),
        'Pass at least one of title, description, add_labels, remove_labels and state.',
      )
      .refine(
        ({ state, close_reason: closedFor }) => closedFor === undefined || state === 'closed',
        'close_reason requires state closed.',
      )
      .refine(
        ({ description, base_hash: seen }) => description === undefined || seen !== undefined,
        'The description is replaced as a whole. Pass the content_hash from get_issue as base_hash, so that no concurrent edit is lost.',
      ),
    output: z.object(written),
  },
  assign_issue: {
    input: inputOf({
      issue: issueName,
      tracker,
      assignees,
      base_assignees: z
        .array(z.string())
        .max(200)
        .optional()
        .describe('Assignees you read; refused if they changed'),
      base_hash: baseHash,
      idempotency_key: idempotencyKey,
      reason,
    }),
    output: z.object(written),
  },
  comment_on_issue: {
    input: inputOf({
      issue: issueName,
      tracker,
      comment: markedMarkdown.trim().min(1),
      idempotency_key: idempotencyKey,
      reason,
    }),
    output: z.object(written),
  },
  close_as_duplicate: {
    input: inputOf({
      issue: issueName,
      original: issueName.describe('Key or id of the issue to keep'),
      tracker,
      base_hash: baseHash,
      idempotency_key: idempotencyKey,
      reason,
    }),
    output: z.object(written),
  },
  propose_cluster_resolution: {
    input: inputOf({
      cluster_id: id,
      revision: z.int().describe('revision you read; refused if the cluster changed'),
      canonical: issueName.optional().describe('Issue to keep; default: that of the cluster'),
      issues: z
        .array(issueName)
        .min(1)
        .max(MAX_CLUSTER_MEMBERS_CLOSED)
        .optional()
        .describe('Issues to close; default: all other open ones'),
      tracker,
      facts: factsPlace.default('nowhere').describe('Where to quote added facts'),
      idempotency_key: idempotencyKey,
      reason,
    }),
    output: z.object({
      ...written,
      /** Reasons why issues were left out, each as a sentence. */
      left_out: z.array(z.string()).optional(),
    }),
  },
  check_compliance: {
    input: inputOf({
      issues: z.array(issueName).min(1).max(20),
      tracker,
      prompt: z.string().max(100).optional().describe('Name or id, such as DoR, INVEST, Risk, Complexity'),
    }),
    output: z.object({
      prompt: z.string(),
      results: z.array(
        z.object({
          issue: namedIssue,
          /** True while the issue is being judged. Call the tool again later. */
          checking: z.boolean().optional(),
          /**
           * True if the text or the analyst has changed since this score. A new score is being
           * computed.
           */
          stale: z.boolean().optional(),
          score: share.optional(),
          /**
           * Name of the analyst that scored the issue: the built-in analyst or a language model.
           */
          scored_by: z.string().optional(),
          /**
           * A sentence about why the built-in analyst scored although a language model is the
           * default.
           */
          notice: z.string().optional(),
          reason: z.string().optional(),
          suggestion: z.string().optional(),
          story_points: z.int().optional(),
          criteria: z
            .array(z.object({ name: z.string(), score: share.optional(), fix: z.string().optional() }))
            .optional(),
        }),
      ),
    }),
  },
  suggest_improvement: {
    input: inputOf({
      issue: issueName,
      tracker,
      prompt: z.string().max(100).optional().describe('Name or id'),
    }),
    output: z.object({
      issue: namedIssue,
      title: z.string(),
      /**
       * Suggested description. Omitted if there is no suggestion; `notice` then states the reason.
       */
      description: z.string().optional(),
      changes: z.array(z.string()),
      score: z.object({ before: share, after: share }),
      /**
       * Content hash of the issue for which the suggestion was made. Pass it as `base_hash` to
       * update the issue.
       */
      content_hash: z.string(),
      notice: z.string().optional(),
      suggested_by: z.string(),
    }),
  },
  detect_dependencies: {
    input: inputOf({
      issues: z.array(issueName).min(1).max(100).optional(),
      project: projectName.optional(),
      tracker,
      limit: limit(100, 50),
      cursor,
    }).refine(
      ({ issues, project }) => (issues === undefined) !== (project === undefined),
      'Pass either issues or project.',
    ),
    output: z.object({
      dependencies: z.array(agentDependency),
      ...page,
      notice: z.string().optional(),
    }),
  },
  commit_dependency: {
    input: inputOf({
      blocker: issueName.describe('Key or id of the issue to finish first'),
      blocked: issueName.describe('Key or id of the issue that waits for it'),
      tracker,
      idempotency_key: idempotencyKey,
      reason,
    }),
    output: z.object(written),
  },
  list_changes: {
    input: inputOf({
      status: changeStatus.optional(),
      kind: changeKind.optional(),
      issue: issueName.optional(),
      tracker,
      with_steps: z.boolean().default(false),
      change_id: id.optional().describe('Only this change, with all steps'),
      text_from: z.int().min(0).optional().describe('next_text_from you received'),
      limit: limit(50, 10),
      cursor,
    })
      .refine(
        ({ change_id: one, ...filters }) =>
          one === undefined ||
          [filters.status, filters.kind, filters.issue, filters.tracker, filters.cursor].every(
            (given) => given === undefined,
          ),
        'change_id cannot be combined with status, kind, issue, tracker or cursor.',
      )
      .refine(
        ({ change_id: one, text_from: from }) => from === undefined || one !== undefined,
        'text_from requires change_id.',
      ),
    output: z.object({
      changes: z.array(agentChange),
      /** Offset at which the rest of long step texts starts. */
      next_text_from: z.int().optional(),
      ...page,
    }),
  },
  decide_change: {
    input: inputOf({
      change_id: id,
      decision: z.enum(['approve', 'reject', 'undo']),
      idempotency_key: idempotencyKey,
    }),
    output: z.object(written),
  },
} as const satisfies Record<McpToolName, { input: z.ZodObject; output: z.ZodObject }>;
export type McpInput<T extends McpToolName> = z.output<(typeof MCP_SCHEMAS)[T]['input']>;
export type McpOutput<T extends McpToolName> = z.input<(typeof MCP_SCHEMAS)[T]['output']>;
/** Result of a tool that writes. */
export type Written = McpOutput<WritingTool>;
