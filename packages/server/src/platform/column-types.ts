import pg from 'pg';

const { builtins, getTypeParser } = pg.types;
const INT8_ARRAY = 1016;
const NUMERIC_ARRAY = 1231;
const DATE_ARRAY = 1182;
/** Not among the ids the driver's types list, so it is a plain number. */
const TEXT_ARRAY: number = 1009;

/**
 * How columns are read where `pg` by itself would not do:
 * - `bigint` and its arrays as number; a value beyond 2^53 is an error, never a rounded number;
 * - `numeric` and its arrays as number, so exact to 15 digits, which every amount of ours has;
 * - `date` and its arrays as the text `YYYY-MM-DD`: a day has no time zone.
 * `timestamptz` stays a Date, `bytea` a Buffer, `json` the parsed value.
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
  if (!Number.isSafeInteger(value)) throw new RangeError(`The bigint ${text} does not fit a number.`);
  return value;
}

/** An array column as nested arrays of text; null stays null. */
function parseTextArray(text: string): unknown {
  return getTypeParser(TEXT_ARRAY, 'text')(text);
}

function each(value: unknown, convert: (text: string) => number): unknown {
  if (Array.isArray(value)) return value.map((part) => each(part, convert));
  return typeof value === 'string' ? convert(value) : value;
}
