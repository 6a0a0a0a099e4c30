import { parseArgs } from 'node:util';

/** What a command takes beside its name. */
export interface Takes {
  /** What its words stand for; each has to be there. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>;
}

/** What somebody asked of a command that takes this: its words in their order, and those of its options that were given. */
export interface Asked<T extends Takes> {
  readonly operands: OneForEach<T['operands']>;
  readonly values: {
    readonly [Name in keyof T['options']]?: T['options'][Name]['type'] extends 'boolean' ? boolean : string;
  };
}

type OneForEach<Operands extends readonly string[]> = { readonly [Place in keyof Operands]: string };

/** Reads the words after a command's name; null when there is one too many or too few, or one that it does not take. */
export function readArgs<T extends Takes>(args: readonly string[], takes: T): Asked<T> | null {
  try {
    const { positionals, values } = parseArgs({
      args: args.flatMap(withoutDoubt),
      allowPositionals: true,
      options: takes.options,
    });
    // The parser has held the values to what the options are, and these are as many words as there are operands.
    return positionals.length === takes.operands.length
      ? ({ operands: positionals, values } as unknown as Asked<T>)
      : null;
  } catch {
    return null;
  }
}

/** `--issues -1` is meant as `--issues=-1`: the parser takes a dash for the next option. */
function withoutDoubt(word: string, index: number, words: readonly string[]): string[] {
  if (word === '-1' && words[index - 1]?.startsWith('--')) return [];
  return [words[index + 1] === '-1' && word.startsWith('--') ? `${word}=-1` : word];
}

/** What a command takes that is asked for by its name alone. */
export const NOTHING = { operands: [], options: {} } as const;
