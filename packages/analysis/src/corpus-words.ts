import { MIN_SAME_TOPIC_SIMILARITY } from './dependencies/same-topic.ts';
import { inTitle } from './document-terms.ts';
import type { IndexedIssues } from './indexed-issues.ts';
import { compareTerms } from './lexical.ts';
import { areSiblings } from './siblings.ts';
import type { TermScale } from './term-scale.ts';

/**
 * The words of a corpus. Finds the issues that contain a word, and compares two issues by their
 * words.
 */
export class CorpusWords {
  readonly #issues: IndexedIssues;
  readonly #terms: TermScale;

  constructor(issues: IndexedIssues, terms: TermScale) {
    this.#issues = issues;
    this.#terms = terms;
  }

  /** Number of issues. */
  get issues(): number {
    return this.#issues.size;
  }

  /**
   * Returns, per term, the ids of the issues that contain it. The value of each id is true if the
   * title contains the term. Searches all issues, or only those in `among`, in one pass. Terms that
   * no issue contains are missing from the result.
   */
  holdersOf(terms: ReadonlySet<string>, among?: readonly string[]): Map<string, Map<string, boolean>> {
    const holders = new Map<string, Map<string, boolean>>();
    const wanted: (Map<string, boolean> | undefined)[] = [];
    for (const term of terms) {
      const id = this.#terms.find(term);
      if (id < 0) continue;
      // Two terms may have the same hash.
      wanted[id] ??= new Map<string, boolean>();
      holders.set(term, wanted[id]);
    }
    if (holders.size === 0) return holders;
    for (const slot of among?.map((id) => this.#issues.slotOf(id)) ?? this.#issues.slots()) {
      const issue = this.#issues.at(slot);
      if (issue === null) continue;
      const { terms: ids, counts } = issue.terms;
      for (let at = 0; at < ids.length; at += 1) {
        wanted[ids[at] ?? 0]?.set(issue.id, inTitle(counts[at] ?? 0) > 0);
      }
    }
    return holders;
  }

  /**
   * True if the words of two issues show that they are about the same thing. False for an unknown
   * id.
   */
  areOnSameTopic(firstId: string, secondId: string): boolean {
    const [first, second] = [this.#issueOf(firstId), this.#issueOf(secondId)];
    if (first === null || second === null) return false;
    if (areSiblings(first.title, second.title)) return true;
    const { idf } = this.#terms.scale;
    return (
      compareTerms(first.terms, second.terms, first.norms, second.norms, idf).lexical >=
      MIN_SAME_TOPIC_SIMILARITY
    );
  }

  #issueOf(issueId: string) {
    return this.#issues.at(this.#issues.slotOf(issueId));
  }
}
