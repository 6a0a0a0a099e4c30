import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MCP_PATH } from '@winnow/contract/mcp-address';

const COMMAND = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector-cli/build/index.js'));

/**
 * Runs the CLI of the MCP Inspector against a server. Returns its parsed output.
 * @throws if the CLI fails; the message contains the output
 */
export async function inspect(origin: string, key: string, args: readonly string[]): Promise<unknown> {
  const asked = [`${origin}${MCP_PATH}`, '--header', `Authorization: Bearer ${key}`, ...args];
  const child = spawn(process.execPath, [COMMAND, ...asked], {
    // The CLI searches for its own package, starting in the working directory.
    cwd: dirname(COMMAND),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await ended) !== 0) throw new Error(`The Inspector failed: ${errors}`);
  return JSON.parse(output);
}

/** Returns the CLI arguments that call a tool. */
export function toolCall(name: string, input: Record<string, unknown>): string[] {
  const pairs = Object.entries(input).map(([field, value]) => `${field}=${JSON.stringify(value)}`);
  return ['--method', 'tools/call', '--tool-name', name, ...pairs.flatMap((pair) => ['--tool-arg', pair])];
}
