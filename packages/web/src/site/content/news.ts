/** What the landing page announces above its heading. */
export const NEWS = {
  label: 'New',
  text: 'Compliance Suggestions and Improved Reasoning',
  link: '/features/compliance',
} as const;
