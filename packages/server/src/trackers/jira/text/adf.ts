import { z } from 'zod';
import type { Block } from './blocks.ts';
import { markdownOf, mergeBlocks, type Piece } from './merge-blocks.ts';
import { readAdfBlocks } from './read-adf.ts';
import { writeAdfBlocks } from './write-adf.ts';

/**
 * A node of the Atlassian Document Format (ADF). Properties that Winnow does not know are retained.
 */
export interface AdfNode {
  type: string;
  text?: string | undefined;
  attrs?: Record<string, unknown> | undefined;
  marks?: { type: string; attrs?: Record<string, unknown> | undefined }[] | undefined;
  content?: AdfNode[] | undefined;
}

/** An ADF document: the description or a comment of an issue in Jira Cloud. */
export interface AdfDocument extends AdfNode {
  type: 'doc';
  version: number;
  content: AdfNode[];
}

const adfNode: z.ZodType<AdfNode> = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  attrs: z.record(z.string(), z.unknown()).optional(),
  marks: z
    .array(z.looseObject({ type: z.string(), attrs: z.record(z.string(), z.unknown()).optional() }))
    .optional(),
  get content() {
    return z.array(adfNode).optional();
  },
});

/** Schema of text fields in Jira Cloud, which contain ADF documents. */
export const adfDocument: z.ZodType<AdfDocument> = z.looseObject({
  type: z.literal('doc'),
  version: z.number(),
  content: z.array(adfNode),
});

/** Converts an ADF document to Markdown. Null becomes an empty string. */
export function adfToMarkdown(document: AdfDocument | null): string {
  return document === null ? '' : markdownOf(piecesOf(document));
}

/** Converts Markdown to a new ADF document. */
export function markdownToAdf(markdown: string): AdfDocument {
  return mergeIntoAdf(null, markdown);
}

/**
 * Applies edited Markdown to an ADF document. A block of `original` whose Markdown is unchanged
 * keeps its nodes exactly as they are.
 */
export function mergeIntoAdf(original: AdfDocument | null, edited: string): AdfDocument {
  const pieces = original === null ? [] : piecesOf(original);
  if (original !== null && markdownOf(pieces) === edited) return original;
  const content = mergeBlocks(pieces, edited).flatMap((part) => {
    return 'kept' in part ? (pieces[part.kept]?.original ?? []) : writeAdfBlocks(part.blocks);
  });
  return { ...(original ?? { type: 'doc', version: 1 }), content };
}

function piecesOf({ content }: AdfDocument): Piece<AdfNode, AdfNode>[] {
  return content.map((original) => ({ original, blocks: blocksOf(original) }));
}

function blocksOf(node: AdfNode): Block<AdfNode>[] {
  return readAdfBlocks([node]);
}
