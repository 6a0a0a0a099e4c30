import type { Config } from '../platform/config.ts';
import { type Log, openLog } from '../platform/log.ts';

/** The log of a command that ends. What it did it says in words, so the lines of the level `info` are left out. */
export function openCommandLog({ logLevel }: Config): Log {
  return openLog({ level: logLevel === 'info' ? 'warn' : logLevel });
}
