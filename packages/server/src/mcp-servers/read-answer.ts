import { z } from 'zod';
import { cutTo } from '../platform/text.ts';
import { LONGEST_ANSWER, type OutsideAnswer } from './outside-tools.ts';

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('resource'), resource: z.object({ uri: z.string(), text: z.string() }) }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string().catch('') }),
  z.object({ type: z.string(), mimeType: z.string().catch('of no known kind') }),
]);

/** What a tool answered, as far as it is read. */
export interface ToolResult {
  content: readonly unknown[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/** A tool's answer as text: cleaned, and the beginning of it where it is long. Pictures and sounds are named, not shown. */
export function readAnswer(result: ToolResult, clean: (text: string) => string): OutsideAnswer {
  const texts = result.content.map((item) => textOf(item));
  if (texts.length === 0 && result.structuredContent !== undefined) {
    texts.push(JSON.stringify(result.structuredContent));
  }
  const whole = clean(texts.join('\n\n'));
  const isError = result.isError === true;
  if (whole.trim() === '')
    return { text: isError ? 'It failed without saying why.' : 'It answered nothing.', isError };
  if (whole.length <= LONGEST_ANSWER) return { text: whole, isError };
  const shown = cutTo(whole, LONGEST_ANSWER);
  return { text: `${shown}\n(The first ${shown.length} of ${whole.length} characters.)`, isError };
}

function textOf(item: unknown): string {
  const { data } = block.safeParse(item);
  if (data === undefined) return '(Something that cannot be read.)';
  if ('text' in data) return data.text;
  if ('resource' in data) return `${data.resource.uri}\n${data.resource.text}`;
  if ('uri' in data) return `${data.name} ${data.uri}`.trim();
  return `(${data.type}, ${data.mimeType}; not shown.)`;
}
