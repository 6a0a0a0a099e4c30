import { z } from 'zod';
import { definePrompt } from './prompt.ts';

/** Tests that a model answers in JSON, as all prompts require. */
export const answerOkPrompt = definePrompt({
  id: 'answer-ok',
  version: 1,
  system: () => 'You respond with one JSON object and nothing else.',
  render: (_input: null) => 'Respond with {"ok": true}.',
  answer: z.object({ ok: z.boolean() }),
  maxOutputTokens: 2_000,
});
