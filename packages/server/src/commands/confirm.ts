import { createInterface } from 'node:readline/promises';

/**
 * Asks the operator to type a word. Returns true if exactly that word was typed. End of input
 * counts as refusal.
 */
export async function confirm(warning: string, word: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = terminal.question(`${warning}\nType "${word}" to continue: `);
    return (await Promise.race([answer, ended])).trim() === word;
  } finally {
    terminal.close();
  }
}
