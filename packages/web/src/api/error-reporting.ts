/** Share of page loads whose performance is traced. */
const TRACED_SHARE = 0.01;

/**
 * Reports errors of this page if the server configures it with `<meta name="error-reporting">`.
 * Otherwise nothing is loaded or sent. Queries are removed from URLs, since they may contain tokens
 * of emailed links.
 */
export async function startErrorReporting(): Promise<void> {
  const configured = document.querySelector<HTMLMetaElement>('meta[name="error-reporting"]');
  if (configured === null) return;
  const { breadcrumbsIntegration, browserTracingIntegration, init } = await import('@sentry/browser');
  init({
    dsn: configured.content,
    environment: configured.dataset.environment ?? 'development',
    // Clicks are recorded with their label, which may contain an issue's title, so record none.
    integrations: [breadcrumbsIntegration({ dom: false }), browserTracingIntegration({ enableInp: false })],
    tracesSampleRate: TRACED_SHARE,
    // Send no tracing headers to the API, since they would link the requests of a visit.
    tracePropagationTargets: [],
    sendDefaultPii: false,
    beforeSend: withoutQueries,
    beforeSendTransaction: withoutQueries,
  });
}

/** Removes queries and fragments from all URLs in a report. */
function withoutQueries<T>(report: T): T {
  return JSON.parse(JSON.stringify(report), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/((?:https?:\/)?\/[^\s?#"']*)[?#][^\s"']*/g, '$1') : value,
  );
}
