/**
 * Kinds of work about a change that is made or planned elsewhere. Such an issue is never the same
 * as that change.
 */
const WORK_KINDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:backport(?:s|ed|ing)?|cherry-?pick(?:s|ed|ing)?)\b/i, 'backporting it'],
  [/\brevert(?:s|ed|ing)?\b/i, 'taking it back'],
  [/^\W*release\b/i, 'releasing it'],
  [/\b(?:add(?:ing)?|write|writing|more|missing|extend(?:ing)?)\s+(?:\w+\s+){0,3}tests?\b/i, 'tests for it'],
  [/(?:\bfollow-?ups?|\baddendum|[:–—-]\s*improvements?|\b(?:part|phase) [2-9])\W*$/i, 'further work on it'],
  [/\b(?:initial|preliminary|basic) support\b/i, 'a first version of it'],
  [/\b(?:document(?:ing)?|documentation for|docs for)\b/i, 'documenting it'],
];

/**
 * Returns the kind of follow-up work in a title, worded to follow "is about"; null for the change
 * itself.
 */
export function workKindOf(title: string): string | null {
  return WORK_KINDS.find(([pattern]) => pattern.test(title))?.[1] ?? null;
}
