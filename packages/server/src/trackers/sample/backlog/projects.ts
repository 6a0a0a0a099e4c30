/** Organization of the sample backlog, which new users can explore. */
export const sampleOrganization = { name: 'Skua', identifier: 'skua' };

/**
 * The two projects of the sample backlog. Issues are stored in `issues/`, in the folder `folder` of
 * their project.
 */
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
