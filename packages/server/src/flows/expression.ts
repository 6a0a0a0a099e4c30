import { RE2JS, RE2JSException } from 're2js';
import { type CpuBudget, CpuBudgetExceeded } from './cpu-budget.ts';

/**
 * Maximum number of characters of a text that are searched. GitHub's longest texts have 65,536
 * characters.
 */
const MAX_SEARCHED_CHARS = 70_000;
/**
 * Maximum program size of a compiled expression. A search takes this many steps per character.
 * Filters without repetition counts never reach it.
 */
const MAX_PROGRAM_STEPS = 600;
/**
 * Maximum product of program size and text length for a search without a timeout. Such a search
 * takes at most a few milliseconds.
 */
const MAX_UNTIMED_STEPS = 100_000;
/** RE2 flags: ignores case, and lets a dot match line ends. */
const RE2_FLAGS = '(?is)';

const TOO_LARGE = 'This expression repeats too much to be evaluated quickly. Use smaller counts in braces.';

/**
 * A regular expression in RE2 syntax. Search time is linear in the length of the text. A search
 * usually takes less than a millisecond, but up to a second for a hostile expression and text.
 */
export class Expression {
  readonly #pattern: string;
  #compiled: RE2JS;
  /** True during a search. Still true after a search was interrupted. */
  #isSearching = false;

  /** @throws {ExpressionRefused} if the syntax is invalid, or if the program is too large */
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
   * @throws {CpuBudgetExceeded} if the search takes too long, and on every later call
   */
  isIn(text: string, budget: CpuBudget): boolean {
    if (this.#isSearching) throw new CpuBudgetExceeded();
    const searched = text.slice(0, MAX_SEARCHED_CHARS);
    const isQuick = this.#compiled.programSize() * searched.length <= MAX_UNTIMED_STEPS;
    return isQuick ? budget.take(() => this.#search(searched)) : budget.limit(() => this.#search(searched));
  }

  #search(text: string): boolean {
    // The interrupted search may have left the compiled program in an inconsistent state, so it is
    // compiled again.
    if (this.#isSearching) this.#compiled = RE2JS.compile(this.#pattern);
    this.#isSearching = true;
    const isFound = this.#compiled.test(text);
    this.#isSearching = false;
    return isFound;
  }
}

/** An expression was refused. The message is a sentence for the user. */
export class ExpressionRefused extends Error {}

const PATTERN_TOKEN = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/**
 * Estimates the program size from the repetition counts. Compiling nested counts to measure the
 * size would take too long.
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
