export type IssueKeyParts = {
  /** Owner with a trailing slash, such as `owner/`. Empty if the key has no owner. */
  owner: string;
  project: string;
  /** Number with its separator, such as `#12`, `!12` or `-12`. Never shortened. */
  number: string;
};

/**
 * Splits `owner/repo#12`, `group/sub/project!12` or `PROJ-12` into parts. If the key has another
 * format, all of it is the project.
 */
export function splitIssueKey(key: string): IssueKeyParts {
  const match = /^(?<owner>.*\/)?(?<project>[^/]*?)(?<number>[#!-]\d+)$/u.exec(key);
  const { owner = '', project = key, number = '' } = match?.groups ?? {};
  return { owner, project, number };
}

/** Shortens a text to at most `longest` characters, with an ellipsis in the middle. */
export function shortenMiddle(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const kept = Math.max(2, longest - 1);
  const head = Math.ceil(kept / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`;
}

/**
 * Shortens an issue key: drops the owner, and limits the project to `longestProject` characters.
 * The number is never shortened.
 */
export function shortIssueKey(key: string, longestProject: number): string {
  const { project, number } = splitIssueKey(key);
  return `${shortenMiddle(project, longestProject)}${number}`;
}
