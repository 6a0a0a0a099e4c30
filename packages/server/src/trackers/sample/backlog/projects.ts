/** The organization whose backlog a new user explores. */
export const sampleOrganization = { name: 'Skua', identifier: 'skua' };

/** The two projects of the sample backlog. `folder` holds the issues, below `issues/`. */
export const sampleProjects = [
  {
    name: 'Skua Sync',
    identifier: 'skua/sync',
    description: 'Desktop client and sync engine for Windows, macOS and Linux.',
    folder: 'sync',
  },
  {
    name: 'Skua Web',
    identifier: 'skua/web',
    description: 'Web app and API: sharing, previews, search, administration, billing.',
    folder: 'web',
  },
] as const;
