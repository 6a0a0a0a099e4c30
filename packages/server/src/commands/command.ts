import type { Config } from '../platform/config.ts';
import { type Asked, readArgs, type Takes } from './read-args.ts';

/** What the help says of a command. */
interface Said {
  /** One word, or two where several share the first. */
  readonly name: string;
  readonly synopsis: string;
  readonly summary: string;
  /** What its own help says beside. */
  readonly details?: string;
}

/** Something the operator can tell Winnow to do. */
export interface Command extends Said {
  /** What to do when these are its name and what it takes, which answers the exit code; else null. */
  read(words: readonly string[]): ((config: Config) => Promise<number>) | null;
}

/** A command that does something with exactly what it takes. */
export function command<const T extends Takes>({
  takes,
  run,
  ...said
}: Said & { takes: T; run: (config: Config, asked: Asked<T>) => Promise<number> }): Command {
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
