/** One visit in a hundred is timed. */
const TRACED = 0.01;

/**
 * Reports errors of this page where the server says to, as `<meta name="error-reporting">`; without that, nothing is
 * loaded and nothing is sent. Addresses go without their query, which carries the tokens of mailed links.
 */
export async function startErrorReporting(): Promise<void> {
  const configured = document.querySelector<HTMLMetaElement>('meta[name="error-reporting"]');
  if (configured === null) return;
  const { breadcrumbsIntegration, browserTracingIntegration, init } = await import('@sentry/browser');
  init({
    dsn: configured.content,
    environment: configured.dataset.environment ?? 'development',
    // What was clicked is told by its label, which may hold an issue's title.
    integrations: [breadcrumbsIntegration({ dom: false }), browserTracingIntegration({ enableInp: false })],
    tracesSampleRate: TRACED,
    // Our own API is asked without headers that would tie a visit together.
    tracePropagationTargets: [],
    sendDefaultPii: false,
    beforeSend: withoutQueries,
    beforeSendTransaction: withoutQueries,
  });
}

/** The same, with every query and fragment cut off the addresses in it. */
function withoutQueries<T>(report: T): T {
  return JSON.parse(JSON.stringify(report), (_, value: unknown) =>
    typeof value === 'string' ? value.replace(/((?:https?:\/)?\/[^\s?#"']*)[?#][^\s"']*/g, '$1') : value,
  );
}
