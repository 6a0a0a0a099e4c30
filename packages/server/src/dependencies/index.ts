// Other features may import this file only.
export type { Dependencies } from './service.ts';
