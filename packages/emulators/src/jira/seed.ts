/**
 * Deployment of Jira. `cloud` is hosted by Atlassian and has REST v3. `data_center` is self-hosted
 * and has REST v2.
 */
export type JiraDeployment = 'cloud' | 'data_center';

export interface JiraSeedUser {
  /** The user's name in the seed. Also the login on Data Center. */
  name: string;
  /** Default: derived from the name. */
  accountId?: string;
  displayName?: string;
  email?: string;
  /** IANA name of the time zone. Default: `Etc/UTC`. */
  timeZone?: string;
  /** True if issues can be assigned to the user. Default: true. */
  assignable?: boolean;
  /** True if the user administers the site and can create webhooks. Default: false. */
  administrator?: boolean;
}

export interface JiraSeedToken {
  token: string;
  /** Name of the token's user. */
  user: string;
}

export interface JiraSeedComment {
  user?: string;
  /**
   * On Cloud a document (ADF), or a string, which becomes a paragraph. On Data Center a string with
   * wiki markup.
   */
  body: unknown;
  created?: string;
  properties?: Record<string, unknown>;
}

export interface JiraSeedIssue {
  /** Number within the project. Default: the next one. */
  number?: number;
  summary: string;
  /**
   * On Cloud a document (ADF), or a string, which becomes a paragraph. On Data Center a string with
   * wiki markup.
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
  /** Names of the versions that it is planned for. */
  fixVersions?: string[];
  comments?: JiraSeedComment[];
}

export interface JiraSeedStatus {
  name: string;
  category: 'new' | 'indeterminate' | 'done';
}

/** An additional field on the screen of a transition, or on the create screen. */
export interface JiraSeedField {
  key: string;
  name: string;
  required: boolean;
  hasDefault?: boolean;
}

export interface JiraSeedTransition {
  name: string;
  to: string;
  /** Names of the statuses from which the transition starts. Default: all. */
  from?: string[];
  /**
   * Resolutions that the screen of the transition offers. Without them, the screen has no such
   * field.
   */
  resolutions?: string[];
  resolutionRequired?: boolean;
  fields?: JiraSeedField[];
  /**
   * Resolution that the transition sets. `null` clears it, which is the default if the transition
   * leaves a done status.
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
  /** Default: the simplified workflow on Cloud, the classic one on Data Center. */
  workflow?: JiraSeedWorkflow;
  /** Default: Task, Bug, Story, Sub-task. */
  issueTypes?: { name: string; subtask?: boolean }[];
  /** Additional fields of the create screen. */
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
 * Default workflow of new Cloud projects. Every transition is allowed, and a done status sets the
 * resolution.
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

/** Jira's traditional workflow, which is the default on Data Center. */
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
