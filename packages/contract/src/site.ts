/** Placeholder for the site's URL in the built pages. The server replaces it. */
export const SITE_ORIGIN = 'https://site.invalid';

/**
 * Placeholder in the built pages for the error reporting configuration, which the server inserts
 * or removes.
 */
export const ERROR_REPORTING_PLACE = '<!--error-reporting-->';

/**
 * Placeholder in the console's page for the production host name, which the server inserts or
 * removes.
 */
export const PRODUCTION_HOST_PLACE = '<!--production-host-->';
