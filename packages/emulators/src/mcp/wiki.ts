import { z } from 'zod';
import { startMcpServer } from './emulator.ts';

/** A third-party wiki with an MCP server. Its only tool, `save_page`, changes data. */
export interface WikiEmulator {
  readonly url: string;
  /** Saved pages, oldest first. */
  readonly saved: readonly { title: string; text: string }[];
  close(): Promise<void>;
}

/** Starts a wiki. Its tool returns the number of the saved page, such as `Saved as page 1.` */
export async function startWiki(): Promise<WikiEmulator> {
  const saved: { title: string; text: string }[] = [];
  const inputSchema = z.object({ title: z.string(), text: z.string() });
  const { url, close } = await startMcpServer((server) => {
    server.registerTool('save_page', { description: 'Saves a page.', inputSchema }, async (page) => {
      saved.push(page);
      return { content: [{ type: 'text', text: `Saved as page ${saved.length}.` }] };
    });
  });
  return { url, saved, close };
}
