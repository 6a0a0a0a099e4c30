// Other features may import this file only.
export type { Duplicates } from './service.ts';
export type { Verdicts } from './verdicts.ts';
