import { Corpus } from '@winnow/analysis/corpus';
import { languageOf, languagesOfWord } from '@winnow/analysis/language';
import { NeighbourPool } from '@winnow/analysis/neighbours';
import { stemsOf, tokenize, tokenizeIn } from '@winnow/analysis/tokenize';
import { languagePairs, languageQueries, type Report } from '../data/language-pairs.ts';
import type { Emit } from './run.ts';

/** Number of texts and their length, for measuring the time of tokenizing. */
const TIMED_TEXTS = 1_000;
const TIMED_CHARS = 400;

/**
 * Measures how well reports in other languages are compared by words. The pairs of reports were
 * written for this benchmark. Emits for each language:
 * - the share of reports whose counterpart in the pair is the most similar report,
 * - the similarity of the counterpart minus the similarity of the best other report,
 * - the share of wanted reports found by a query with remembered words,
 * - the time to tokenize texts.
 */
export async function run(emit: Emit): Promise<void> {
  for (const [language, pairs] of Object.entries(languagePairs)) {
    const reports = pairs.flat();
    const { recall, margin } = await nearestByWords(reports);
    emit({
      name: `${language}.recall_at_1`,
      value: recall,
      unit: 'share',
      detail: { reports: reports.length },
    });
    emit({ name: `${language}.margin`, value: margin, unit: 'similarity' });
    const { found, wanted } = foundByQueries(reports, languageQueries[language] ?? []);
    emit({ name: `${language}.found`, value: found, unit: 'reports', detail: { wanted } });
    emit({
      name: `${language}.tokenize`,
      value: msToRead(reports),
      unit: 'ms',
      detail: { texts: TIMED_TEXTS },
    });
  }
}

async function nearestByWords(reports: readonly Report[]): Promise<{ recall: number; margin: number }> {
  const neighbours = new NeighbourPool();
  const corpus = new Corpus({ neighbours, dimensions: 1 });
  corpus.put(
    reports.map(([title, body], at) => {
      return { id: `${at}`, group: '', title, body, vector: null, createdAt: at, author: null };
    }),
  );
  corpus.useSnapshot(corpus.takeSnapshot(1));
  let [first, margin] = [0, 0];
  for (const at of reports.keys()) {
    const others = reports.flatMap((_, other) => (other === at ? [] : [{ id: `${other}` }]));
    const [title, body] = reports[at] ?? ['', ''];
    const scores = corpus.compare({ title, body, vector: null }, others);
    const own = others.findIndex(({ id }) => id === `${at ^ 1}`);
    const best = Math.max(...scores.map((score, other) => (other === own ? 0 : (score ?? 0))));
    if ((scores[own] ?? 0) > best) first += 1;
    margin += (scores[own] ?? 0) - best;
  }
  await neighbours.close();
  return { recall: first / reports.length, margin: margin / reports.length };
}

function foundByQueries(
  reports: readonly Report[],
  queries: readonly (readonly [query: string, pair: number])[],
): { found: number; wanted: number } {
  let found = 0;
  for (const [query, pair] of queries) {
    const asked = [...tokenize(query)].map(({ start, end, terms }) => {
      const word = query.slice(start, end);
      return [...terms.slice(0, 1), ...stemsOf(word, terms, languagesOfWord(word))];
    });
    for (const [title, body] of reports.slice(2 * pair, 2 * pair + 2)) {
      const text = `${title}\n${body}`;
      const terms = new Set(
        [...tokenize(text), ...tokenizeIn(text, languageOf(text))].flatMap((each) => each.terms),
      );
      if (asked.every((forms) => forms.some((form) => terms.has(form)))) found += 1;
    }
  }
  return { found, wanted: 2 * queries.length };
}

function msToRead(reports: readonly Report[]): number {
  const all = reports.map(([title, body]) => `${title}. ${body} `).join('');
  const texts = Array.from({ length: TIMED_TEXTS }, (_, at) => {
    const from = (at * 37) % all.length;
    return (all.slice(from) + all.repeat(2)).slice(0, TIMED_CHARS);
  });
  const began = process.threadCpuUsage();
  for (const text of texts) for (const _ of tokenizeIn(text, languageOf(text)));
  return process.threadCpuUsage(began).user / 1_000;
}
