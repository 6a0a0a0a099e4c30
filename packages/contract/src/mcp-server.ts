import { z } from 'zod';
import { MCP_SERVER_NAME } from './mcp-address.ts';
import { id, instant, memberOf } from './primitives.ts';

/** How an outside server is told who calls. */
export const MCP_AUTH_TYPES = {
  none: { label: 'None' },
  bearer: { label: 'Bearer token' },
  header: { label: 'Header' },
} as const satisfies Record<string, { label: string }>;
export const mcpAuthType = memberOf(MCP_AUTH_TYPES);
export type McpAuthType = z.infer<typeof mcpAuthType>;

/** How many servers an account may have, and how many tools of one are kept. */
export const MCP_SERVER_LIMITS = { servers: 50, tools: 200 } as const;

/** A tool as its server describes it; what it says of itself is not checked. */
export const mcpServerTool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  /** Whether the server says that it changes nothing. */
  read_only: z.boolean(),
});
export type McpServerTool = z.infer<typeof mcpServerTool>;

/** A server whose tools flows may use. The secret is never answered. */
export const mcpServer = z.object({
  /** `winnow` for our own, which is always there and has no address to change. */
  id: z.union([z.literal(MCP_SERVER_NAME), id]),
  name: z.string(),
  url: z.string(),
  transport: z.literal('streamable_http'),
  auth_type: mcpAuthType,
  header_name: z.string().nullable(),
  has_secret: z.boolean(),
  status: z.enum(['ok', 'error', 'unknown']),
  /** What is wrong, or which of its tools are left out, in a sentence. */
  status_message: z.string().nullable(),
  checked_at: instant.nullable(),
  tools: z.array(mcpServerTool),
});
export type McpServer = z.infer<typeof mcpServer>;
export const mcpServerList = z.array(mcpServer);

const name = z
  .string()
  .trim()
  .min(1, { error: 'Enter a name.', abort: true })
  .max(60, 'A name has at most 60 characters.')
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9 ._-]*$/,
    'A name has the letters A to Z, digits, spaces, dots, dashes and underscores.',
  )
  .refine(
    (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '') !== MCP_SERVER_NAME,
    'Winnow’s own tools have this name.',
  );
const url = z
  .string()
  .trim()
  .min(1, 'Enter the address of the server.')
  .max(500, 'The address has at most 500 characters.')
  .refine(isServerAddress, 'Enter a web address such as https://mcp.example.com/mcp.');
const headerName = z
  .string()
  .trim()
  .regex(/^[A-Za-z0-9-]{1,60}$/, 'The name of a header has letters, digits and dashes.')
  .regex(
    /^(?!(?:accept|connection|content-.*|expect|host|keep-alive|mcp-.*|te|trailer|transfer-encoding|upgrade)$)/i,
    'The connection sets this header itself. Choose another one.',
  )
  .nullable();
const secret = z
  .string()
  .trim()
  .max(4_000, 'A secret has at most 4000 characters.')
  .regex(/^[\x20-\x7e]*$/, 'A secret has only plain characters.');

const connection = {
  url,
  auth_type: mcpAuthType.default('none'),
  header_name: headerName.default(null),
  /** Left blank, a stored one is kept, as long as the host stays the same. */
  secret: secret.default(''),
};
const HEADER_WANTED = { path: ['header_name'], message: 'Enter the name of the header.' };
const hasHeader = (server: { auth_type: McpAuthType; header_name: string | null }) =>
  server.auth_type !== 'header' || server.header_name !== null;

export const mcpServerSave = z.object({ name, ...connection }).refine(hasHeader, HEADER_WANTED);
export type McpServerSave = z.infer<typeof mcpServerSave>;

/** A connection to try out, with the stored secret where `server_id` is given and none is. */
export const mcpServerTest = z
  .object({ server_id: id.optional(), ...connection })
  .refine(hasHeader, HEADER_WANTED);
export type McpServerTest = z.infer<typeof mcpServerTest>;
export const mcpServerTestResult = z.object({
  success: z.boolean(),
  message: z.string(),
  tools: z.array(mcpServerTool),
});
export type McpServerTestResult = z.infer<typeof mcpServerTestResult>;

function isServerAddress(text: string): boolean {
  if (text === '') return true;
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, hash } = new URL(text);
  return /^https?:$/.test(protocol) && [username, password, hash].every((part) => part === '');
}
