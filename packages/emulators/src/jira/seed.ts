/**
 * Deployment of Jira. `cloud` is hosted by Atlassian and has REST v3. `data_center` is self-hosted
 * and has REST v2.
 */
export type JiraDeployment = 'cloud' | 'data_center';

export interface JiraSeedUser {
  /** Name of the user. On Data Center, it is also the login. */
  name: string;
  /** Default: derived from the name. */
  accountId?: string;
  displayName?: string;
  email?: string;
  /** IANA name of the time zone. Default: `Etc/UTC`. */
  timeZone?: string;
  /** True if issues can be assigned to this user. Default: true. */
  assignable?: boolean;
  /** True if the user is an administrator of the site and can create webhooks. Default: false. */
  administrator?: boolean;
}

export interface JiraSeedToken {
  token: string;
  /** Name of the user to whom the token belongs. */
  user: string;
}

export interface JiraSeedComment {
  user?: string;
  /**
   * On Cloud: a document (ADF), or a string that is converted to a paragraph. On Data Center: a
   * string with wiki markup.
   */
  body: unknown;
  created?: string;
  properties?: Record<string, unknown>;
}

export interface JiraSeedIssue {
  /** Number within the project. Default: the next unused number. */
  number?: number;
  summary: string;
  /**
   * On Cloud: a document (ADF), or a string that is converted to a paragraph. On Data Center: a
   * string with wiki markup.
   */
  description?: unknown;
  type?: string;
  status?: string;
  resolution?: string;
  priority?: string;
  labels?: string[];
  assignee?: string;
  reporter?: string;
  /** Key of the parent issue. */
  parent?: string;
  created?: string;
  updated?: string;
  /** Number of votes. Default: 0. */
  votes?: number;
  /** Names of the versions for which the issue is planned. */
  fixVersions?: string[];
  comments?: JiraSeedComment[];
}

export interface JiraSeedStatus {
  name: string;
  category: 'new' | 'indeterminate' | 'done';
}

/** An additional field on the screen of a transition, or on the screen for new issues. */
export interface JiraSeedField {
  key: string;
  name: string;
  required: boolean;
  hasDefault?: boolean;
}

export interface JiraSeedTransition {
  name: string;
  to: string;
  /** Names of the statuses from which the transition is possible. Default: all statuses. */
  from?: string[];
  /** Resolutions that users can choose in the transition. If missing, they cannot choose one. */
  resolutions?: string[];
  resolutionRequired?: boolean;
  fields?: JiraSeedField[];
  /**
   * Resolution that the transition sets. Without one, a transition to a done status keeps the
   * resolution, and any other transition removes it.
   */
  sets?: string | null;
}

export interface JiraSeedWorkflow {
  statuses: JiraSeedStatus[];
  transitions: JiraSeedTransition[];
}

export interface JiraSeedProject {
  key: string;
  name?: string;
  /** Default: `simplifiedWorkflow` on Cloud, and `classicWorkflow` on Data Center. */
  workflow?: JiraSeedWorkflow;
  /** Default: Task, Bug, Story, Sub-task. */
  issueTypes?: { name: string; subtask?: boolean }[];
  /** Additional fields on the screen for new issues. */
  createFields?: JiraSeedField[];
  archived?: boolean;
  issues: JiraSeedIssue[];
}

export interface JiraSeed {
  users: JiraSeedUser[];
  tokens: JiraSeedToken[];
  projects: JiraSeedProject[];
  /** Default: Blocks, Cloners, Duplicate, Relates. */
  linkTypes?: { name: string; inward: string; outward: string }[];
}

/**
 * Default workflow of new projects on Cloud. It permits a transition to any status. The status Done
 * sets a resolution.
 */
export const simplifiedWorkflow: JiraSeedWorkflow = {
  statuses: [
    { name: 'To Do', category: 'new' },
    { name: 'In Progress', category: 'indeterminate' },
    { name: 'Done', category: 'done' },
  ],
  transitions: [
    { name: 'To Do', to: 'To Do' },
    { name: 'In Progress', to: 'In Progress' },
    { name: 'Done', to: 'Done', sets: 'Done' },
  ],
};

const classicResolutions = ['Fixed', "Won't Fix", 'Duplicate', 'Incomplete', 'Cannot Reproduce'];

/** Jira's classic workflow, the default on Data Center. */
export const classicWorkflow: JiraSeedWorkflow = {
  statuses: [
    { name: 'Open', category: 'new' },
    { name: 'In Progress', category: 'indeterminate' },
    { name: 'Reopened', category: 'new' },
    { name: 'Resolved', category: 'done' },
    { name: 'Closed', category: 'done' },
  ],
  transitions: [
    { name: 'Start Progress', from: ['Open', 'Reopened'], to: 'In Progress' },
    { name: 'Stop Progress', from: ['In Progress'], to: 'Open' },
    {
      name: 'Close Issue',
      from: ['Open', 'In Progress', 'Reopened', 'Resolved'],
      to: 'Closed',
      resolutions: classicResolutions,
      resolutionRequired: true,
    },
    {
      name: 'Resolve Issue',
      from: ['Open', 'In Progress', 'Reopened'],
      to: 'Resolved',
      resolutions: classicResolutions,
      resolutionRequired: true,
    },
    { name: 'Reopen Issue', from: ['Resolved', 'Closed'], to: 'Reopened' },
  ],
};
