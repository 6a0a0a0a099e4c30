import { MCP_SERVER_LIMITS } from '@winnow/contract/mcp-server';
import { z } from 'zod';
import { cutTo } from '../platform/text.ts';
import { isRecord, type OutsideTool } from './outside-tools.ts';

/** A tool as a server tells of it, before it is known by whose name. */
export type ListedTool = Omit<OutsideTool, 'server'>;

/** What a server lists, and what of it is left out, in sentences. */
export interface Listing {
  tools: ListedTool[];
  notes: string[];
}

const LONGEST = { title: 200, description: 4_000, schema: 20_000 } as const;
const DEEPEST_SCHEMA = 16;
/** So many entries are looked at, usable or not: looking at a megabyte of nothing takes seconds. */
const MOST_LOOKED_AT = 1_000;
/** As the protocol has them; others could not be offered to a language model. */
const TOOL_NAME = /^[A-Za-z0-9_.-]{1,128}$/;
const ANY_ARGUMENTS = { type: 'object', properties: {} };

const offered = z.object({
  name: z.string(),
  title: z.string().optional().catch(undefined),
  description: z.string().optional().catch(undefined),
  inputSchema: z.unknown().optional(),
  annotations: z
    .object({
      title: z.string().optional().catch(undefined),
      readOnlyHint: z.boolean().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/**
 * Makes what is usable of what a server lists: of several tools of one name the first, at most as many as are kept, and texts
 * within their bounds. `clean` takes out of a text what has no place in it.
 */
export function readTools(listed: readonly unknown[], clean: (text: string) => string): Listing {
  const tools = new Map<string, ListedTool>();
  const left = {
    unreadable: 0,
    twice: new Set<string>(),
    tooMany: Math.max(0, listed.length - MOST_LOOKED_AT),
    schemas: 0,
  };
  for (const item of listed.slice(0, MOST_LOOKED_AT)) {
    const { data: tool } = offered.safeParse(item);
    if (!tool || !TOOL_NAME.test(tool.name) || clean(tool.name) !== tool.name) left.unreadable += 1;
    else if (tools.has(tool.name)) left.twice.add(tool.name);
    else if (tools.size === MCP_SERVER_LIMITS.tools) left.tooMany += 1;
    else {
      const inputSchema = usableSchema(tool.inputSchema, clean);
      if (inputSchema === null) left.schemas += 1;
      const title = clean(tool.title ?? tool.annotations?.title ?? '').trim();
      tools.set(tool.name, {
        name: tool.name,
        title: title === '' ? null : cutTo(title, LONGEST.title, '…'),
        description: cutTo(clean(tool.description ?? '').trim(), LONGEST.description, '…'),
        inputSchema: inputSchema ?? ANY_ARGUMENTS,
        readOnly: tool.annotations?.readOnlyHint === true,
      });
    }
  }
  return { tools: [...tools.values()], notes: notesOn(left) };
}

function notesOn(left: {
  unreadable: number;
  twice: Set<string>;
  tooMany: number;
  schemas: number;
}): string[] {
  const notes: string[] = [];
  if (left.tooMany > 0) notes.push(`Only its first ${MCP_SERVER_LIMITS.tools} tools are used.`);
  for (const name of [...left.twice].slice(0, 3)) {
    notes.push(`Several of its tools are called ${name}; the first one is used.`);
  }
  if (left.unreadable > 0) {
    notes.push(`${countOf(left.unreadable)} left out: the name is not one that the protocol allows.`);
  }
  if (left.schemas > 0) {
    notes.push(`${countOf(left.schemas)} taken without a schema: it is too large, or none.`);
  }
  return notes;
}

function countOf(tools: number): string {
  return tools === 1 ? '1 tool is' : `${tools} tools are`;
}

/** A copy of a schema for the arguments of a tool, with cleaned texts; null when it is none, too deep or too long. */
function usableSchema(schema: unknown, clean: (text: string) => string): Record<string, unknown> | null {
  const copy = copied(schema, clean, DEEPEST_SCHEMA);
  if (!isRecord(copy) || copy.type !== 'object') return null;
  if (copy.properties !== undefined && !isRecord(copy.properties)) return null;
  return JSON.stringify(copy).length > LONGEST.schema ? null : copy;
}

/** A deep copy; undefined when it is deeper than it may be. */
function copied(value: unknown, clean: (text: string) => string, levels: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  const parts = Object.entries(value).map(([key, part]) => [key, copied(part, clean, levels - 1)] as const);
  if (parts.some(([, part]) => part === undefined)) return undefined;
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
