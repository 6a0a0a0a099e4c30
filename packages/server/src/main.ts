import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { commands } from './commands/commands.ts';
import { ConfigError, loadConfig } from './platform/config.ts';
import { EmbeddedPostgresError } from './platform/embedded-postgres/embedded-postgres-error.ts';
import { DatabaseRefused } from './platform/migrate.ts';
import { SecretKeyRefused } from './platform/secrets.ts';

// V8 lets a heap double before it cleans up when the machine has memory to spare; ours need not.
setFlagsFromString('--heap-growing-percent=20');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { help: { type: 'boolean', short: 'h' } },
  strict: false,
});

/** Faults whose sentence is for the operator: no stack trace helps them. */
function isForOperator(error: unknown): error is Error {
  return (
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof DatabaseRefused ||
    error instanceof SecretKeyRefused
  );
}

function usage(): string {
  const width = Math.max(...commands.map(({ synopsis }) => synopsis.length));
  const lines = commands.map(({ synopsis, summary }) => `  ${synopsis.padEnd(width)}  ${summary}`);
  return `Usage: winnow <command>\n\n${lines.join('\n')}\n\nConfiguration comes from the environment: see docs/operations.md.\n`;
}

const [name = 'start', ...args] = positionals;
const command = commands.find((candidate) => candidate.name === name);
if (values.help) {
  process.stdout.write(usage());
} else if (!command) {
  process.stderr.write(`There is no command "${name}".\n\n${usage()}`);
  process.exitCode = 2;
} else {
  try {
    process.exitCode = await command.run(loadConfig(process.env), args);
  } catch (error) {
    process.stderr.write(isForOperator(error) ? `${error.message}\n` : `${String(error)}\n`);
    if (!isForOperator(error) && error instanceof Error) process.stderr.write(`${error.stack}\n`);
    process.exitCode = 1;
  }
}
