import { z } from 'zod';
import { visible } from './fence.ts';

/** A parsed answer, or a description of its problem. */
export type ParsedAnswer<T> = { ok: true; value: T } | { ok: false; problem: string };

/**
 * Matches an answer that is wrapped in a Markdown code block. Some models add one despite the
 * instructions.
 */
const CODE_BLOCK = /^```(?:json)?[^\S\n]*\n(?<inner>[\s\S]*?)\n?```$/;

/** Maximum number of JSON values in an answer. The largest expected answer has a few hundred. */
const MAX_JSON_VALUES = 5_000;
/** Maximum number of problems that are reported to the model. */
const MAX_REPORTED_PROBLEMS = 5;

class TooManyValues extends Error {}

/**
 * Parses a model's answer and validates it against the schema. Rejects incomplete JSON. Removes
 * invisible characters, because they could hide text from readers. Runs in linear time.
 */
export function parseAnswer<T>(text: string, schema: z.ZodType<T>): ParsedAnswer<T> {
  const trimmed = text.trim();
  const json = CODE_BLOCK.exec(trimmed)?.groups?.inner ?? trimmed;
  let value: unknown;
  try {
    value = visibleIn(JSON.parse(json));
  } catch (error) {
    if (error instanceof TooManyValues)
      return { ok: false, problem: 'The answer is far longer than requested.' };
    // A `RangeError` means that the JSON is nested too deeply to traverse. Such JSON matches no
    // schema.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { ok: false, problem: 'The answer is not one complete JSON object.' };
  }
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problem: problemOf(parsed.error.issues) };
}

/**
 * Removes invisible characters from all strings of a value.
 * @throws {TooManyValues}
 */
function visibleIn(value: unknown): unknown {
  let values = 0;
  const read = (part: unknown): unknown => {
    values += 1;
    if (values > MAX_JSON_VALUES) throw new TooManyValues();
    if (typeof part === 'string') return visible(part);
    if (Array.isArray(part)) return part.map(read);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, read(inner)]));
  };
  return read(value);
}

/** Formats only the first problems: formatting thousands of them would take seconds. */
function problemOf(issues: z.core.$ZodIssue[]): string {
  const text = z.prettifyError({ issues: issues.slice(0, MAX_REPORTED_PROBLEMS) });
  const rest = issues.length - MAX_REPORTED_PROBLEMS;
  return rest > 0 ? `${text}\nThere are ${rest} more like these.` : text;
}
