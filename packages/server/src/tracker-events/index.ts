// Public interface of this feature. Other features import only this file.
export {
  findEvents,
  markMatched,
  newestEvents,
  type StreamEvent,
  takeUnmatched,
  type UnmatchedEvent,
} from './service.ts';
