import type { z } from 'zod';
import type { Fence } from '../fence.ts';

/** One version of a prompt. Any change of its wording or answer schema is a new version. */
export interface Prompt<Input, Answer> {
  readonly id: string;
  readonly version: number;
  /** Returns the instructions for the model. They must contain nothing that third parties wrote. */
  system(fence: Fence): string;
  /** Returns the question. Third-party text must be inside the fence. */
  render(input: Input, fence: Fence): string;
  readonly answer: z.ZodType<Answer>;
  readonly maxOutputTokens: number;
}

/** Returns the name under which a prompt is recorded. */
export function promptName({ id, version }: { id: string; version: number }): string {
  return `${id}@${version}`;
}

/** Defines an immutable prompt. */
export function definePrompt<Input, Answer>(prompt: Prompt<Input, Answer>): Prompt<Input, Answer> {
  return Object.freeze(prompt);
}
