import { z } from 'zod';
import { visible } from './fence.ts';

/** What was read from a model's answer, or in words what is wrong with it. */
export type ReadAnswer<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Some models put their JSON into a code block, whatever they are told. */
const CODE_BLOCK = /^```(?:json)?[^\S\n]*\n(?<inner>[\s\S]*?)\n?```$/;

/** Values in all; what asks for the most has a few hundred. */
const MOST_VALUES = 5_000;
/** Problems that a model is told of. */
const MOST_PROBLEMS = 5;

class TooMuch extends Error {}

/**
 * Reads the answer of a model as a value of the schema. Nothing is guessed: half an object is none. Its texts are without
 * what nobody sees, as the model was shown the issues' texts. Takes linear
 * time, whatever the text is.
 */
export function readAnswer<T>(text: string, schema: z.ZodType<T>): ReadAnswer<T> {
  const trimmed = text.trim();
  const json = CODE_BLOCK.exec(trimmed)?.groups?.inner ?? trimmed;
  let value: unknown;
  try {
    value = visibleIn(JSON.parse(json));
  } catch (error) {
    if (error instanceof TooMuch) return { ok: false, problem: 'That is far more than was asked for.' };
    // What is nested too deep to be gone through is none of our objects.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { ok: false, problem: 'That is not one complete JSON object.' };
  }
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problem: problemOf(parsed.error.issues) };
}

/** A value whose texts are without what nobody sees. @throws {TooMuch} */
function visibleIn(value: unknown): unknown {
  let values = 0;
  const read = (part: unknown): unknown => {
    values += 1;
    if (values > MOST_VALUES) throw new TooMuch();
    if (typeof part === 'string') return visible(part);
    if (Array.isArray(part)) return part.map(read);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([name, inner]) => [name, read(inner)]));
  };
  return read(value);
}

/** The first problems: a line for each of thousands would take seconds to write, and is read by nobody. */
function problemOf(issues: z.core.$ZodIssue[]): string {
  const told = z.prettifyError({ issues: issues.slice(0, MOST_PROBLEMS) });
  const rest = issues.length - MOST_PROBLEMS;
  return rest > 0 ? `${told}\nThere are ${rest} more like these.` : told;
}
