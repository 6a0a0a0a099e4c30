// Other features may import this file only.
export type { Evaluations } from './evaluations.ts';
export type { Improvements } from './improvements.ts';
export type { Prompts } from './prompts.ts';
