import { MultiSelect, NativeSelect } from '@mantine/core';
import { BUILTIN_ACTIONS, defaultPolicy, type ToolPolicy, toolPolicy } from '@winnow/contract/flow';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import type { McpServer, McpServerTool } from '@winnow/contract/mcp-server';
import { Link } from 'react-router';
import { useMcpServers } from '../../../features/mcp-servers/queries.ts';
import { Badge } from '../../../theme/parts/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import classes from './form.module.css';
import { policiesFor, withPolicy } from './form-values.ts';
import tools from './tools-card.module.css';
import type { FlowForm } from './use-flow-form.ts';

const POLICY_LABELS: Record<ToolPolicy, string> = { allow: 'Allow', ask: 'Ask', deny: 'Deny' };

/**
 * Returns the tools of a server that the agent may use. The built-in analyst uses only the tools of
 * its selected actions.
 */
function usedOf(server: McpServer, { ai_model_id, builtin_actions }: FlowForm['values']): McpServerTool[] {
  if (ai_model_id !== null) return server.tools;
  const used = new Set<string>(builtin_actions.flatMap((action) => BUILTIN_ACTIONS[action].tools));
  return server.tools.filter(({ name }) => used.has(name));
}

/** Form fields that select MCP servers, and a policy for each of their tools. */
export function ToolsCard({ form }: { form: FlowForm }) {
  const servers = useMcpServers().data ?? [];
  const { allowed_mcp_servers: allowed, ai_model_id: modelId } = form.values;
  const names = [...new Set([...servers.map(({ name }) => name), ...allowed])];
  // List only Winnow's own tools for the built-in analyst, because it uses no others.
  const listed = servers
    .filter(({ name }) => (modelId === null ? name === MCP_SERVER_NAME : allowed.includes(name)))
    .map((server) => ({ ...server, tools: usedOf(server, form.values) }))
    .filter((server) => modelId !== null || server.tools.length > 0);
  return (
    <Card title="Tools" inset>
      <div className={classes.fields}>
        <MultiSelect
          label="MCP Servers"
          description={
            <>
              Servers whose tools the agent may use. The built-in analyst uses only Winnow’s own tools. Add
              servers in{' '}
              <Link className="link" to="/console/settings/mcp-servers">
                MCP Servers
              </Link>
              .
            </>
          }
          placeholder={allowed.length === 0 ? 'No servers' : ''}
          clearable
          clearButtonProps={{ 'aria-label': 'Clear MCP servers' }}
          data={names}
          {...form.getInputProps('allowed_mcp_servers')}
        />
        {listed.map((server) => (
          <ServerTools key={server.name} server={server} form={form} />
        ))}
        {form.errors.tool_policies === undefined ? null : (
          <p className={tools.error} role="alert">
            {form.errors.tool_policies}
          </p>
        )}
      </div>
    </Card>
  );
}

function ServerTools({ server, form }: { server: McpServer; form: FlowForm }) {
  const { tool_policies: policies } = form.values;
  const isOwn = server.name === MCP_SERVER_NAME;
  const count = `${server.tools.length} ${server.tools.length === 1 ? 'tool' : 'tools'}`;
  const chosen = server.tools.filter(({ name }) => Object.hasOwn(policies, `${server.name}/${name}`));
  return (
    <details className={tools.server}>
      <summary className={tools.summary}>
        <span className={tools.name}>{server.name}</span>
        {count}
        {chosen.length === 0 ? null : `, ${chosen.length} set by you`}
      </summary>
      <p className={tools.about}>
        <b>Allow</b>: {isOwn ? 'follows the write mode.' : 'called immediately.'} <b>Ask</b>:{' '}
        {isOwn ? 'every write is proposed.' : 'every call waits for approval.'} <b>Deny</b>: not available.
      </p>
      <ul className={tools.list}>
        {server.tools.map((tool) => (
          <ToolRow key={tool.name} tool={tool} server={server.name} form={form} />
        ))}
      </ul>
    </details>
  );
}

function ToolRow({ tool, server, form }: { tool: McpServerTool; server: string; form: FlowForm }) {
  const { tool_policies: policies } = form.values;
  const key = `${server}/${tool.name}`;
  const kind = { isOwn: server === MCP_SERVER_NAME, isReading: tool.read_only };
  return (
    <li className={tools.tool}>
      <span className={tools.words}>
        <span className={tools.head}>
          <code>{tool.name}</code>
          {tool.read_only ? <Badge small>Reads</Badge> : <Badge small>May write</Badge>}
        </span>
        <span className={tools.description}>{tool.description}</span>
      </span>
      <NativeSelect
        aria-label={`Policy for ${key}`}
        data={policiesFor(kind).map((value) => ({ value, label: POLICY_LABELS[value] }))}
        value={policies[key] ?? defaultPolicy(kind)}
        onChange={({ currentTarget }) =>
          form.setFieldValue(
            'tool_policies',
            withPolicy(policies, key, toolPolicy.parse(currentTarget.value)),
          )
        }
      />
    </li>
  );
}
