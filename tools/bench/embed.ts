import { textForEmbedding } from '@winnow/analysis/clean';
import { openMiniLm } from '@winnow/analysis/embed';
import { loadHadoop } from '../data/hadoop.ts';
import type { Emit } from './run.ts';

const MEGABYTE = 2 ** 20;

/**
 * Measures the embedding model: load time, resident memory with one thread, and the number of
 * Hadoop reports embedded per second with one and two threads. Texts are cleaned as in the product.
 */
export async function run(emit: Emit): Promise<void> {
  const before = process.memoryUsage.rss();
  const started = performance.now();
  const first = await openMiniLm({ threads: 1 });
  emit({ name: 'embed.load', value: (performance.now() - started) / 1000, unit: 's' });
  await first.embed(['A first text, so that everything is in use.']);
  emit({ name: 'embed.memory', value: (process.memoryUsage.rss() - before) / MEGABYTE, unit: 'MB' });

  const data = await loadHadoop();
  if (data === null) {
    const reason = 'The Hadoop data set was not found.';
    emit({ name: 'embed.throughput.skipped', value: 1, unit: 'flag', detail: { reason } });
    await first.close();
    return;
  }
  const texts = data.reports.map((report) => textForEmbedding(report.title, report.body));
  for (const threads of [1, 2]) {
    const embedder = threads === 1 ? first : await openMiniLm({ threads });
    const cpuBefore = process.cpuUsage();
    const began = performance.now();
    await embedder.embed(texts);
    const seconds = (performance.now() - began) / 1000;
    const cpu = process.cpuUsage(cpuBefore);
    await embedder.close();
    emit({
      name: `embed.throughput.threads_${threads}`,
      value: texts.length / seconds,
      unit: 'documents/s',
      detail: {
        documents: texts.length,
        fingerprint: embedder.fingerprint,
        cpuMsPerDocument: (cpu.user + cpu.system) / 1000 / texts.length,
      },
    });
  }
}
