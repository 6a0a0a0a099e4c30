import { z } from 'zod';
import { visible } from './fence.ts';

/** What was read from a model's answer, or in words what is wrong with it. */
export type ReadAnswer<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Some models put their JSON into a code block, whatever they are told. */
const CODE_BLOCK = /^```(?:json)?[^\S\n]*\n(?<inner>[\s\S]*?)\n?```$/;

/**
 * Reads the answer of a model as a value of the schema. Nothing is guessed: half an object is none. Its texts are without
 * what nobody sees, as the model was shown the issues' texts.
 */
export function readAnswer<T>(text: string, schema: z.ZodType<T>): ReadAnswer<T> {
  const trimmed = text.trim();
  const json = CODE_BLOCK.exec(trimmed)?.groups?.inner ?? trimmed;
  let value: unknown;
  try {
    value = JSON.parse(json, (_name, part: unknown) => (typeof part === 'string' ? visible(part) : part));
  } catch (error) {
    // What is nested too deep to be gone through is none of our objects.
    if (!(error instanceof SyntaxError || error instanceof RangeError)) throw error;
    return { ok: false, problem: 'That is not one complete JSON object.' };
  }
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problem: z.prettifyError(parsed.error) };
}
