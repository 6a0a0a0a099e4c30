/** Deployment of Jira: Atlassian's own hosts with REST v3, or a self-hosted server with REST v2. */
export type JiraDeployment = 'cloud' | 'data_center';

export interface JiraSeedUser {
  /** login on Data Center, and the user's name in the seed */
  name: string;
  /** default: derived from the name */
  accountId?: string;
  displayName?: string;
  email?: string;
  /** IANA name; default `Etc/UTC` */
  timeZone?: string;
  /** true if issues can be assigned to the user; default true */
  assignable?: boolean;
  /** true if the user administers the site and can create webhooks; default false */
  administrator?: boolean;
}

export interface JiraSeedToken {
  token: string;
  /** name of a user */
  user: string;
}

export interface JiraSeedComment {
  user?: string;
  /** ADF on Cloud (a string becomes a paragraph), wiki markup on Data Center */
  body: unknown;
  created?: string;
  properties?: Record<string, unknown>;
}

export interface JiraSeedIssue {
  /** default: the next one */
  number?: number;
  summary: string;
  /** ADF on Cloud (a string becomes a paragraph), wiki markup on Data Center */
  description?: unknown;
  type?: string;
  status?: string;
  resolution?: string;
  priority?: string;
  labels?: string[];
  assignee?: string;
  reporter?: string;
  /** key of the parent */
  parent?: string;
  created?: string;
  updated?: string;
  /** number of votes; default: 0 */
  votes?: number;
  /** names of the versions that it is planned for */
  fixVersions?: string[];
  comments?: JiraSeedComment[];
}

export interface JiraSeedStatus {
  name: string;
  category: 'new' | 'indeterminate' | 'done';
}

/** An additional field on the screen of a transition or of creation. */
export interface JiraSeedField {
  key: string;
  name: string;
  required: boolean;
  hasDefault?: boolean;
}

export interface JiraSeedTransition {
  name: string;
  to: string;
  /** names of statuses; default: all */
  from?: string[];
  /** resolutions offered by its screen; without them, the screen has no such field */
  resolutions?: string[];
  resolutionRequired?: boolean;
  fields?: JiraSeedField[];
  /**
   * resolution set by a post function; `null` clears it, which is the default when leaving a done
   * status
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
  /** default: the simplified workflow on Cloud, the classic one on Data Center */
  workflow?: JiraSeedWorkflow;
  /** default Task, Bug, Story, Sub-task */
  issueTypes?: { name: string; subtask?: boolean }[];
  /** additional fields of the create screen */
  createFields?: JiraSeedField[];
  archived?: boolean;
  issues: JiraSeedIssue[];
}

export interface JiraSeed {
  users: JiraSeedUser[];
  tokens: JiraSeedToken[];
  projects: JiraSeedProject[];
  /** default Blocks, Cloners, Duplicate, Relates */
  linkTypes?: { name: string; inward: string; outward: string }[];
}

/**
 * Default of new Cloud projects: every transition is allowed, and a done status resolves the issue.
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

/** Jira's traditional workflow, the default on Data Center. */
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
