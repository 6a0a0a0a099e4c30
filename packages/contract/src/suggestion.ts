import { z } from 'zod';
import { id } from './primitives.ts';

/** Requests one merged text, or two texts that make the difference between the issues clear. */
export const suggestionRequest = z.object({
  issue1_id: id,
  issue2_id: id,
  resolution: z.enum(['merged', 'deconflicted']),
});
export type SuggestionRequest = z.infer<typeof suggestionRequest>;

/** Origin of a line in a suggested text. `new` means that neither issue contains the line. */
export const lineSource = z.enum(['issue1', 'issue2', 'both', 'new']);
export type LineSource = z.infer<typeof lineSource>;

/** Suggested texts for resolving a pair. Texts that were not requested are null. */
export const suggestion = z.object({
  merged_title: z.string().nullable(),
  merged_description: z.string().nullable(),
  deconflicted_title1: z.string().nullable(),
  deconflicted_description1: z.string().nullable(),
  deconflicted_title2: z.string().nullable(),
  deconflicted_description2: z.string().nullable(),
  explanation: z.string(),
  /** Origin of each line of `merged_description`. Empty if no merged text was requested. */
  merged_sources: z.array(lineSource),
  /** Id of the account's model that wrote the texts. Null for the built-in analyst. */
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
});
export type Suggestion = z.infer<typeof suggestion>;
