import { z } from 'zod';

/** What was read from a model's answer, or in words what is wrong with it. */
export type ReadAnswer<T> = { ok: true; value: T } | { ok: false; problem: string };

/** Some models put their JSON into a code block, whatever they are told. */
const CODE_BLOCK = /^```(?:json)?\s*\n(?<inner>[\s\S]*?)\n?```$/;

/** Reads the answer of a model as a value of the schema. Nothing is guessed: half an object is none. */
export function readAnswer<T>(text: string, schema: z.ZodType<T>): ReadAnswer<T> {
  const trimmed = text.trim();
  const json = CODE_BLOCK.exec(trimmed)?.groups?.inner ?? trimmed;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { ok: false, problem: 'That is not one complete JSON object.' };
  }
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { ok: true, value: parsed.data }
    : { ok: false, problem: z.prettifyError(parsed.error) };
}
