import { z } from 'zod';
import type { Scope } from './api-key.ts';
import {
  changeKind,
  changeStatus,
  closeReason,
  issueDescription,
  issueTitle,
  LONGEST_MARKED_TEXT,
} from './change.ts';
import { issueState, statusFilter, withOpened } from './issue.ts';
import { contentHash, id, instant } from './primitives.ts';
import { searchItemType } from './search.ts';
import { MOST_VERDICTS, verdictDecision } from './verdict.ts';

interface ToolFacts {
  title: string;
  /** What a key needs; of several, any. */
  scopes: readonly Scope[];
  /** What it does, for agents and for people who choose among tools. */
  description: string;
  /** It may take away what is there. */
  isDestructive?: true;
  /** Called twice, it does no more than once. */
  isIdempotent?: true;
  /** Who alone has it, where not both do: agents that connect to us, or flows. */
  onlyFor?: 'agents' | 'flows';
}

const WRITING: readonly Scope[] = ['write', 'propose'];

/** The tools there are. */
export const MCP_TOOLS = {
  search_issues: {
    title: 'Search issues',
    scopes: ['read'],
    description:
      'Finds issues by meaning and words over all connected trackers, best first. A key, a number such as #12 or a web address finds that issue. Without a query: the newest.',
  },
  find_similar: {
    title: 'Find similar issues',
    scopes: ['read'],
    description:
      'The issues most similar to one, with a verdict (duplicate, overlapping, unrelated) and the reason for it.',
  },
  get_issue: {
    title: 'Get an issue',
    scopes: ['read'],
    description:
      'One issue with its text and what is known of it: comments, similar issues, scores, dependencies, changes.',
  },
  list_projects: {
    title: 'List projects',
    scopes: ['read'],
    description: 'The projects that can be searched and written to, with their trackers.',
  },
  create_issue: {
    title: 'Create an issue',
    scopes: WRITING,
    description:
      'Creates an issue in a project, unless one that says the same is there: then that one is answered, with the evidence, and nothing is created. Give an idempotency_key to make a retry safe.',
  },
  update_issue: {
    title: 'Update an issue',
    scopes: WRITING,
    description:
      'Changes title, description, labels or state of an issue. What is left out stays as it is. A new description needs base_hash.',
    isDestructive: true,
    isIdempotent: true,
  },
  assign_issue: {
    title: 'Assign an issue',
    scopes: WRITING,
    description:
      'Makes people the assignees of an issue, all of them and no others; nobody when the list is empty.',
    isDestructive: true,
    isIdempotent: true,
  },
  comment_on_issue: {
    title: 'Comment on an issue',
    scopes: WRITING,
    description: 'Posts a comment.',
  },
  close_as_duplicate: {
    title: 'Close as a duplicate',
    scopes: WRITING,
    description:
      'Closes an issue as a duplicate of another one, in the tracker’s own way, with a comment on both. The other stays as it is.',
    isDestructive: true,
  },
  check_compliance: {
    title: 'Score issues',
    scopes: ['read'],
    description:
      'Scores issues against a prompt, the Definition of Ready unless another is named: per criterion a score and what to add.',
  },
  suggest_improvement: {
    title: 'Suggest better texts',
    scopes: ['read'],
    description:
      'A better title and description for an issue, what was changed, and the score it would get. Nothing is written: use update_issue.',
  },
  detect_dependencies: {
    title: 'Find dependencies',
    scopes: ['read'],
    description:
      'Which issues have to be finished before which: among the issues named, or all that is known of a project. With reasons.',
  },
  commit_dependency: {
    title: 'Commit a dependency',
    scopes: WRITING,
    description:
      'Says in the tracker that one issue has to be finished before another, as detect_dependencies found it.',
    isIdempotent: true,
    onlyFor: 'flows',
  },
  list_changes: {
    title: 'List changes',
    scopes: ['read'],
    description:
      'What was written to trackers, or is proposed, newest first: by whom, why, and how far it is.',
  },
  decide_change: {
    title: 'Decide about a change',
    scopes: ['write'],
    description:
      'Approves or rejects a proposed change, or undoes an applied one. Read it first: list_changes with its change_id. What a key has proposed, another one or a person has to decide.',
    isDestructive: true,
    // What a flow has proposed, somebody else decides.
    onlyFor: 'agents',
  },
} as const satisfies Record<string, ToolFacts>;
type Tools = typeof MCP_TOOLS;
export type McpToolName = keyof Tools;
const NAMES = Object.keys(MCP_TOOLS) as McpToolName[];

type ToolWithout<Whose extends string> = {
  [T in McpToolName]: Tools[T] extends { onlyFor: Whose } ? never : T;
}[McpToolName];
/** A tool that agents which connect to us have. */
export type AgentToolName = ToolWithout<'flows'>;
/** A tool that flows have. */
export type FlowToolName = ToolWithout<'agents'>;
export const AGENT_TOOLS = NAMES.filter((name): name is AgentToolName => onlyFor(name) !== 'flows');
export const FLOW_TOOLS = NAMES.filter((name): name is FlowToolName => onlyFor(name) !== 'agents');

/** A tool that changes nothing. */
export type ReadingTool = {
  [T in McpToolName]: Tools[T]['scopes'] extends readonly ['read'] ? T : never;
}[McpToolName];
/** A tool with which flows write. */
export type WritingTool = Exclude<FlowToolName, ReadingTool>;

export function isReadingTool(name: McpToolName): name is ReadingTool {
  const { scopes }: ToolFacts = MCP_TOOLS[name];
  return scopes.includes('read');
}

function onlyFor(name: McpToolName): ToolFacts['onlyFor'] {
  const facts: ToolFacts = MCP_TOOLS[name];
  return facts.onlyFor;
}

/** The longest name of an issue, a project or a prompt, in UTF-16 code units. */
export const LONGEST_NAME = 300;
const issueName = z.string().trim().min(1).max(LONGEST_NAME).describe('Key (acme/web#12, PROJ-12) or id');
const tracker = z
  .string()
  .trim()
  .max(150)
  .optional()
  .describe('Tracker of what is named, if keys are shared');
const projectName = z.string().trim().min(1).max(LONGEST_NAME).describe('Identifier (acme/web, PROJ) or id');
const reason = z.string().trim().max(1_000).optional().describe('Why, for the record and for who approves');
const cursor = z.string().max(500).optional().describe('next_cursor of the page before');
const limit = (most: number, usual: number) => z.int().min(1).max(most).default(usual);
const state = withOpened(issueState);
const labels = z.array(z.string().trim().min(1).max(255)).max(50);
const assignees = z
  .array(z.string().trim().min(1).max(255))
  .max(20)
  .describe('Logins or full names; "me" is the owner of the tracker’s token');
const markdown = issueDescription.describe('Markdown');
/** A text that a mark is added to, by which it is found again. */
const markedMarkdown = z
  .string()
  .max(
    LONGEST_MARKED_TEXT,
    `At most ${LONGEST_MARKED_TEXT.toLocaleString('en')} characters: the tracker’s limit, less a mark that is added.`,
  )
  .describe('Markdown');
const baseHash = contentHash
  .optional()
  .describe('content_hash as you read it: refused if text, labels, state or type changed since');

/** How many fields that a tool does not know are named to its caller, and how much of each name. */
const NAMED = { fields: 3, characters: 40 } as const;

/** What a tool takes. Another field is refused, with those there are. */
function taking<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject(shape, {
    error: (issue) => {
      if (issue.code !== 'unrecognized_keys') return undefined;
      const named = issue.keys.slice(0, NAMED.fields).map((key) => key.slice(0, NAMED.characters));
      return `There is no field ${named.join(', ')}. There are: ${Object.keys(shape).join(', ')}.`;
    },
  });
}

/** Some of these fields, each once. Those that always come may be named too. */
function among<Field extends string>(fields: readonly Field[]) {
  const named = [...ALWAYS, ...fields];
  return z
    .array(z.enum(named))
    .max(named.length)
    .transform((chosen) => fields.filter((field) => chosen.some((name) => name === field)));
}
const ALWAYS = ['id', 'key', 'tracker'] as const;

/** A tracker by name and type, as in `Acme (GitHub)`. The argument `tracker` takes it, the name alone, or the id. */
const trackerLabel = z.string();

/** An issue as agents read it. What is empty is left out. */
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
});
export type AgentIssue = z.infer<typeof agentIssue>;
export type AgentIssueField = Exclude<keyof AgentIssue, (typeof ALWAYS)[number]>;
/** Fields of an issue that can be asked for; id, key and tracker always come. */
export const issueField = z.enum(
  Object.keys(agentIssue.shape).filter((field) => !ALWAYS.some((name) => name === field)) as [
    AgentIssueField,
  ],
);
/** What is known of an issue beside its own fields. */
export const relatedField = z.enum(['comments', 'similar', 'scores', 'dependencies', 'changes']);
export type AgentRelatedField = z.infer<typeof relatedField>;
/** What of an issue a list shows unless told otherwise. */
export const FIELDS_OF_LISTS: readonly AgentIssueField[] = [
  'title',
  'state',
  'labels',
  'assignees',
  'project',
  'url',
  'updated_at',
];
/** An issue with those alone. */
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
const fields = among(issueField.options)
  .optional()
  .describe(`Of each issue. Usual: ${FIELDS_OF_LISTS.join(', ')}`);
const page = { total: z.int().optional(), next_cursor: z.string().optional() };
const share = z.number().min(0).max(1);

const verdictOnIssue = {
  similarity: share,
  verdict: verdictDecision.optional(),
  reason: z.string().optional(),
};

/** An issue that a result names, so that it cannot be confused with one of an equal key. */
const namedIssue = agentIssue.pick({ id: true, key: true, tracker: true });
export type NamedIssue = z.infer<typeof namedIssue>;

/** The same, without the tracker if the issue is not stored any more. */
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

/** What became of something that was to be written. */
const written = {
  /** `unchanged`: all was so already. */
  status: z.enum(['unchanged', ...changeStatus.options]),
  summary: z.string(),
  change_id: id.optional(),
  /** Of the issue that was made or written to. */
  issue_key: z.string().optional(),
  issue_id: id.optional(),
  tracker: trackerLabel.optional(),
  steps: z.array(agentStep).optional(),
};

/** What each tool takes and answers. Fields that it does not know are refused. */
export const MCP_SCHEMAS = {
  search_issues: {
    input: taking({
      query: z.string().max(1_000).default(''),
      search_type: z.enum(['hybrid', 'similarity', 'fulltext']).default('hybrid'),
      projects: z.array(projectName).max(50).optional(),
      tracker,
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
          /** Where the comment is cut: `get_issue` answers all of it. */
          comment_id: id.optional(),
          similarity: share.optional(),
        }),
      ),
      ...page,
      notice: z.string().optional(),
    }),
  },
  find_similar: {
    input: taking({
      issue: issueName,
      tracker,
      projects: z.array(projectName).max(50).optional().describe('None but issues of these'),
      status: statusFilter.default('all'),
      limit: limit(MOST_VERDICTS, 5),
      fields,
    }),
    output: z.object({
      results: z.array(
        z.object({
          issue: agentIssue,
          ...verdictOnIssue,
          /** The verdict is of a former text, or by who judged before; it is being judged anew. */
          stale: z.boolean().optional(),
        }),
      ),
    }),
  },
  get_issue: {
    input: taking({
      issue: issueName,
      tracker,
      fields: among([...issueField.options, ...relatedField.options])
        .optional()
        .describe(
          'Usual: all fields of the issue, and its comments. Others: similar, scores, dependencies, changes',
        ),
      description_from: z.int().min(0).optional().describe('next_description_from of the call before'),
      comments_cursor: id.optional().describe('next_comments_cursor of the call before'),
      comment_id: id.optional().describe('Of a comment that is cut: it alone'),
      comment_from: z.int().min(0).optional().describe('next_comment_from of the call before'),
    })
      .refine(
        ({ comments_cursor: page, comment_id: one }) => page === undefined || one === undefined,
        'Give comments_cursor or comment_id, not both.',
      )
      .refine(
        ({ comment_id: one, comment_from: from }) => from === undefined || one !== undefined,
        'comment_from goes with comment_id.',
      ),
    output: agentIssue.extend({
      comments: z
        .array(
          z.object({
            /** Where the text is cut. */
            id: id.optional(),
            author: z.string().optional(),
            at: instant,
            text: z.string(),
          }),
        )
        .optional(),
      /** Where a long comment that was asked for alone goes on. */
      next_comment_from: z.int().optional(),
      /** Where a long description goes on. */
      next_description_from: z.int().optional(),
      /** Of the older comments. */
      next_comments_cursor: z.string().optional(),
      similar: z
        .array(namedIssue.extend({ title: z.string(), state: issueState, similarity: share }))
        .optional(),
      scores: z.array(z.object({ prompt: z.string(), score: share, stale: z.boolean() })).optional(),
      dependencies: z.array(agentDependency).optional(),
      changes: z.array(agentChange.omit({ steps: true })).optional(),
      notice: z.string().optional(),
    }),
  },
  list_projects: {
    input: taking({ limit: limit(100, 50), cursor }),
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
    input: taking({
      project: projectName,
      tracker,
      title: issueTitle,
      description: markedMarkdown.default(''),
      labels: labels.default([]),
      assignees: assignees.default([]),
      allow_duplicate: z.boolean().default(false).describe('Create it although similar ones are there'),
      idempotency_key: z.string().trim().min(1).max(200).optional(),
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
            /** Words that both have. */
            shared: z.array(z.string()).optional(),
          }),
        )
        .optional(),
      /** Other issues that come near. */
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
    input: taking({
      issue: issueName,
      tracker,
      title: issueTitle.optional(),
      description: markdown.optional(),
      add_labels: labels.optional(),
      remove_labels: labels.optional(),
      state: state.optional(),
      close_reason: closeReason.optional(),
      base_hash: baseHash,
      reason,
    })
      .refine(
        ({ issue: _, tracker: __, reason: ___, close_reason: ____, base_hash: _____, ...changes }) =>
          Object.values(changes).some((value) => value !== undefined),
        'Say what to change: title, description, add_labels, remove_labels or state.',
      )
      .refine(
        ({ state, close_reason: closedFor }) => closedFor === undefined || state === 'closed',
        'close_reason goes with state closed.',
      )
      .refine(
        ({ description, base_hash: seen }) => description === undefined || seen !== undefined,
        'A description is replaced as a whole: give base_hash, the content_hash that get_issue answers, so that nothing is lost that somebody wrote meanwhile.',
      ),
    output: z.object(written),
  },
  assign_issue: {
    input: taking({
      issue: issueName,
      tracker,
      assignees,
      base_assignees: z
        .array(z.string())
        .max(200)
        .optional()
        .describe('assignees as you read them: refused if they changed since'),
      base_hash: baseHash,
      reason,
    }),
    output: z.object(written),
  },
  comment_on_issue: {
    input: taking({
      issue: issueName,
      tracker,
      comment: markedMarkdown.trim().min(1),
      reason,
    }),
    output: z.object(written),
  },
  close_as_duplicate: {
    input: taking({
      issue: issueName,
      original: issueName.describe('Key or id of the issue that stays'),
      tracker,
      base_hash: baseHash,
      reason,
    }),
    output: z.object(written),
  },
  check_compliance: {
    input: taking({
      issues: z.array(issueName).min(1).max(20),
      tracker,
      prompt: z
        .string()
        .max(100)
        .optional()
        .describe('Name, short name or id, such as DoR, INVEST, Risk, Complexity'),
    }),
    output: z.object({
      prompt: z.string(),
      results: z.array(
        z.object({
          issue: namedIssue,
          /** It is still being judged; ask again. */
          checking: z.boolean().optional(),
          /** The score is of a former text, or by who judged before; it is being judged anew. */
          stale: z.boolean().optional(),
          score: share.optional(),
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
    input: taking({
      issue: issueName,
      tracker,
      prompt: z.string().max(100).optional().describe('Name, short name or id'),
    }),
    output: z.object({
      issue: namedIssue,
      title: z.string(),
      /** Left out when nothing is suggested: `notice` says why. */
      description: z.string().optional(),
      changes: z.array(z.string()),
      score: z.object({ before: share, after: share }),
      /** Of the issue as it was read: the base_hash of the update. */
      content_hash: z.string(),
      notice: z.string().optional(),
      suggested_by: z.string(),
    }),
  },
  detect_dependencies: {
    input: taking({
      issues: z.array(issueName).min(1).max(100).optional(),
      project: projectName.optional(),
      tracker,
      limit: limit(100, 50),
      cursor,
    }).refine(
      ({ issues, project }) => (issues === undefined) !== (project === undefined),
      'Name either issues or a project.',
    ),
    output: z.object({
      dependencies: z.array(agentDependency),
      ...page,
      notice: z.string().optional(),
    }),
  },
  commit_dependency: {
    input: taking({
      blocker: issueName.describe('Key or id of the issue that has to be finished first'),
      blocked: issueName.describe('Key or id of the issue that waits for it'),
      tracker,
      reason,
    }),
    output: z.object(written),
  },
  list_changes: {
    input: taking({
      status: changeStatus.optional(),
      kind: changeKind.optional(),
      issue: issueName.optional(),
      tracker,
      with_steps: z.boolean().default(false),
      change_id: id.optional().describe('This one alone, with its steps in full'),
      text_from: z.int().min(0).optional().describe('next_text_from of the call before'),
      limit: limit(50, 10),
      cursor,
    })
      .refine(
        ({ change_id: one, ...filters }) =>
          one === undefined ||
          [filters.status, filters.kind, filters.issue, filters.tracker, filters.cursor].every(
            (given) => given === undefined,
          ),
        'change_id goes without status, kind, issue, tracker and cursor.',
      )
      .refine(
        ({ change_id: one, text_from: from }) => from === undefined || one !== undefined,
        'text_from goes with change_id.',
      ),
    output: z.object({
      changes: z.array(agentChange),
      /** Where the texts of the steps go on that are longer than what is shown at once. */
      next_text_from: z.int().optional(),
      ...page,
    }),
  },
  decide_change: {
    input: taking({
      change_id: id,
      decision: z.enum(['approve', 'reject', 'undo']),
    }),
    output: z.object(written),
  },
} as const satisfies Record<McpToolName, { input: z.ZodObject; output: z.ZodObject }>;
export type McpInput<T extends McpToolName> = z.output<(typeof MCP_SCHEMAS)[T]['input']>;
export type McpOutput<T extends McpToolName> = z.input<(typeof MCP_SCHEMAS)[T]['output']>;
/** What a writing tool of flows answers. */
export type Written = McpOutput<WritingTool>;
