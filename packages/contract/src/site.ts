/** What the built pages hold where they name the site they are on; the server puts in the address it is reached at. */
export const SITE_ORIGIN = 'https://site.invalid';

/** In the built pages: what the server replaces by how errors are reported, or by nothing. */
export const ERROR_REPORTING_PLACE = '<!--error-reporting-->';

/** In the console's page: what the server replaces by the name of the production host, or by nothing. */
export const PRODUCTION_HOST_PLACE = '<!--production-host-->';
