import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = {
  /** Metrics that `/metrics` returns. Features register their own metrics here. */
  registry: Registry;
  /**
   * Seconds from the first byte of a request to the last byte of its response. Labeled by route
   * template, since raw paths would create too many series.
   */
  requestDuration: Histogram<'method' | 'route' | 'status'>;
  /** Number of clicks in the console, by kind of element: link, button or other. */
  clicks: Counter<'target'>;
};

let nodeMetrics: Registry | null = null;

/**
 * Returns Node's default metrics, which describe the process. They are created once per process:
 * each set starts a 10 ms timer and observes every garbage collection until the process ends.
 */
function metricsOfNode(): Registry {
  if (nodeMetrics === null) {
    nodeMetrics = new Registry();
    collectDefaultMetrics({ register: nodeMetrics });
  }
  return nodeMetrics;
}

/**
 * Creates the metrics of one server, including Node's default metrics. Each server has its own
 * registry, so that two servers in one test process do not share metrics.
 */
export function createMetrics(): Metrics {
  const registry = Registry.merge([metricsOfNode()]);
  const requestDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'Duration of HTTP requests by route template.',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [registry],
  });
  const clicks = new Counter({
    name: 'winnow_clicks_total',
    help: 'Clicks in the console.',
    labelNames: ['target'] as const,
    registers: [registry],
  });
  return { registry, requestDuration, clicks };
}
