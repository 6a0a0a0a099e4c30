import type { z } from 'zod';
import type { Fence } from '../fence.ts';

/** What a model is asked, in one version. Another wording, or another form of the answer, is another version. */
export interface Prompt<Input, Answer> {
  readonly id: string;
  readonly version: number;
  /** What the model is and how it answers. Nothing of what strangers wrote is in it. */
  system(fence: Fence): string;
  /** The question; what strangers wrote stands in the fence. */
  render(input: Input, fence: Fence): string;
  readonly answer: z.ZodType<Answer>;
  readonly maxOutputTokens: number;
}

/** The name of a prompt as it is recorded. */
export function nameOf({ id, version }: { id: string; version: number }): string {
  return `${id}@${version}`;
}

/** A prompt that nothing more is needed for. */
export function definePrompt<Input, Answer>(prompt: Prompt<Input, Answer>): Prompt<Input, Answer> {
  return Object.freeze(prompt);
}
