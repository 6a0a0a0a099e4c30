// Other features may import this file only.
export type { Clusters } from './service.ts';
