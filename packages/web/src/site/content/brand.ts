/**
 * The company that runs this site. Operators of a self-hosted Winnow enter their own company here.
 */
export const BRAND = {
  name: 'Winnow',
  company: 'Winnow',
  address: ['1 Market Street', 'San Francisco, CA 94105', 'United States'],
  copyrightYear: 2025,
  social: [
    { name: 'LinkedIn', url: 'https://www.linkedin.com/company/winnow' },
    { name: 'Instagram', url: 'https://www.instagram.com/winnow' },
  ],
} as const;
