import { RE2JS, RE2JSException } from 're2js';
import { type SearchTime, TooLong } from './search-time.ts';

/** Of a longer text an expression is looked for in the beginning; GitHub's longest texts have 65 536 characters. */
const LONGEST_SEARCHED = 70_000;
/** The most steps that an expression takes for one character: what a filter can hold without counts takes fewer. */
const MOST_STEPS = 600;
/** What takes fewer steps by its size takes a few milliseconds at the worst. */
const FEW_STEPS = 100_000;
/** Upper and lower case are the same, and a dot stands for line ends too. */
const FLAGS = '(?is)';

const TOO_LARGE = 'This expression repeats too much to be checked quickly. Use smaller counts in braces.';

/**
 * A regular expression as RE2 reads it: however it is written, a search takes time in proportion to the text. That can be a
 * second for one that is made to be hard on a text that fits; others take a thousandth of it.
 */
export class Expression {
  readonly #pattern: string;
  #compiled: RE2JS;
  /** A search was begun and is not done: while it goes on, and after it was broken off. */
  #isSearching = false;

  /** @throws {ExpressionRefused} where it cannot be read, or would take too long for each character. */
  constructor(pattern: string) {
    if (stepsAtMost(pattern) > MOST_STEPS) throw new ExpressionRefused(TOO_LARGE);
    this.#pattern = `${FLAGS}${pattern}`;
    try {
      this.#compiled = RE2JS.compile(this.#pattern);
    } catch (error) {
      if (error instanceof RE2JSException) throw new ExpressionRefused(sentenceFor(error));
      throw error;
    }
    if (this.#compiled.programSize() > MOST_STEPS) throw new ExpressionRefused(TOO_LARGE);
  }

  /** Whether it is anywhere in the text, in upper or lower case. @throws {TooLong}, and from then on always. */
  isIn(text: string, time: SearchTime): boolean {
    if (this.#isSearching) throw new TooLong();
    const searched = text.slice(0, LONGEST_SEARCHED);
    const isQuick = this.#compiled.programSize() * searched.length <= FEW_STEPS;
    return isQuick ? time.take(() => this.#search(searched)) : time.limit(() => this.#search(searched));
  }

  #search(text: string): boolean {
    // What was broken off may have left things halfway.
    if (this.#isSearching) this.#compiled = RE2JS.compile(this.#pattern);
    this.#isSearching = true;
    const isFound = this.#compiled.test(text);
    this.#isSearching = false;
    return isFound;
  }
}

/** An expression that is not taken, with a sentence for whoever wrote it. */
export class ExpressionRefused extends Error {}

const TOKEN = /\\.|\[\^?\]?(?:\\.|\[:\^?\w+:\]|[^\]\\])*\]|\{(\d+)(?:,(\d*))?\}|./gsu;

/**
 * About how many steps an expression has once its counts are written out; told without writing them out, which takes long
 * where they stand within each other.
 */
function stepsAtMost(pattern: string): number {
  const open = [0];
  let last = 0;
  const add = (steps: number) => {
    open[open.length - 1] = (open.at(-1) ?? 0) + steps;
  };
  for (const [token, least, most] of pattern.matchAll(TOKEN)) {
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
  const reason = message.replace(/^error parsing regexp: /, '').replace(FLAGS, '');
  return `This is not a regular expression that RE2 reads: ${reason}.`;
}
