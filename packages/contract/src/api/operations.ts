import type { Operations } from './operation.ts';
import { accountOperations } from './operations/accounts.ts';
import { billingOperations } from './operations/billing.ts';
import { changeOperations } from './operations/changes.ts';
import { clusterOperations } from './operations/clusters.ts';
import { complianceOperations } from './operations/compliance.ts';
import { connectionOperations } from './operations/connections.ts';
import { dependencyOperations } from './operations/dependencies.ts';
import { duplicateOperations } from './operations/duplicates.ts';
import { flowOperations } from './operations/flows.ts';
import { issueOperations } from './operations/issues.ts';
import { trackerOperations } from './operations/trackers.ts';
import { workspaceOperations } from './operations/workspaces.ts';

/** All operations of the HTTP API. A test fails for a route without an entry. */
export const OPERATIONS: Operations = {
  ...issueOperations,
  ...duplicateOperations,
  ...clusterOperations,
  ...complianceOperations,
  ...dependencyOperations,
  ...changeOperations,
  ...flowOperations,
  ...trackerOperations,
  ...connectionOperations,
  ...accountOperations,
  ...workspaceOperations,
  ...billingOperations,
};

/** Groups of the API description, in display order. */
export const API_TAGS: Readonly<Record<string, string>> = {
  Issues: 'Issues, projects and organizations as they were read from trackers.',
  Duplicates: 'Pairs of similar issues, verdicts about them, and their resolution.',
  Clusters: 'Groups of issues that probably describe one problem, decisions about them, and reviews.',
  Compliance: 'Scores of issues by criteria, prompts with those criteria, and better texts.',
  Dependencies: 'Which issues must be finished before others.',
  Changes: 'The ledger: every write to a tracker, proposals, and undo.',
  Flows: 'Automations, their triggers, and their executions.',
  Trackers: 'Connections to GitHub, GitLab and Jira, and their webhooks.',
  'AI models': 'Language models that judge and suggest in place of the built-in analyst.',
  'MCP servers': 'Outside servers whose tools flows may use.',
  Accounts: 'Registration, sessions, the signed-in user, export and deletion.',
  Workspaces: 'Workspaces, their members and roles, invitations, and the audit log.',
  'API keys': 'Keys for programs and agents.',
  Usage: 'Usage of the account, and the limits of its plan.',
  Billing: 'Plans and payment.',
  Leads: 'Requests for a demo.',
};
