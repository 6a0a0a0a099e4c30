import { z } from 'zod';
import { id } from './primitives.ts';

/** What a suggestion is asked for: one text of both, or two that differ by what differs. */
export const suggestionRequest = z.object({
  issue1_id: id,
  issue2_id: id,
  resolution: z.enum(['merged', 'deconflicted']),
});
export type SuggestionRequest = z.infer<typeof suggestionRequest>;

/** Where a line of a suggested text came from, for a person to check: an issue of the pair, or neither. */
export const lineSource = z.enum(['issue1', 'issue2', 'both', 'new']);
export type LineSource = z.infer<typeof lineSource>;

/** Texts that would resolve a pair; those not asked for are null. */
export const suggestion = z.object({
  merged_title: z.string().nullable(),
  merged_description: z.string().nullable(),
  deconflicted_title1: z.string().nullable(),
  deconflicted_description1: z.string().nullable(),
  deconflicted_title2: z.string().nullable(),
  deconflicted_description2: z.string().nullable(),
  explanation: z.string(),
  /** Of each line of `merged_description`, in order, where it came from; empty when nothing is merged. */
  merged_sources: z.array(lineSource),
  /** The account's model that wrote it; null for the built-in analyst. */
  ai_model_id: id.nullable(),
  ai_model_name: z.string(),
});
export type Suggestion = z.infer<typeof suggestion>;
