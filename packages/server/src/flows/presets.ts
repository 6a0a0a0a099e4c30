import type { FlowPreset } from '@winnow/contract/flow';
import { FLOW_TOOLS, isReadingTool, type WritingTool } from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';

/** Writing tools. A preset denies those that it does not need. */
const WRITING_TOOLS = FLOW_TOOLS.filter((tool): tool is WritingTool => !isReadingTool(tool));

/** Values in which the built-in presets differ. */
interface Shipped
  extends Pick<
    FlowPreset,
    'name' | 'description' | 'icon' | 'trigger_event_type' | 'builtin_actions' | 'prompt_template'
  > {
  id: string;
  /** Writing tools that the preset is allowed to use. */
  writesWith: readonly WritingTool[];
  maxIterations: number;
  /** Maximum cost of a run, in US dollars. */
  maxBudget: number;
}

/** Beginning of every prompt about an issue. */
const THE_ISSUE = `Project: {{project.identifier}}
Key: {{issue.key}}
{{issue.title}}
{{issue.description}}`;

const PRESET_DEFINITIONS: readonly Shipped[] = [
  {
    id: 'triage-new-issues',
    name: 'Triage new issues',
    description:
      'Finds duplicates, asks for missing information, and suggests labels and an assignee for each new issue.',
    icon: 'tag',
    trigger_event_type: 'issue_opened',
    builtin_actions: ['flag_duplicates', 'check_readiness', 'suggest_labels', 'suggest_assignee'],
    writesWith: ['update_issue', 'assign_issue', 'comment_on_issue', 'close_as_duplicate'],
    maxIterations: 15,
    maxBudget: 0.5,
    prompt_template: `An issue was opened. Triage it.

${THE_ISSUE}

1. Call \`find_similar\`. If the verdict is duplicate, read both with \`get_issue\`. If you agree, close the newer one with \`close_as_duplicate\`, give your reason, and stop.
2. Call \`check_compliance\`. If information is missing that a developer would need, ask for it in one comment with \`comment_on_issue\`: short questions, the most important first.
3. If most of the similar issues have a label that this one lacks, add it with \`update_issue\`. Only use labels that other issues have. Do not change title, description or state.
4. If no one is assigned and the same person worked on most of the similar issues, call \`assign_issue\`.

Do only what the issue justifies. End with a summary: what you found, what you did, and what a person must decide.`,
  },
  {
    id: 'flag-duplicates',
    name: 'Flag duplicates on arrival',
    description: 'Compares each new issue with all others and comments with the likely original.',
    icon: 'bug',
    trigger_event_type: 'issue_opened',
    builtin_actions: ['flag_duplicates'],
    writesWith: ['comment_on_issue'],
    maxIterations: 8,
    maxBudget: 0.25,
    prompt_template: `An issue was opened. Find out whether the same was reported before.

${THE_ISSUE}

1. Call \`find_similar\` for it, among open and closed issues.
2. Read the candidates with \`get_issue\`. Two issues are duplicates if resolving one leaves nothing to do for the other. A shared component or error message is not enough.
3. If one is a duplicate, call \`comment_on_issue\` on {{issue.key}}: name the other by its key, and quote what they have in common. Otherwise write nothing.

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
    prompt_template: `An issue was opened. Check if it is ready to be worked on.

${THE_ISSUE}

1. Call \`check_compliance\` for {{issue.key}}.
2. Check the findings against the text: information given in other words is not missing.
3. If a developer who starts tomorrow would have to ask, call \`comment_on_issue\` once: briefly thank for the issue, then ask at most five questions, each answerable in one line. If it is ready, write nothing.

End with the score and what was missing.`,
  },
  {
    id: 'docs-and-tests',
    name: 'Keep docs and tests in step',
    description: 'Reads each new merge request and comments which documentation and tests need an update.',
    icon: 'file-earmark-text',
    trigger_event_type: 'change_request_opened',
    builtin_actions: [],
    writesWith: ['comment_on_issue', 'create_issue'],
    maxIterations: 12,
    maxBudget: 0.5,
    prompt_template: `A merge request was opened. Check that documentation and tests are updated with it.

${THE_ISSUE}
{{event.branch}}

1. Call \`get_issue\` for {{issue.key}}. What change will users or other developers notice? If nothing, stop.
2. Does its text state that documentation and tests were updated, or why they need no update?
3. Call \`search_issues\` for open issues about documentation or tests of the same component.
4. If something is missing, call \`comment_on_issue\` on {{issue.key}} once: list the documentation and the cases to test, one line each, with the keys of the issues you found. Call \`create_issue\` only if the merge request itself states that documentation will follow later and no issue covers it.

You see texts, not code: suggest what to check, and do not claim that it is missing. End with what you found.`,
  },
  {
    id: 'dependency-watch',
    name: 'Dependency watch',
    description: 'Finds what blocks each new issue, and what it blocks.',
    icon: 'gear',
    trigger_event_type: 'issue_opened',
    builtin_actions: ['find_dependencies'],
    writesWith: ['comment_on_issue', 'commit_dependency'],
    maxIterations: 10,
    maxBudget: 0.5,
    prompt_template: `An issue was opened. Find out what blocks it, and what it blocks.

${THE_ISSUE}

1. Call \`search_issues\` for what it needs and what it enables, and collect open issues that may block it or be blocked by it.
2. Call \`detect_dependencies\` with {{issue.key}} and these.
3. Read unclear cases with \`get_issue\`. One issue blocks another if the other cannot be finished without it. Being about the same component is not enough.
4. If you find dependencies, call \`comment_on_issue\` on {{issue.key}} once: list what blocks it, what it blocks, and the words that show it. Otherwise write nothing.

End with the dependencies and your reasons.`,
  },
  {
    id: 'weekly-backlog-report',
    name: 'Weekly backlog report',
    description:
      'Every Monday: new, closed and untouched issues, and what needs attention. Writes nothing to trackers.',
    icon: 'lightbulb',
    trigger_event_type: 'every_week',
    builtin_actions: ['report_backlog'],
    writesWith: [],
    maxIterations: 20,
    maxBudget: 1,
    prompt_template: `Write {{account.name}} a report on the week that ended at {{event.time}}.
Project: {{project.identifier}}. If it is (none), report on all projects from \`list_projects\`.

1. Call \`search_issues\` without a query for the newest issues, open and closed, and continue page by page until they are older than a week.
2. Call \`find_similar\` for new issues that look alike, and \`check_compliance\` for those with little information.
3. Call \`list_changes\` for applied changes and open proposals.

Then reply with the report in Markdown, at most one page: new and closed issues in numbers and themes; likely duplicates; issues that are not ready, and why; open decisions; the three most important things to look at. Name issues by their keys. Report only what the tools returned.`,
  },
];

/** Built-in presets. A test checks them against the existing events, tools and variables. */
export const SHIPPED_PRESETS: readonly FlowPreset[] = PRESET_DEFINITIONS.map(
  ({ writesWith, maxIterations, maxBudget, ...preset }) => ({
    ...preset,
    account_id: null,
    is_preset: true,
    trigger_cluster_size: null,
    trigger_filters: [],
    allowed_mcp_servers: [MCP_SERVER_NAME],
    tool_policies: Object.fromEntries(
      WRITING_TOOLS.filter((tool) => !writesWith.includes(tool)).map((tool) => [
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
