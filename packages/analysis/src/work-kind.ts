/**
 * Kinds of work that belong to another change, such as a backport. An issue of such a kind is never
 * a duplicate of that change.
 */
const WORK_KINDS: readonly (readonly [RegExp, string])[] = [
  [/\b(?:backport(?:s|ed|ing)?|cherry-?pick(?:s|ed|ing)?)\b/i, 'a backport'],
  [/\brevert(?:s|ed|ing)?\b/i, 'a revert'],
  [/^\W*release\b/i, 'a release'],
  [
    /\b(?:add(?:ing)?|write|writing|more|missing|extend(?:ing)?)\s+(?:\w+\s+){0,3}tests?\b/i,
    'a task for tests',
  ],
  [/(?:\bfollow-?ups?|\baddendum|[:–—-]\s*improvements?|\b(?:part|phase) [2-9])\W*$/i, 'follow-up work'],
  [/\b(?:initial|preliminary|basic) support\b/i, 'a first version'],
  [/\b(?:document(?:ing)?|documentation for|docs for)\b/i, 'a documentation task'],
];

/**
 * Returns the kind of follow-up work that a title announces, for use after "is". Null if it
 * announces none.
 */
export function workKindOf(title: string): string | null {
  return WORK_KINDS.find(([pattern]) => pattern.test(title))?.[1] ?? null;
}
