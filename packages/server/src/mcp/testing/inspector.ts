import { spawn } from 'node:child_process';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { MCP_PATH } from '@winnow/contract/mcp-address';

const COMMAND = fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector-cli/build/index.js'));

/** Asks a server by the command of the Inspector; answers what it prints. @throws with what it says when it fails */
export async function inspect(origin: string, key: string, args: readonly string[]): Promise<unknown> {
  const asked = [`${origin}${MCP_PATH}`, '--header', `Authorization: Bearer ${key}`, ...args];
  const child = spawn(process.execPath, [COMMAND, ...asked], {
    // It looks for its own name from the folder it is started in.
    cwd: dirname(COMMAND),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if ((await ended) !== 0) throw new Error(`The Inspector failed: ${errors}`);
  return JSON.parse(output);
}

/** What a call of a tool is, for the command. */
export function toolCall(name: string, input: Record<string, unknown>): string[] {
  const pairs = Object.entries(input).map(([field, value]) => `${field}=${JSON.stringify(value)}`);
  return ['--method', 'tools/call', '--tool-name', name, ...pairs.flatMap((pair) => ['--tool-arg', pair])];
}
