/** What the built pages hold where they name the site they are on; the server puts in the address it is reached at. */
export const SITE_ORIGIN = 'https://site.invalid';
