import { parseArgs } from 'node:util';

/** Arguments that a command accepts. */
export interface CommandArguments {
  /** Names of the required positional arguments. */
  readonly operands: readonly string[];
  readonly options: Readonly<Record<string, { readonly type: 'boolean' | 'string' }>>;
}

/** Parsed arguments: the operands in order, and the options that were given. */
export interface ParsedArguments<T extends CommandArguments> {
  readonly operands: OneForEach<T['operands']>;
  readonly values: {
    readonly [Name in keyof T['options']]?: T['options'][Name]['type'] extends 'boolean' ? boolean : string;
  };
}

type OneForEach<Operands extends readonly string[]> = { readonly [Place in keyof Operands]: string };

/**
 * Parses the words after a command's name. Returns null if there are too many or too few words, or
 * if an option is invalid.
 */
export function readArgs<T extends CommandArguments>(
  args: readonly string[],
  takes: T,
): ParsedArguments<T> | null {
  try {
    const { positionals, values } = parseArgs({
      args: args.flatMap(joinNegativeNumber),
      allowPositionals: true,
      options: takes.options,
    });
    // The parser has already validated the options. Only the number of operands remains to be
    // checked.
    return positionals.length === takes.operands.length
      ? ({ operands: positionals, values } as unknown as ParsedArguments<T>)
      : null;
  } catch {
    return null;
  }
}

/** Converts `--issues -1` to `--issues=-1`, because the parser would treat `-1` as an option. */
function joinNegativeNumber(word: string, index: number, words: readonly string[]): string[] {
  if (word === '-1' && words[index - 1]?.startsWith('--')) return [];
  return [words[index + 1] === '-1' && word.startsWith('--') ? `${word}=-1` : word];
}

/** Arguments of a command that accepts none. */
export const NO_ARGUMENTS = { operands: [], options: {} } as const;
