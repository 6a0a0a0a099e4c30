import { z } from 'zod';
import { MCP_SERVER_NAME } from './mcp-address.ts';
import { id, instant, memberOf } from './primitives.ts';

/** Authentication methods for an external server. */
export const MCP_AUTH_TYPES = {
  none: { label: 'None' },
  bearer: { label: 'Bearer token' },
  header: { label: 'Header' },
} as const satisfies Record<string, { label: string }>;
export const mcpAuthType = memberOf(MCP_AUTH_TYPES);
export type McpAuthType = z.infer<typeof mcpAuthType>;

/** Maximum servers per account, and maximum tools stored per server. */
export const MCP_SERVER_LIMITS = { servers: 50, tools: 200 } as const;

/** A tool as described by its server. The description is untrusted, because the server may lie. */
export const mcpServerTool = z.object({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  /** True if the server claims that the tool changes nothing. */
  read_only: z.boolean(),
});
export type McpServerTool = z.infer<typeof mcpServerTool>;

/** An MCP server whose tools flows can use. Its secret is never returned. */
export const mcpServer = z.object({
  /**
   * Id of the server, or `winnow` for the built-in server. The address of the built-in server
   * cannot be changed.
   */
  id: z.union([z.literal(MCP_SERVER_NAME), id]),
  name: z.string(),
  url: z.string(),
  transport: z.literal('streamable_http'),
  auth_type: mcpAuthType,
  header_name: z.string().nullable(),
  has_secret: z.boolean(),
  status: z.enum(['ok', 'error', 'unknown']),
  /** The problem with the server, or the tools that were left out, as one sentence. */
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
    'A name may contain letters A to Z, digits, spaces, dots, dashes and underscores.',
  )
  .refine(
    (text) => text.toLowerCase().replace(/[^a-z0-9]/g, '') !== MCP_SERVER_NAME,
    'This name is reserved for Winnow’s own tools.',
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
  .regex(/^[A-Za-z0-9-]{1,60}$/, 'A header name may contain letters, digits and dashes.')
  .regex(
    /^(?!(?:accept|connection|content-.*|expect|host|keep-alive|mcp-.*|te|trailer|transfer-encoding|upgrade)$)/i,
    'The connection sets this header itself. Choose a different header.',
  )
  .nullable();
const secret = z
  .string()
  .trim()
  .max(4_000, 'A secret has at most 4000 characters.')
  .regex(/^[\x20-\x7e]*$/, 'A secret may only contain printable ASCII characters.');

const connection = {
  url,
  auth_type: mcpAuthType.default('none'),
  header_name: headerName.default(null),
  /**
   * Secret to send to the server. If it is blank, the stored secret is used, unless the host has
   * changed.
   */
  secret: secret.default(''),
};
const HEADER_WANTED = { path: ['header_name'], message: 'Enter the name of the header.' };
const hasHeader = (server: { auth_type: McpAuthType; header_name: string | null }) =>
  server.auth_type !== 'header' || server.header_name !== null;

export const mcpServerSave = z.object({ name, ...connection }).refine(hasHeader, HEADER_WANTED);
export type McpServerSave = z.infer<typeof mcpServerSave>;

/** Connection to test. If no secret is entered, the test uses the stored secret of `server_id`. */
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
