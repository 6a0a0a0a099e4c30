/** What the built pages hold where they name the site they are on; the server puts in the address it is reached at. */
export const SITE_ORIGIN = 'https://site.invalid';

/** In the built pages: what the server replaces by how errors are reported, or by nothing. */
export const ERROR_REPORTING_PLACE = '<!--error-reporting-->';
