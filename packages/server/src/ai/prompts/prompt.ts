import type { z } from 'zod';
import type { Fence } from '../fence.ts';

/**
 * One version of a prompt. A change of the wording or of the answer schema requires a new version
 * number.
 */
export interface Prompt<Input, Answer> {
  readonly id: string;
  readonly version: number;
  /** Returns the instructions for the model. They must not contain third-party text. */
  system(fence: Fence): string;
  /** Returns the question. Third-party text must be inside the fence. */
  render(input: Input, fence: Fence): string;
  readonly answer: z.ZodType<Answer>;
  readonly maxOutputTokens: number;
}

/** Returns the name and version by which calls record their prompt. */
export function promptName({ id, version }: { id: string; version: number }): string {
  return `${id}@${version}`;
}

/** Defines an immutable prompt. */
export function definePrompt<Input, Answer>(prompt: Prompt<Input, Answer>): Prompt<Input, Answer> {
  return Object.freeze(prompt);
}
