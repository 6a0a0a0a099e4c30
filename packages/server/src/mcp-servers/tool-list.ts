import { MCP_SERVER_LIMITS } from '@winnow/contract/mcp-server';
import { z } from 'zod';
import { truncate } from '../platform/text.ts';
import { type ExternalTool, isRecord } from './external-tools.ts';

/** A tool as listed by its server. */
export type ListedTool = Omit<ExternalTool, 'server'>;

/** The usable tools of a server's list, and sentences about omitted tools. */
export interface Listing {
  tools: ListedTool[];
  notes: string[];
}

const MAX_CHARS = { title: 200, description: 4_000, schema: 20_000 } as const;
const MAX_SCHEMA_DEPTH = 16;
/**
 * Maximum number of list entries that are validated. Validating a megabyte of empty entries would
 * take seconds.
 */
const MAX_ENTRIES_VALIDATED = 1_000;
/** Tool names that the protocol allows. Language models accept no other names. */
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
 * Selects the usable tools of a list, up to the maximum that is stored. If several tools have the
 * same name, uses only the first one. Truncates long texts. `clean` removes invisible characters
 * and the server's secret from texts.
 */
export function readToolList(listed: readonly unknown[], clean: (text: string) => string): Listing {
  const tools = new Map<string, ListedTool>();
  const left = {
    unreadable: 0,
    twice: new Set<string>(),
    tooMany: Math.max(0, listed.length - MAX_ENTRIES_VALIDATED),
    schemas: 0,
  };
  for (const item of listed.slice(0, MAX_ENTRIES_VALIDATED)) {
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
        title: title === '' ? null : truncate(title, MAX_CHARS.title, '…'),
        description: truncate(clean(tool.description ?? '').trim(), MAX_CHARS.description, '…'),
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
    notes.push(`${countOf(left.unreadable)} left out because the protocol does not allow their names.`);
  }
  if (left.schemas > 0) {
    notes.push(`${countOf(left.schemas)} used without a schema, because it is too large or invalid.`);
  }
  return notes;
}

function countOf(tools: number): string {
  return tools === 1 ? '1 tool is' : `${tools} tools are`;
}

/**
 * Returns a copy of a schema with cleaned texts. Null if the schema is invalid, too long or too
 * deeply nested.
 */
function usableSchema(schema: unknown, clean: (text: string) => string): Record<string, unknown> | null {
  const copy = copied(schema, clean, MAX_SCHEMA_DEPTH);
  if (!isRecord(copy) || copy.type !== 'object') return null;
  if (copy.properties !== undefined && !isRecord(copy.properties)) return null;
  return JSON.stringify(copy).length > MAX_CHARS.schema ? null : copy;
}

/**
 * Returns a deep copy of a value with cleaned texts. Undefined if the value is nested too deeply.
 */
function copied(value: unknown, clean: (text: string) => string, levels: number): unknown {
  if (typeof value === 'string') return clean(value);
  if (typeof value !== 'object' || value === null) return value;
  if (levels === 0) return undefined;
  const parts = Object.entries(value).map(([key, part]) => [key, copied(part, clean, levels - 1)] as const);
  if (parts.some(([, part]) => part === undefined)) return undefined;
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
