import type { FlowDefinition } from '@winnow/contract/flow';
import { FLOW_TOOLS, isReadingTool, MCP_SCHEMAS, MCP_TOOLS } from '@winnow/contract/mcp';
import { MCP_SERVER_NAME } from '@winnow/contract/mcp-address';
import { toolSchema } from '../../agent-tools/index.ts';
import type { AgentTool } from '../../ai/index.ts';
import type { ExternalTool } from '../../mcp-servers/index.ts';
import { policyOf, type ToolFacts } from './policy.ts';

/** A tool offered to a model, with the name by which the model calls it. */
export interface OfferedTool extends ToolFacts {
  offered: AgentTool;
}

/** Maximum length of a tool name that every provider accepts. */
const MAX_TOOL_NAME_CHARS = 64;

/**
 * Winnow's own tools in the form offered to models. They lack the idempotency key, because Winnow
 * sets it.
 */
const OWN_TOOLS = FLOW_TOOLS.map((name) => {
  const schema = toolSchema(MCP_SCHEMAS[name].input, 'input')['~standard'].jsonSchema.input();
  const { idempotency_key: _, ...properties } = schema.properties as Record<string, unknown>;
  return {
    server: MCP_SERVER_NAME,
    name,
    isReading: isReadingTool(name),
    description: MCP_TOOLS[name].description as string,
    inputSchema: { ...schema, properties },
  };
});

/**
 * Returns the tools offered to a flow's model: the tools of its allowed servers, except denied
 * ones.
 */
export function offeredTools(
  { allowed_mcp_servers: servers, tool_policies: policies }: FlowDefinition,
  outside: readonly ExternalTool[],
): OfferedTool[] {
  const all = [
    ...(servers.includes(MCP_SERVER_NAME) ? OWN_TOOLS : []),
    ...outside.map(({ server, name, description, inputSchema, readOnly }) => {
      const said = `Tool of the external server ${server}, described by it as: ${description}`;
      return { server, name, isReading: readOnly, description: said, inputSchema };
    }),
  ];
  const taken = new Set<string>();
  return all
    .filter((tool) => policyOf(policies, tool) !== 'deny')
    .map(({ description, inputSchema, ...tool }) => {
      const name = freeName(`${tool.server}__${tool.name}`, taken);
      taken.add(name);
      return { ...tool, offered: { name, description, inputSchema } };
    });
}

/** Returns a name that is not taken and that all providers accept. */
function freeName(wanted: string, taken: ReadonlySet<string>): string {
  const plain = wanted.replace(/[^A-Za-z0-9_-]/g, '_').replace(/^[^A-Za-z_]/, '_$&');
  for (let copy = 1; ; copy += 1) {
    const suffix = copy === 1 ? '' : `_${copy}`;
    const name = plain.slice(0, MAX_TOOL_NAME_CHARS - suffix.length) + suffix;
    if (!taken.has(name)) return name;
  }
}
