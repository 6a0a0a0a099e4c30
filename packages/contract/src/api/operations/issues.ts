import type { Operations } from '../operation.ts';

export const issueOperations: Operations = {
  'GET /api/v1/search': {
    id: 'searchIssues',
    summary: 'Search',
    description:
      'Searches issues, change requests and comments by meaning, by words, or by both. Exact keys and ids come first. An empty query lists the newest. `cluster_id` limits the search to the issues of a cluster and their comments.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/embeddings': {
    id: 'getIssueMap',
    summary: 'Get the map of issues',
    description:
      'Returns a position for each issue so that similar issues are near each other, with the themes they form. `include=vectors` adds the vectors as base64 float32.',
    errors: ['ambiguous_project', 'not_found'],
  },
  'GET /api/v1/issues/:issue': {
    id: 'getIssue',
    summary: 'Get an issue',
    description:
      'Returns an issue by key or id with its comments, similar pairs, scores, dependencies and changes, from what is stored.',
    errors: ['ambiguous_key'],
  },
  'GET /api/v1/issues/:issue/similar': {
    id: 'findSimilarIssues',
    summary: 'Find similar issues',
    description:
      'Returns the issues nearest to one issue in the index, most similar first. Judges none of them.',
    errors: ['ambiguous_key', 'ambiguous_project'],
  },
  'GET /api/v1/issues-count': {
    id: 'countIssues',
    summary: 'Count issues',
    description: 'Returns how many issues are stored, and how many of them have current pairs.',
  },
  'GET /api/v1/organizations': {
    id: 'listOrganizations',
    summary: 'List organizations',
    description: 'Returns the organizations in scope, optionally of one tracker.',
  },
  'GET /api/v1/projects': {
    id: 'listProjects',
    summary: 'List projects',
    description: 'Returns the projects in scope with the number of their issues.',
  },
};
