import { z } from 'zod';
import { definePrompt } from './prompt.ts';

/** Tries out whether a model answers, in the form that all our prompts ask for. */
export const answerOkPrompt = definePrompt({
  id: 'answer-ok',
  version: 1,
  system: () => 'You answer with one JSON object and nothing else.',
  render: (_input: null) => 'Answer with {"ok": true}.',
  answer: z.object({ ok: z.boolean() }),
  maxOutputTokens: 2_000,
});
