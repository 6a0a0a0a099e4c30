import type { Config } from '../platform/config.ts';
import { type Log, openLog } from '../platform/log.ts';

/**
 * Opens the log of a command other than `serve`. Omits `info` lines, because the command prints its
 * own messages.
 */
export function openCommandLog({ logLevel }: Config): Log {
  return openLog({ level: logLevel === 'info' ? 'warn' : logLevel });
}
