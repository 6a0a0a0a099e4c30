import type { Config } from '../platform/config.ts';
import { type CommandArguments, type ParsedArguments, readArgs } from './read-args.ts';

/** Help text of a command. */
interface CommandHelp {
  /** Name of one word, or of two words for related commands, such as `plan add`. */
  readonly name: string;
  readonly synopsis: string;
  readonly summary: string;
  /** Details that only the command's own `--help` prints. */
  readonly details?: string;
}

/** A command of the command line. */
export interface Command extends CommandHelp {
  /**
   * Parses the words after the command's name. Returns a function that runs the command and
   * resolves to its exit code. Returns null if the words are invalid.
   */
  read(words: readonly string[]): ((config: Config) => Promise<number>) | null;
}

/** Creates a command from its operands, options and action. */
export function command<const T extends CommandArguments>({
  takes,
  run,
  ...said
}: CommandHelp & { takes: T; run: (config: Config, asked: ParsedArguments<T>) => Promise<number> }): Command {
  const name = said.name.split(' ');
  return {
    ...said,
    read(words) {
      if (!name.every((word, index) => words[index] === word)) return null;
      const asked = readArgs(words.slice(name.length), takes);
      return asked && ((config) => run(config, asked));
    },
  };
}
