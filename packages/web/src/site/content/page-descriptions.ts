import { NOT_FOUND } from './page-table.ts';

/** What search engines and shared links say of each public page; needed only while pages are rendered. */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '/': 'Winnow reads the backlog you already have, finds the issues that are the same, shows why, and closes what you decide: with a preview before, and Undo after.',
  '/features/duplicates':
    'How Winnow finds issues that report the same thing, what its numbers mean, and what closing one writes.',
  '/features/compliance':
    'Each issue scored against your Definition of Ready, with the reason and a better title and description.',
  '/features/dependencies':
    'Issues that block each other and do not say so, with a reason and a confidence for each pair.',
  '/pricing': 'What Winnow costs by month or year, and what each plan allows.',
  '/whatis-mcp':
    'The Model Context Protocol, what Winnow does as an MCP server for issue trackers, and how to start.',
  '/docs':
    'Getting started with Winnow, connecting GitHub, GitLab and Jira, reading the scores, reviewing, undoing, and the API.',
  '/terms': 'The terms under which this installation of Winnow may be used.',
  '/privacy': 'What Winnow keeps, for how long, in your browser and on the server, and whom it calls.',
  '/login': 'Sign in to Winnow with your username or e-mail address.',
  '/register': 'Create a Winnow account, then connect a tracker or explore with sample data.',
  '/forgot-password': 'Get a link to choose a new password for your Winnow account.',
  '/reset-password': 'Choose a new password for your Winnow account.',
  '/verify-email': 'Confirms the e-mail address of a Winnow account.',
  '/welcome': 'Set the password of the Winnow account you were invited to.',
  '/request-demo': 'Ask to be shown Winnow with a backlog like yours.',
  [NOT_FOUND]: 'There is no page at this address.',
};
