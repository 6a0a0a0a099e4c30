import { RE2JS, RE2JSException } from 're2js';
import { type CpuBudget, CpuBudgetExceeded } from './cpu-budget.ts';

/** Maximum length of the searched text, in characters. GitHub's longest texts have 65,536. */
const MAX_SEARCHED_CHARS = 70_000;
/**
 * Maximum program size of an expression, in steps per character. Filters without repetition counts
 * never reach it.
 */
const MAX_PROGRAM_STEPS = 600;
/**
 * Below this product of program size and text length, a search takes a few milliseconds at most and
 * needs no timeout.
 */
const MAX_UNTIMED_STEPS = 100_000;
/** Ignores case, and lets a dot match line ends. */
const RE2_FLAGS = '(?is)';

const TOO_LARGE = 'This expression repeats too much to be evaluated quickly. Use smaller counts in braces.';

/**
 * A regular expression in RE2 syntax. Search time is linear in the text length: usually below a
 * millisecond, but up to a second for a hostile expression and text.
 */
export class Expression {
  readonly #pattern: string;
  #compiled: RE2JS;
  /** True while a search runs, and after one was interrupted. */
  #isSearching = false;

  /**
   * @throws {ExpressionRefused} if the syntax is invalid or matching would take too long per
   * character
   */
  constructor(pattern: string) {
    if (stepsAtMost(pattern) > MAX_PROGRAM_STEPS) throw new ExpressionRefused(TOO_LARGE);
    this.#pattern = `${RE2_FLAGS}${pattern}`;
    try {
      this.#compiled = RE2JS.compile(this.#pattern);
    } catch (error) {
      if (error instanceof RE2JSException) throw new ExpressionRefused(sentenceFor(error));
      throw error;
    }
    if (this.#compiled.programSize() > MAX_PROGRAM_STEPS) throw new ExpressionRefused(TOO_LARGE);
  }

  /**
   * True if the expression matches anywhere in the text, ignoring case.
   * @throws {CpuBudgetExceeded} and then on every later call
   */
  isIn(text: string, budget: CpuBudget): boolean {
    if (this.#isSearching) throw new CpuBudgetExceeded();
    const searched = text.slice(0, MAX_SEARCHED_CHARS);
    const isQuick = this.#compiled.programSize() * searched.length <= MAX_UNTIMED_STEPS;
    return isQuick ? budget.take(() => this.#search(searched)) : budget.limit(() => this.#search(searched));
  }

  #search(text: string): boolean {
    // An interrupted search may have left the compiled program in an inconsistent state.
    if (this.#isSearching) this.#compiled = RE2JS.compile(this.#pattern);
    this.#isSearching = true;
    const isFound = this.#compiled.test(text);
    this.#isSearching = false;
    return isFound;
  }
}

/** A refused expression, with a sentence for the user. */
export class ExpressionRefused extends Error {}

const PATTERN_TOKEN = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/**
 * Estimates the program size with repetition counts expanded. Compiling nested counts to find out
 * would take too long.
 */
function stepsAtMost(pattern: string): number {
  const open = [0];
  let last = 0;
  const add = (steps: number) => {
    open[open.length - 1] = (open.at(-1) ?? 0) + steps;
  };
  for (const [token, least, most] of pattern.matchAll(PATTERN_TOKEN)) {
    if (token === '(') {
      open.push(0);
      continue;
    }
    if (least !== undefined) {
      const times = Math.max(1, Number(most || least));
      add(last * (times - 1));
      last *= times;
      continue;
    }
    last = token === ')' && open.length > 1 ? (open.pop() ?? 0) : 1;
    add(last);
  }
  return open.reduce((sum, steps) => sum + steps, 0);
}

function sentenceFor({ message }: RE2JSException): string {
  const reason = message.replace(/^error parsing regexp: /, '').replace(RE2_FLAGS, '');
  return `Invalid RE2 expression: ${reason}.`;
}
