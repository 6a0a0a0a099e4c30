/**
 * Functions that remove the markup of Markdown, Jira and HTML. Texts with the same words are then
 * equal for all trackers. They work on whole texts in linear time, because all regular expressions
 * are bounded.
 */

const HTML_TAG =
  /<\/?(?:a|abbr|b|big|blockquote|body|br|center|code|dd|del|details|div|dl|dt|em|font|form|h[1-6]|head|hr|html|i|img|input|ins|kbd|label|li|link|meta|nobr|ol|p|pre|s|samp|script|section|small|span|strike|strong|style|sub|summary|sup|table|tbody|td|tfoot|th|thead|tr|tt|u|ul|var)(?:[ \t\n/][^<>]{0,1000})?\/?>/gi;
const INLINE_TAG =
  /^<\/?(?:a|abbr|b|big|code|del|em|font|i|ins|kbd|s|samp|small|span|strike|strong|sub|sup|tt|u|var)\b/i;
const ENTITY = /&(?:amp|lt|gt|quot|apos|nbsp|#39|#x27|#34|#160);/g;
const ENTITIES: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#34;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
  '&nbsp;': ' ',
  '&#160;': ' ',
};

const MARKDOWN_IMAGE = /!\[([^[\]\n]{0,300})\]\([^()\s]{0,1000}\)/g;
const MARKDOWN_LINK = /\[([^[\]\n]{1,300})\]\([^()\s]{0,1000}(?: "[^"\n]{0,200}")?\)/g;
const WIKI_IMAGE = /!(?=\S)[^!\n|]{1,200}\.(?:png|jpe?g|gif|bmp|svg|webp|mp4|mov)(?:\|[^!\n]{0,200})?!/gi;
const WIKI_LINK = /\[([^[\]|\n]{1,300})\|[^[\]\n]{1,1000}\]/g;
const WIKI_MENTION = /\[~[^[\]\n]{1,100}\]/g;
const WIKI_MACRO =
  /\{(?:code|noformat|quote|panel|color|anchor|section|column|expand|toc|info|note|tip|warning)(?:[:=][^{}\n]{0,300})?\}/gi;
const FENCE = /^[ \t>]*(?:`{3,}|~{3,})[^`\n]{0,100}$/gm;
const HEADING_MARK = /^[ \t>]*(?:#{1,6}[ \t]+|h[1-6]\.[ \t]+|bq\.[ \t]+)/;
const LIST_MARK = /^[ \t>]*(?:(?:[-*+•]+|#{1,4}|\d{1,3}[.)])[ \t]+)?(?:\[[ xX]\][ \t]+)?/;
const EMPHASIS = /\*\*|__|~~|`|\{\{|\}\}|\{\*\}|\{_\}/g;

const MAX_SUMMARY_CHARS = 400;
const SUMMARY = /<summary>(.{0,200}?)<\/summary>/is;
const MACHINE_SUMMARY =
  /\b(?:system info|environment|extensions?|experiments|versions?|doctor|diagnostics|hardware|installed packages|pip freeze|lspci|dxdiag)\b/i;

/** Removes HTML comments. A `<!--` without an end remains. */
export function withoutHtmlComments(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('<!--', from);
    const close = open < 0 ? -1 : text.indexOf('-->', open + 4);
    if (close < 0) return kept + text.slice(from);
    kept += `${text.slice(from, open)} `;
    from = close + 3;
  }
}

/**
 * Removes `<details>` blocks that describe the reporter's machine. Their summaries, such as “System
 * Info”, identify them. Other `<details>` blocks remain.
 */
export function withoutMachineBlocks(text: string): string {
  let kept = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('<details', from);
    const close = open < 0 ? -1 : text.indexOf('</details>', open);
    if (close < 0) return kept + text.slice(from);
    const summary = SUMMARY.exec(text.slice(open, Math.min(close, open + MAX_SUMMARY_CHARS)))?.[1] ?? '';
    kept += text.slice(from, MACHINE_SUMMARY.test(summary) ? open : close);
    from = close;
  }
}

/**
 * Removes known HTML tags and decodes common entities. Block tags become line breaks. Other text in
 * angle brackets, such as `List<String>`, remains.
 */
export function withoutHtml(text: string): string {
  const plain = text.includes('<')
    ? text.replace(HTML_TAG, (tag) => (INLINE_TAG.test(tag) ? '' : '\n'))
    : text;
  return plain.includes('&') ? plain.replace(ENTITY, (entity) => ENTITIES[entity] ?? ' ') : plain;
}

/**
 * Removes the markup of links, code and quotes, but not their words. Also removes image names and
 * link targets.
 */
export function withoutInlineMarkup(text: string): string {
  let plain = text.replace(FENCE, '');
  if (plain.includes('](')) plain = plain.replace(MARKDOWN_IMAGE, '$1').replace(MARKDOWN_LINK, '$1');
  if (plain.includes('{')) plain = plain.replace(WIKI_MACRO, '\n');
  if (plain.includes('!')) plain = plain.replace(WIKI_IMAGE, ' ');
  if (plain.includes('[~')) plain = plain.replace(WIKI_MENTION, ' ');
  if (plain.includes('|')) plain = plain.replace(WIKI_LINK, '$1');
  return plain.replace(EMPHASIS, '');
}

/** Removes the marks of a heading, a quote or a list item at the start of a line. */
export function withoutLineMark(line: string): string {
  return line.replace(HEADING_MARK, '').replace(LIST_MARK, '');
}

/** Replaces HTML comments, HTML tags and wiki macros by blanks of the same length. */
export function maskedMarkup(text: string): string {
  const blank = (mark: string): string => mark.replace(/[^\n]/g, ' ');
  let masked = '';
  let from = 0;
  for (;;) {
    const open = text.indexOf('<!--', from);
    const close = open < 0 ? -1 : text.indexOf('-->', open + 4);
    if (close < 0) break;
    masked += text.slice(from, open) + blank(text.slice(open, close + 3));
    from = close + 3;
  }
  masked += text.slice(from);
  if (masked.includes('<')) masked = masked.replace(HTML_TAG, blank);
  return masked.includes('{') ? masked.replace(WIKI_MACRO, blank) : masked;
}
