import { z } from 'zod';
import { truncate } from '../platform/text.ts';
import { type ExternalResult, MAX_TOOL_RESULT_CHARS } from './external-tools.ts';

const block = z.union([
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.literal('resource'), resource: z.object({ uri: z.string(), text: z.string() }) }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string().catch('') }),
  z.object({ type: z.string(), mimeType: z.string().catch('of an unknown type') }),
]);

/** Result of a tool call as sent by the server. Untrusted. */
export interface ToolResult {
  content: readonly unknown[];
  structuredContent?: unknown;
  isError?: boolean | undefined;
}

/**
 * Converts a tool result to clean text, and truncates long text. Images and audio are only
 * mentioned.
 */
export function readToolResult(result: ToolResult, clean: (text: string) => string): ExternalResult {
  const texts = result.content.map((item) => blockText(item));
  if (texts.length === 0 && result.structuredContent !== undefined) {
    texts.push(JSON.stringify(result.structuredContent));
  }
  const whole = clean(texts.join('\n\n'));
  const isError = result.isError === true;
  if (whole.trim() === '')
    return {
      text: isError ? 'The tool failed without an error message.' : 'The tool returned no content.',
      isError,
    };
  if (whole.length <= MAX_TOOL_RESULT_CHARS) return { text: whole, isError };
  const shown = truncate(whole, MAX_TOOL_RESULT_CHARS);
  return { text: `${shown}\n(The first ${shown.length} of ${whole.length} characters.)`, isError };
}

function blockText(item: unknown): string {
  const { data } = block.safeParse(item);
  if (data === undefined) return '(Unreadable content.)';
  if ('text' in data) return data.text;
  if ('resource' in data) return `${data.resource.uri}\n${data.resource.text}`;
  if ('uri' in data) return `${data.name} ${data.uri}`.trim();
  return `(${data.type}, ${data.mimeType}; not shown.)`;
}
