import { Counter, collectDefaultMetrics, Histogram, Registry } from 'prom-client';

export type Metrics = {
  /** All metrics of `/metrics`. Features register their own here. */
  registry: Registry;
  /**
   * Seconds from the first byte of a request to the last byte of its response, by route template,
   * never by raw path.
   */
  requestDuration: Histogram<'method' | 'route' | 'status'>;
  /** Clicks in the console by target: link, button or other. */
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
 * Creates the metrics of one server, with their own registry, so that two servers in a test process
 * stay separate. Includes Node's default metrics.
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
