// Other features may import this file only.
export { isBeingDeleted } from './deletion/service.ts';
export { nameOfAccount } from './service.ts';
export { expectSignedIn, type SignedIn } from './signed-in.ts';
