/** Share of page loads whose performance is traced. */
const TRACED_SHARE = 0.01;

/**
 * Reports errors of this page if the server configures it with `<meta name="error-reporting">`.
 * Otherwise no reporting code is loaded and nothing is sent. Query strings are removed from URLs,
 * because they may contain tokens of emailed links.
 */
export async function startErrorReporting(): Promise<void> {
  const configured = document.querySelector<HTMLMetaElement>('meta[name="error-reporting"]');
  if (configured === null) return;
  const { breadcrumbsIntegration, browserTracingIntegration, init } = await import('@sentry/browser');
  init({
    dsn: configured.content,
    environment: configured.dataset.environment ?? 'development',
    // Click recording is off (`dom: false`), because labels of buttons may contain titles of
    // issues.
    integrations: [breadcrumbsIntegration({ dom: false }), browserTracingIntegration({ enableInp: false })],
    tracesSampleRate: TRACED_SHARE,
    // Requests to the API get no tracing headers, because such headers would link all requests of a
    // visit.
    tracePropagationTargets: [],
    sendDefaultPii: false,
    beforeSend: withoutQueries,
    beforeSendTransaction: withoutQueries,
  });
}

/** Removes query strings and fragments from all URLs in a report. */
function withoutQueries<T>(report: T): T {
  return JSON.parse(JSON.stringify(report), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/((?:https?:\/)?\/[^\s?#"']*)[?#][^\s"']*/g, '$1') : value,
  );
}
