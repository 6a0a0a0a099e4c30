import type { Figure } from '../run.ts';

/** Columns of the table, with the figures that they show. */
const COLUMNS = [
  ['R@1', 'recall_at_1'],
  ['R@5', 'recall_at_5'],
  ['R@10', 'recall_at_10'],
  ['R@20', 'recall_at_20'],
  ['MRR', 'mean_reciprocal_rank'],
  ['AP', 'average_precision'],
  ['P@50', 'precision_at_50'],
  ['P@100', 'precision_at_100'],
  ['P@200', 'precision_at_200'],
] as const;
const WIDTH = 8;
const NAME_WIDTH = 12;

/** Formats the figures as a table with one line per method. */
export function tableOf(methods: readonly string[], figures: readonly Figure[]): string {
  const valueByName = new Map(figures.map(({ name, value }) => [name, value]));
  const lines = methods.map((method) =>
    COLUMNS.map(([, figure]) => {
      const value = valueByName.get(`${method}.${figure}`);
      return (value === undefined ? '' : value.toFixed(3)).padStart(WIDTH);
    }).join(''),
  );
  const head = COLUMNS.map(([name]) => name.padStart(WIDTH)).join('');
  const rows = methods.map((method, at) => `${method.padEnd(NAME_WIDTH)}${lines[at]}`);
  return [`${'method'.padEnd(NAME_WIDTH)}${head}`, ...rows, ''].join('\n');
}
