/** Where Jira runs: Atlassian's own hosts with REST v3, or a server of one's own with REST v2. */
export type JiraDeployment = 'cloud' | 'data_center';

export interface JiraSeedUser {
  /** login of Data Center, and what the seed calls the user */
  name: string;
  /** default: made of the name */
  accountId?: string;
  displayName?: string;
  email?: string;
  /** IANA name; default `Etc/UTC` */
  timeZone?: string;
  /** can issues be assigned to the user? Default true */
  assignable?: boolean;
  /** of the site, who makes webhooks; default false */
  administrator?: boolean;
}

export interface JiraSeedToken {
  token: string;
  /** name of a user */
  user: string;
}

export interface JiraSeedComment {
  user?: string;
  /** ADF on Cloud (a string is a paragraph), wiki markup on Data Center */
  body: unknown;
  created?: string;
  properties?: Record<string, unknown>;
}

export interface JiraSeedIssue {
  /** default: the next one */
  number?: number;
  summary: string;
  /** ADF on Cloud (a string is a paragraph), wiki markup on Data Center */
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
  comments?: JiraSeedComment[];
}

export interface JiraSeedStatus {
  name: string;
  category: 'new' | 'indeterminate' | 'done';
}

/** A field on the screen of a transition or of creation, beside those every issue has. */
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
  /** the resolutions its screen offers; without, the screen has no such field */
  resolutions?: string[];
  resolutionRequired?: boolean;
  fields?: JiraSeedField[];
  /** the resolution a post function sets; `null` clears it, which is the default out of a done status */
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
  /** further fields of the create screen */
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

/** As new Cloud projects have it: from everywhere to everywhere, and done means resolved. */
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

/** Jira's own old one, which Data Center still starts with. */
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
