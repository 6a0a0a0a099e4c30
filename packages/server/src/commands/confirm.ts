import { createInterface } from 'node:readline/promises';

/** Asks the operator to type a word; true for just that. Who ends the input has not typed it. */
export async function confirm(warning: string, word: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const ended = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
    const answer = terminal.question(`${warning}\nType "${word}" to go on: `);
    return (await Promise.race([answer, ended])).trim() === word;
  } finally {
    terminal.close();
  }
}
