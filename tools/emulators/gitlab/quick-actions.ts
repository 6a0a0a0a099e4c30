/** A line that tells GitLab to do something, and is not kept. */
export interface QuickAction {
  name: string;
  argument: string;
}

const known = ['duplicate', 'close', 'reopen', 'label', 'unlabel', 'assign', 'title', 'confidential', 'move'];

/**
 * Takes the commands out of a text: lines that begin with a slash and a known command's name, outside of code. What stays
 * is trimmed.
 */
export function extractQuickActions(text: string): { content: string; actions: QuickAction[] } {
  const actions: QuickAction[] = [];
  const parts = text.split(/(^```[^\n]*\n[\s\S]*?\n```[ \t]*$)/m);
  const kept = parts.map((part, index) =>
    index % 2 === 1
      ? part
      : part.replace(/^\/([a-z_]+)(?:[ \t]+([^\n]*))?(?:\n|$)/gm, (line, name: string, argument = '') => {
          if (!known.includes(name)) return line;
          actions.push({ name, argument: String(argument).trim() });
          return '';
        }),
  );
  const content = kept.join('');
  return { content: actions.length === 0 ? content : content.trim(), actions };
}
