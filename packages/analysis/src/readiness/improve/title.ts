import { vagueCue } from '../lexicon.ts';
import type { Reading } from '../read-issue.ts';
import { countWords } from '../word-count.ts';

const MAX_TITLE_CHARS = 255;
/**
 * Maximum characters and minimum words of a sentence from the description that may become the
 * title.
 */
const MAX_TITLE_SENTENCE_CHARS = 120;
const MIN_TITLE_SENTENCE_WORDS = 5;
/** Matches a tag before the title that only repeats the issue's type, such as “[bug]”. */
const TYPE_TAG =
  /^(?:\[(?:bug|feature|feature request|task|issue|story|request|enhancement|question)\]|(?:bug|feature request|issue|task|story|question)\s?:)\s*(?=\S)/i;
const LOUD_END = /\s*(?:[!?]{2,}|!|\.)$/;
/** Words that do not describe the subject of an issue. */
const GENERIC_WORDS = new Set(
  `a an the my our new some and or with in on of to for is it not does doesn't doesnt do work works working issue problem bug error help question request feature task story improvement improvements urgent important please fix todo wip test broken something stuff things question fehler problem hilfe frage erreur problème aide error problema ayuda バグ 不具合 質問 エラー`.split(
    /\s+/,
  ),
);

/**
 * Improves a title, using the issue's own words. Returns the title and one sentence per change. A
 * title that needs no change is returned unchanged.
 */
export function improvedTitle(title: string, { body }: Reading): { title: string; changes: string[] } {
  const changes: string[] = [];
  let better = title.replace(/\s+/g, ' ').trim();
  const untagged = better.replace(TYPE_TAG, '');
  if (untagged !== better) changes.push('Title: removed words that repeat the type.');
  better = untagged;
  const quiet = /[\p{L}\p{N})”"]\s*(?:[!?]{2,}|!|\.)$/u.test(better) ? better.replace(LOUD_END, '') : better;
  if (quiet !== better) changes.push('Title: removed trailing punctuation.');
  better = quiet;
  if (isShouted(better)) {
    better = better.slice(0, 1) + better.slice(1).toLowerCase();
    changes.push('Title: changed capitals to lower case.');
  }
  const taken = isGeneric(better) ? sentenceForTitle(body) : null;
  if (taken !== null) {
    better = taken;
    changes.splice(
      0,
      changes.length,
      'Title: taken from the description, because the old title did not name the subject.',
    );
  }
  if (better.length > MAX_TITLE_CHARS) {
    better = shortened(better);
    changes.push(`Title: cut to ${MAX_TITLE_CHARS} characters.`);
  }
  if (better === '') return { title, changes: [] };
  if (changes.length === 0 && better !== title) changes.push('Title: removed extra white space.');
  return { title: better, changes };
}

function isShouted(title: string): boolean {
  const letters = title.match(/\p{L}/gu) ?? [];
  return countWords(title) > 2 && letters.length > 10 && !/\p{Ll}|\p{Lo}/u.test(title);
}

function isGeneric(title: string): boolean {
  const words = title.toLowerCase().match(/[\p{L}\p{N}'’]+/gu) ?? [];
  return words.length <= 6 && words.every((word) => GENERIC_WORDS.has(word));
}

function sentenceForTitle(body: Reading['body']): string | null {
  const sentence = body.find(
    ({ text, words, kind }) =>
      kind === 'prose' &&
      words >= MIN_TITLE_SENTENCE_WORDS &&
      text.length <= MAX_TITLE_SENTENCE_CHARS &&
      !text.includes('\n') &&
      !vagueCue(text) &&
      !/[?？:：]$/.test(text),
  );
  return sentence === undefined ? null : sentence.text.replace(/\s+/g, ' ').replace(/[.!。]+$/, '');
}

function shortened(title: string): string {
  const cut = title.slice(0, MAX_TITLE_CHARS - 1);
  const end = Math.max(cut.lastIndexOf(' '), MAX_TITLE_CHARS >> 1);
  return `${cut.slice(0, end).toWellFormed().trimEnd()}…`;
}
