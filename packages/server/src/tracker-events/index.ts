// Other features may import this file only.
export {
  findEvents,
  markMatched,
  newestEvents,
  type StreamEvent,
  takeUnmatched,
  type UnmatchedEvent,
} from './service.ts';
