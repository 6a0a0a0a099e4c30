export type IssueKeyParts = {
  /** With its closing slash; empty for trackers whose keys have none. */
  owner: string;
  project: string;
  /** With its sign: `#12`, `!12`, `-12`. Never shortened. */
  number: string;
};

/** Takes `owner/repo#12`, `group/sub/project!12` or `PROJ-12` apart; anything else is all project. */
export function splitIssueKey(key: string): IssueKeyParts {
  const match = /^(?<owner>.*\/)?(?<project>[^/]*?)(?<number>[#!-]\d+)$/u.exec(key);
  const { owner = '', project = key, number = '' } = match?.groups ?? {};
  return { owner, project, number };
}

/** A text of at most `longest` characters, with what is left out marked in the middle. */
export function shortenMiddle(text: string, longest: number): string {
  const characters = Array.from(text);
  if (characters.length <= longest) return text;
  const kept = Math.max(2, longest - 1);
  const head = Math.ceil(kept / 2);
  return `${characters.slice(0, head).join('')}…${characters.slice(characters.length - (kept - head)).join('')}`;
}

/** The key for a narrow place: without its owner, the project at most `longestProject` characters, the number whole. */
export function shortIssueKey(key: string, longestProject: number): string {
  const { project, number } = splitIssueKey(key);
  return `${shortenMiddle(project, longestProject)}${number}`;
}
