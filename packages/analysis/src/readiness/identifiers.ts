import { referencesIn } from '../references.ts';

/**
 * Matches names of files, functions and other code. Quantifiers that could overlap are bounded, so
 * that matching takes linear time.
 */
const CODE_PATTERNS: readonly RegExp[] = [
  /`[!-_a-~][ -_a-~]{0,78}[!-_a-~]`/,
  /(?<![\w.])[\w-]{1,60}\.(?:tsx?|jsx?|mjs|py|go|rs|java|kt|cs|cpp|cc|c|h|hpp|rb|php|swift|scala|sql|css|scss|html?|ya?ml|toml|json|ini|conf|sh|vue|svelte)(?!\w)/i,
  /(?<![\w/:.])(?:\/[\w{}:.-]{1,60}){2,12}/,
  /(?<![\w/:.])[\w-]{1,40}(?:\/[\w.-]{1,40}){2,10}\/?(?![\w/])/,
  /(?<!\w)[a-z]{2,40}(?:[A-Z][a-z0-9]{1,40}){1,8}(?!\w)/,
  /(?<!\w)(?:[A-Z][a-z0-9]{1,40}){3,8}(?!\w)/,
  /(?<!\w)[a-z][a-z0-9]{0,40}(?:_[a-z0-9]{1,40}){1,8}(?!\w)/,
  /(?<!\w)[A-Z][A-Z0-9]{1,30}(?:_[A-Z0-9]{1,30}){1,8}(?!\w)/,
  /(?<!\w)\w{2,60}(?:::\w{1,60}|\(\))/,
];

/**
 * True if a statement names a file, a function, an API address, or something else to search for in
 * the code.
 */
export function namesCode(text: string): boolean {
  return CODE_PATTERNS.some((place) => place.test(text));
}

/** Any issue. Mentions of issues are detected without the key of the mentioning issue. */
const SOME_ISSUE = { key: 'owner/project#0', url: null };

/** True if a statement mentions another issue. */
export function namesIssue(text: string): boolean {
  return /\d/.test(text) && referencesIn(text, SOME_ISSUE, () => true).length > 0;
}

/** True if a text contains a quotation or code. */
export function quotes(text: string): boolean {
  return /“[^”\n]{1,200}”|"[^"\n]{1,200}"|`[^`\n]{1,200}`|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|「[^」\n]{1,200}」/.test(
    text,
  );
}

/** Matches a word that is a name: a version, a number, or an identifier. */
const NAME_LIKE_WORD = /\d|[\p{Ll}\d]\p{Lu}|\p{L}[._/#-]\p{L}/u;
const BETWEEN_WORDS = /[\s,;()[\]"“”「」、。]+/u;
const AROUND_WORD = /^[.:'*]+|[.:'!?*]+$/g;

/**
 * Returns the names in a text in lower case, without repetitions: `2.1.5`, `mina-core`, `toarray`.
 */
export function namesIn(text: string): Set<string> {
  const words = text.split(BETWEEN_WORDS).map((word) => word.replace(AROUND_WORD, ''));
  return new Set(
    words.filter((word) => word.length > 1 && NAME_LIKE_WORD.test(word)).map((word) => word.toLowerCase()),
  );
}
