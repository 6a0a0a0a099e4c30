/** Placeholder for the site's URL in the built pages. The server replaces it. */
export const SITE_ORIGIN = 'https://site.invalid';

/**
 * Placeholder in the built pages. The server replaces it with the configuration of error reporting,
 * or removes it.
 */
export const ERROR_REPORTING_PLACE = '<!--error-reporting-->';

/**
 * Placeholder in the console's page. The server replaces it with the production host name, or
 * removes it.
 */
export const PRODUCTION_HOST_PLACE = '<!--production-host-->';
