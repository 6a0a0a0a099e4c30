import {
  type McpAuthType,
  type McpServer,
  type McpServerSave,
  type McpServerTest,
  mcpServerSave,
} from '@winnow/contract/mcp-server';

/** Values of the form fields. */
export interface ServerValues {
  name: string;
  url: string;
  auth_type: McpAuthType;
  header_name: string;
  secret: string;
}
export const SERVER_FIELDS = ['name', 'url', 'auth_type', 'header_name', 'secret'] as const;

export function initialValues(server: McpServer | null): ServerValues {
  if (server === null) return { name: '', url: '', auth_type: 'none', header_name: '', secret: '' };
  const { name, url, auth_type, header_name } = server;
  return { name, url, auth_type, header_name: header_name ?? '', secret: '' };
}

/**
 * Returns the request body that saves the server. Omits fields that are hidden for the selected
 * authentication.
 */
export function saveBody({ name, url, auth_type, header_name, secret }: ServerValues): McpServerSave {
  const typed = header_name.trim();
  return {
    name,
    url,
    auth_type,
    header_name: auth_type === 'header' && typed !== '' ? typed : null,
    secret: auth_type === 'none' ? '' : secret,
  };
}

export function testBody(server: McpServer | null, values: ServerValues): McpServerTest {
  const { name: _, ...connection } = saveBody(values);
  return server === null ? connection : { ...connection, server_id: server.id };
}

/**
 * Returns the schema that validates the form. When editing a server, the secret may be empty to
 * keep the saved one.
 */
export function serverSchema(server: McpServer | null) {
  return mcpServerSave.refine(
    ({ auth_type, secret }) => auth_type === 'none' || secret !== '' || server?.has_secret === true,
    { path: ['secret'], message: 'Enter the secret.' },
  );
}
