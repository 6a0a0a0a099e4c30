import { z } from 'zod';
import type { Block } from './blocks.ts';
import { keepBlocks, markdownOf, type Piece } from './keep-blocks.ts';
import { readAdfBlocks } from './read-adf.ts';
import { writeAdfBlocks } from './write-adf.ts';

/** A node of Atlassian Document Format; what we do not know of it is kept as it is. */
export interface AdfNode {
  type: string;
  text?: string | undefined;
  attrs?: Record<string, unknown> | undefined;
  marks?: { type: string; attrs?: Record<string, unknown> | undefined }[] | undefined;
  content?: AdfNode[] | undefined;
}

/** A whole document, as a description or a comment of Jira Cloud is one. */
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

/** What Jira Cloud sends where a document may be. */
export const adfDocument: z.ZodType<AdfDocument> = z.looseObject({
  type: z.literal('doc'),
  version: z.number(),
  content: z.array(adfNode),
});

/** The document as markdown; empty for none. */
export function adfToMarkdown(document: AdfDocument | null): string {
  return document === null ? '' : markdownOf(piecesOf(document));
}

/** A new document that says what the markdown does. */
export function markdownToAdf(markdown: string): AdfDocument {
  return mergeIntoAdf(null, markdown);
}

/**
 * The document with the edited markdown in it. Blocks of `original` whose markdown was not edited stay as they were, node
 * by node.
 */
export function mergeIntoAdf(original: AdfDocument | null, edited: string): AdfDocument {
  const pieces = original === null ? [] : piecesOf(original);
  if (original !== null && markdownOf(pieces) === edited) return original;
  const content = keepBlocks(pieces, edited).flatMap((part) => {
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
