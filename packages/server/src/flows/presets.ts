import type { FlowPreset } from '@winnow/contract/flow';
import { FLOW_TOOLS, isReadingTool, type WritingTool } from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';

/** The tools that write, and are denied to a preset that has no need of them. */
const WRITING = FLOW_TOOLS.filter((tool): tool is WritingTool => !isReadingTool(tool));

/** What a preset says; the rest of it is the same for all. */
interface Shipped
  extends Pick<
    FlowPreset,
    'name' | 'description' | 'icon' | 'trigger_event_type' | 'builtin_actions' | 'prompt_template'
  > {
  id: string;
  /** The tools it may write with. */
  writesWith: readonly WritingTool[];
  maxIterations: number;
  /** Dollars. */
  maxBudget: number;
}

/** What every prompt about one issue begins with. */
const THE_ISSUE = `Project: {{project.identifier}}
Key: {{issue.key}}
{{issue.title}}
{{issue.description}}`;

const SHIPPED: readonly Shipped[] = [
  {
    id: 'triage-new-issues',
    name: 'Triage new issues',
    description:
      'Looks for duplicates, asks for what is missing, and suggests labels and an assignee as soon as an issue is opened.',
    icon: 'tag',
    trigger_event_type: 'issue_opened',
    builtin_actions: ['flag_duplicates', 'check_readiness', 'suggest_labels', 'suggest_assignee'],
    writesWith: ['update_issue', 'assign_issue', 'comment_on_issue', 'close_as_duplicate'],
    maxIterations: 15,
    maxBudget: 0.5,
    prompt_template: `An issue was opened. Triage it.

${THE_ISSUE}

1. Call \`find_similar\`. If the verdict is duplicate and you agree after you read both with \`get_issue\`, call \`close_as_duplicate\` towards the older one with your reason, and stop.
2. Call \`check_compliance\`. If something is missing that whoever works on it would have to ask for, ask for it in one comment with \`comment_on_issue\`: short questions, the most important first.
3. If most of the similar issues have a label that this one lacks, put it on with \`update_issue\`. Use no label that no other issue has. Leave title, description and state as they are.
4. If nobody is assigned and the same person worked on most of the similar issues, call \`assign_issue\`.

Do nothing that the issue gives no reason for. End with what you found, what you did, and what a person has to decide.`,
  },
  {
    id: 'flag-duplicates',
    name: 'Flag duplicates on arrival',
    description: 'Compares each new issue with all others and names the likely original in a comment.',
    icon: 'bug',
    trigger_event_type: 'issue_opened',
    builtin_actions: ['flag_duplicates'],
    writesWith: ['comment_on_issue'],
    maxIterations: 8,
    maxBudget: 0.25,
    prompt_template: `An issue was opened. Find out whether somebody reported the same before.

${THE_ISSUE}

1. Call \`find_similar\` for it, over open and closed issues.
2. Read those that may ask for the same with \`get_issue\`. Two issues are duplicates where nothing is left to do for the one once the other is done; a shared component or error message is not enough.
3. If one is a duplicate, call \`comment_on_issue\` on {{issue.key}}: name the other by its key, and quote what both say. If none is, write nothing.

End with the issues you compared and your verdict on each.`,
  },
  {
    id: 'readiness-gate',
    name: 'Readiness gate',
    description: 'Scores each new issue against the Definition of Ready and asks for what is missing.',
    icon: 'rocket',
    trigger_event_type: 'issue_opened',
    builtin_actions: ['check_readiness'],
    writesWith: ['comment_on_issue'],
    maxIterations: 6,
    maxBudget: 0.25,
    prompt_template: `An issue was opened. Find out whether it is ready to be worked on.

${THE_ISSUE}

1. Call \`check_compliance\` for {{issue.key}}.
2. Check its findings against the text: what the issue says in other words is not missing.
3. If somebody who takes it up tomorrow would have to ask, call \`comment_on_issue\` once: thank for the issue in half a sentence, then at most five questions, each answerable in one line. If it is ready, write nothing.

End with the score, and what was missing.`,
  },
  {
    id: 'docs-and-tests',
    name: 'Keep docs and tests in step',
    description:
      'Reads each new merge request, and says in a comment which documentation and which tests it leaves behind.',
    icon: 'file-earmark-text',
    trigger_event_type: 'change_request_opened',
    builtin_actions: [],
    writesWith: ['comment_on_issue', 'create_issue'],
    maxIterations: 12,
    maxBudget: 0.5,
    prompt_template: `A merge request was opened. See to it that documentation and tests keep in step with it.

${THE_ISSUE}
{{event.branch}}

1. Call \`get_issue\` for {{issue.key}}. What does it change that a user or another developer will notice? If nothing, stop.
2. Does its text say that documentation and tests were changed with it, or why they need not be?
3. Call \`search_issues\` for open issues about the documentation or the tests of the same part.
4. If something is left behind, call \`comment_on_issue\` on {{issue.key}} once: what documentation and which cases to test, one line each, with the keys of the issues you found. Only where the merge request itself says that documentation will follow later, and no issue asks for it, call \`create_issue\`.

You see texts, not the code: say what to look at, and do not claim that it is missing. End with what you found.`,
  },
  {
    id: 'dependency-watch',
    name: 'Dependency watch',
    description: 'Finds out what has to be finished before a new issue, and what waits for it.',
    icon: 'gear',
    trigger_event_type: 'issue_opened',
    builtin_actions: ['find_dependencies'],
    writesWith: ['comment_on_issue', 'commit_dependency'],
    maxIterations: 10,
    maxBudget: 0.5,
    prompt_template: `An issue was opened. Find out what has to be finished before it, and what waits for it.

${THE_ISSUE}

1. Call \`search_issues\` with what it needs and what it makes possible, and collect the open issues that may come before or after it.
2. Call \`detect_dependencies\` with {{issue.key}} and these.
3. Read with \`get_issue\` what you are not sure of. One issue has to come first where the other cannot be finished without it; that both are about the same part is not enough.
4. If there is such an issue, call \`comment_on_issue\` on {{issue.key}} once: which come first, which wait, and the words that show it. If there is none, write nothing.

End with the dependencies and your reasons.`,
  },
  {
    id: 'weekly-backlog-report',
    name: 'Weekly backlog report',
    description:
      'Each Monday: what came, what was closed, what nobody touched, and where a person should look. It writes to no tracker.',
    icon: 'lightbulb',
    trigger_event_type: 'every_week',
    builtin_actions: ['report_backlog'],
    writesWith: [],
    maxIterations: 20,
    maxBudget: 1,
    prompt_template: `Write {{account.name}} the report on the week that ended at {{event.time}}.
Project: {{project.identifier}}. Where that says (none): all projects that \`list_projects\` names.

1. Call \`search_issues\` without a query for the newest issues, open and closed, and turn pages until they are older than a week.
2. For new issues that look alike, call \`find_similar\`. For those that look thin, call \`check_compliance\`.
3. Call \`list_changes\` for what was written and what still waits to be approved.

Then answer with the report in Markdown, at most one page: what came and what was closed, in numbers and themes; likely duplicates; issues that cannot be worked on yet, and why; what waits for a decision; the three things a person should look at first. Name issues by their keys. Report only what the tools told you.`,
  },
];

/** The presets that come with the product. They are validated by a test against what events, tools and names there are. */
export const SHIPPED_PRESETS: readonly FlowPreset[] = SHIPPED.map(
  ({ writesWith, maxIterations, maxBudget, ...preset }) => ({
    ...preset,
    account_id: null,
    is_preset: true,
    trigger_filters: [],
    allowed_mcp_servers: [MCP_SERVER_NAME],
    tool_policies: Object.fromEntries(
      WRITING.filter((tool) => !writesWith.includes(tool)).map((tool) => [
        `${MCP_SERVER_NAME}/${tool}`,
        'deny' as const,
      ]),
    ),
    write_mode: 'propose',
    max_iterations: maxIterations,
    max_budget: maxBudget,
    max_tokens: null,
  }),
);
