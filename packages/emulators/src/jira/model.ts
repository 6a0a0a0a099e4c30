import type { JiraDeployment, JiraSeedField, JiraSeedStatus, JiraSeedTransition } from './seed.ts';

export interface User {
  name: string;
  accountId: string;
  displayName: string;
  email: string;
  timeZone: string;
  assignable: boolean;
  administrator: boolean;
}

export interface Status extends JiraSeedStatus {
  id: string;
}

export interface Transition extends Omit<JiraSeedTransition, 'to'> {
  id: string;
  to: Status;
}

interface IssueType {
  id: string;
  name: string;
  subtask: boolean;
}

export interface Project {
  id: string;
  key: string;
  formerKeys: string[];
  name: string;
  archived: boolean;
  statuses: Status[];
  transitions: Transition[];
  issueTypes: IssueType[];
  createFields: JiraSeedField[];
  nextNumber: number;
  /** Permissions that users do not have in this project, by user name. */
  denied: Map<string, Set<string>>;
}

export interface Comment {
  id: string;
  author: User;
  /** A document (ADF) on Cloud, or a string with wiki markup on Data Center. */
  body: unknown;
  properties: Map<string, unknown>;
  createdMs: number;
  updatedMs: number;
}

export interface ChangeItem {
  field: string;
  from: string | null;
  fromString: string | null;
  to: string | null;
  toString: string | null;
}

export interface History {
  id: string;
  author: User;
  createdMs: number;
  items: ChangeItem[];
}

export interface LinkType {
  id: string;
  name: string;
  inward: string;
  outward: string;
}

/**
 * A link between two issues. The outward description of its type reads from source to target, as in
 * "source blocks target".
 */
export interface Link {
  id: string;
  type: LinkType;
  source: Issue;
  target: Issue;
}

export interface Issue {
  id: string;
  project: Project;
  number: number;
  formerKeys: string[];
  summary: string;
  /** A document (ADF) on Cloud, or a string with wiki markup on Data Center. Null if empty. */
  description: unknown;
  type: IssueType;
  status: Status;
  resolution: { id: string; name: string } | null;
  resolvedMs: number | null;
  categoryChangedMs: number;
  priority: string;
  labels: string[];
  votes: number;
  fixVersions: string[];
  assignee: User | null;
  reporter: User;
  parent: Issue | null;
  comments: Comment[];
  histories: History[];
  properties: Map<string, unknown>;
  createdMs: number;
  updatedMs: number;
}

/** Configuration of the emulated Jira site. */
export interface Site {
  deployment: JiraDeployment;
  /** Path of the site after the origin, such as `/jira`. Empty if there is none. */
  contextPath: string;
  /**
   * At the end of daylight saving time, one local hour occurs twice. This field selects the
   * occurrence that a local time means.
   */
  ambiguousTime: 'earlier' | 'later';
  /** Converts a text to its stored form. */
  storedText: (text: unknown) => unknown;
}

export function issueKey({ project, number }: Issue): string {
  return `${project.key}-${number}`;
}
