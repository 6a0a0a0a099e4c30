/** The announcement above the heading of the landing page. */
export const NEWS = {
  label: 'New',
  text: 'Compliance Suggestions and Improved Reasoning',
  link: '/features/compliance',
} as const;
