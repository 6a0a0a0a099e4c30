import pg from 'pg';

const { builtins, getTypeParser } = pg.types;
const INT8_ARRAY = 1016;
const NUMERIC_ARRAY = 1231;
const DATE_ARRAY = 1182;
/** PostgreSQL's type id of `text[]`. The driver's list of type ids does not include it. */
const TEXT_ARRAY: number = 1009;

/**
 * Parsers for column types where the defaults of `pg` do not fit:
 * - `bigint` and its arrays become numbers. A value beyond 2^53 is an error, never rounded.
 * - `numeric` and its arrays become numbers, exact to 15 digits. All our amounts fit.
 * - `date` and its arrays stay text (`YYYY-MM-DD`), since a day has no time zone.
 *
 * Other types keep their defaults: `timestamptz` is a Date, `bytea` a Buffer, `json` the parsed
 * value.
 */
export const columnTypes: pg.CustomTypesConfig = {
  getTypeParser(id: number, format?: 'text' | 'binary') {
    const parser = format === 'binary' ? undefined : textParsers.get(id);
    return parser ?? getTypeParser(id, format ?? 'text');
  },
};

const textParsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, toInteger],
  [builtins.NUMERIC, Number],
  [builtins.DATE, String],
  [INT8_ARRAY, (text) => each(parseTextArray(text), toInteger)],
  [NUMERIC_ARRAY, (text) => each(parseTextArray(text), Number)],
  [DATE_ARRAY, (text) => parseTextArray(text)],
]);

function toInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} is not a safe integer.`);
  return value;
}

/** Parses an array column into nested arrays of strings. SQL null becomes null. */
function parseTextArray(text: string): unknown {
  return getTypeParser(TEXT_ARRAY, 'text')(text);
}

function each(value: unknown, convert: (text: string) => number): unknown {
  if (Array.isArray(value)) return value.map((part) => each(part, convert));
  return typeof value === 'string' ? convert(value) : value;
}
