const MAX_NOTICE_CHARS = 300;

/**
 * Converts the value of the `message` parameter to a text. Underscores become spaces. The text is
 * truncated to 300 characters.
 */
export function noticeText(parameter: string): string {
  const text = parameter.replaceAll('_', ' ').trim();
  return text.length > MAX_NOTICE_CHARS ? `${text.slice(0, MAX_NOTICE_CHARS - 1)}…` : text;
}
