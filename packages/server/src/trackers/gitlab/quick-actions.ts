/** A block of code between fences, where GitLab looks for no commands. Split by it, each second part is one. */
const FENCED = /(^```[^\n]*\n[\s\S]*?\n```[ \t]*$)/m;
/** A line GitLab may take for a command: a slash, a word, and nothing or a space after it. `/usr/bin` is none. */
const COMMAND = /^([ \t]*)(?=\/[a-z_]+(?:\s|$))/gim;

/**
 * The text as Markdown that shows the same and commands nothing. GitLab carries out lines such as `/close` in comments and
 * descriptions and takes them away; a backslash before the slash is not shown and keeps them text.
 */
export function withoutQuickActions(markdown: string): string {
  return markdown
    .split(FENCED)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(COMMAND, '$1\\')))
    .join('');
}
