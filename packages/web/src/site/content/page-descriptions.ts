import { NOT_FOUND } from './page-table.ts';

/**
 * Description of each public page for search engines and link previews. Used only at build time.
 */
export const DESCRIPTIONS: Readonly<Record<string, string>> = {
  '/': 'Winnow reads the backlog you already have, finds duplicate issues, shows why they match, and closes those you choose, with a preview and Undo.',
  '/features/duplicates':
    'How Winnow finds issues that report the same problem, what the scores mean, and what closing a duplicate writes.',
  '/features/compliance':
    'Each issue scored against your Definition of Ready, with the reason and a better title and description.',
  '/features/dependencies':
    'Finds issues that block each other without saying so, with a reason and a confidence for each pair.',
  '/pricing': 'Monthly and yearly prices of Winnow, and the limits of each plan.',
  '/whatis-mcp':
    'The Model Context Protocol, what Winnow does as an MCP server for issue trackers, and how to start.',
  '/docs':
    'Getting started with Winnow, connecting GitHub, GitLab and Jira, reading the scores, reviewing, undoing, and the API.',
  '/terms': 'The terms under which this installation of Winnow may be used.',
  '/privacy':
    'Which data Winnow stores in your browser and on the server, for how long, and which services it contacts.',
  '/login': 'Sign in to Winnow with your username or email address, or with a passkey.',
  '/register': 'Create a Winnow account, then connect a tracker or explore with sample data.',
  '/forgot-password': 'Get a link to choose a new password for your Winnow account.',
  '/reset-password': 'Choose a new password for your Winnow account.',
  '/verify-email': 'Confirms the email address of a Winnow account.',
  '/welcome': 'Set the password of the Winnow account you were invited to.',
  '/request-demo': 'Request a demo of Winnow with a backlog like yours.',
  [NOT_FOUND]: 'Page not found.',
};
