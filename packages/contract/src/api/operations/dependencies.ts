import { type Operations, OUTSIDE_ERRORS } from '../operation.ts';

export const dependencyOperations: Operations = {
  'GET /api/v1/issue-dependencies': {
    id: 'getDependencyGraph',
    summary: 'Get the dependency graph',
    description: 'Returns the issues of a project and their dependencies, with cycles and the longest chain.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/issue-dependencies/dismissed': {
    id: 'listDismissedDependencies',
    summary: 'List dismissed dependencies',
    description: 'Returns the dependencies of a project that a person dismissed.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'POST /api/v1/issue-dependencies/detect': {
    id: 'detectDependencies',
    summary: 'Find dependencies',
    description:
      'Finds dependencies among the named issues from their texts and from links in the tracker. Returns what is known immediately.',
    errors: ['not_found', 'unavailable'],
  },
  'POST /api/v1/issue-dependencies/extend': {
    id: 'extendDependencies',
    summary: 'Find dependencies on further issues',
    description:
      'Adds the issues nearest in meaning to the scan. Returns only the added dependencies and issues.',
    errors: ['not_found', 'unavailable'],
  },
  'POST /api/v1/issue-dependencies/commit': {
    id: 'commitDependencies',
    summary: 'Write dependencies to the tracker',
    description:
      'Writes dependencies to their trackers. Each is listed as committed, failed or pending. The changes can be undone.',
    errors: ['not_found', ...OUTSIDE_ERRORS],
  },
  'POST /api/v1/issue-dependencies/dismiss': {
    id: 'dismissDependency',
    summary: 'Dismiss a dependency',
    description:
      'Marks a found dependency as wrong, so that it is not listed. Nothing is written to the tracker.',
    errors: ['not_found', 'in_tracker', 'already_committed'],
  },
  'POST /api/v1/issue-dependencies/restore': {
    id: 'restoreDependency',
    summary: 'Restore a dismissed dependency',
    description: 'Lists a dismissed dependency again.',
    errors: ['not_found', 'in_tracker', 'already_committed'],
  },
};
