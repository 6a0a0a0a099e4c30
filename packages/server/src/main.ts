import { setFlagsFromString } from 'node:v8';
import type { Command } from './commands/command.ts';
import { commands } from './commands/commands.ts';
import { BackupRefused } from './platform/backup/backup-refused.ts';
import { ConfigError, loadConfig } from './platform/config.ts';
import { EmbeddedPostgresError } from './platform/embedded-postgres/embedded-postgres-error.ts';
import { DatabaseInUse } from './platform/instance-lock.ts';
import { DatabaseRefused } from './platform/migrate.ts';
import { SecretKeyRefused } from './platform/secrets.ts';

// By default, V8 may double the heap before it collects garbage. This limits the growth to 20 %.
setFlagsFromString('--heap-growing-percent=20');

/**
 * True if the message of an error is meant for the operator. It is then printed without a stack
 * trace.
 */
function isOperatorError(error: unknown): error is Error {
  return (
    error instanceof BackupRefused ||
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof DatabaseInUse ||
    error instanceof DatabaseRefused ||
    error instanceof SecretKeyRefused
  );
}

function usage(): string {
  const width = Math.max(...commands.map(({ synopsis }) => synopsis.length));
  const lines = commands.map(({ synopsis, summary }) => `  ${synopsis.padEnd(width)}  ${summary}`);
  return `Usage: winnow <command>\n\n${lines.join('\n')}\n\nConfiguration comes from the environment: see docs/operations/configure.md.\n`;
}

function usageOf({ synopsis, summary, details }: Command): string {
  return `Usage: winnow ${synopsis}\n\n${summary}.\n${details === undefined ? '' : `\n${details}\n`}`;
}

function asksForHelp(word: string): boolean {
  return word === '--help' || word === '-h';
}

const [first = 'start', ...others] = process.argv.slice(2);
/** Names of commands may have two words, so the first word can match several commands. */
const meant = commands.filter(({ name }) => name.split(' ')[0] === first);
const usageOfMeant = meant.map(usageOf).join('\n');
const run = meant.map(({ read }) => read([first, ...others])).find((found) => found !== null);
if (asksForHelp(first)) {
  process.stdout.write(usage());
} else if (meant.length === 0) {
  process.stderr.write(`Unknown command "${first}".\n\n${usage()}`);
  process.exitCode = 2;
} else if (others.some(asksForHelp)) {
  process.stdout.write(usageOfMeant);
} else if (!run) {
  process.stderr.write(usageOfMeant);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await run(loadConfig(process.env));
  } catch (error) {
    process.stderr.write(isOperatorError(error) ? `${error.message}\n` : `${String(error)}\n`);
    if (!isOperatorError(error) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  }
}
