import { referencesIn } from '../references.ts';

/**
 * Patterns of places in a program, such as files and functions. All quantifiers that could overlap
 * are bounded.
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
 * True if a statement names a file, a function, an API address, or something else that a code
 * search finds.
 */
export function namesCode(text: string): boolean {
  return CODE_PATTERNS.some((place) => place.test(text));
}

/** Placeholder issue: mentions can be detected without knowing the issue. */
const SOME_ISSUE = { key: 'owner/project#0', url: null };

/** True if a statement names another issue. */
export function namesIssue(text: string): boolean {
  return /\d/.test(text) && referencesIn(text, SOME_ISSUE, () => true).length > 0;
}

/** True if a text contains something verbatim: in quotation marks or as code. */
export function quotes(text: string): boolean {
  return /“[^”\n]{1,200}”|"[^"\n]{1,200}"|`[^`\n]{1,200}`|„[^“”\n]{1,200}[“”]|«[^»\n]{1,200}»|「[^」\n]{1,200}」/.test(
    text,
  );
}

/** A word that is a name: a version, an amount, or an identifier. */
const NAME_LIKE_WORD = /\d|[\p{Ll}\d]\p{Lu}|\p{L}[._/#-]\p{L}/u;
const BETWEEN_WORDS = /[\s,;()[\]"“”「」、。]+/u;
const AROUND_WORD = /^[.:'*]+|[.:'!?*]+$/g;

/** Returns the distinct names in a text, in lower case: `2.1.5`, `mina-core`, `toarray`. */
export function namesIn(text: string): Set<string> {
  const words = text.split(BETWEEN_WORDS).map((word) => word.replace(AROUND_WORD, ''));
  return new Set(
    words.filter((word) => word.length > 1 && NAME_LIKE_WORD.test(word)).map((word) => word.toLowerCase()),
  );
}
