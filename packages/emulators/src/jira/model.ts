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
  /** Permissions that users lack in this project, by user name. */
  denied: Map<string, Set<string>>;
}

export interface Comment {
  id: string;
  author: User;
  /** A document (ADF), or a string with wiki markup. */
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
 * A link between issues. The type's outward description applies to the source, as in "source blocks
 * target".
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
  /** A document (ADF), or a string with wiki markup. Null if empty. */
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

/** Configuration of the emulated host. */
export interface Site {
  deployment: JiraDeployment;
  /** Path below the origin, such as `/jira`. Empty for none. */
  contextPath: string;
  /** At the end of summer time, a local hour occurs twice. Selects the time that it means. */
  ambiguousTime: 'earlier' | 'later';
  /** Converts a written text to the text that is stored. */
  storedText: (text: unknown) => unknown;
}

export function issueKey({ project, number }: Issue): string {
  return `${project.key}-${number}`;
}
