const UNIQUE_VIOLATION = '23505';
const FOREIGN_KEY_VIOLATION = '23503';

/** True if a statement failed because it violates the unique index or constraint with this name. */
export function violates(error: unknown, constraint: string): boolean {
  return hasCode(error, UNIQUE_VIOLATION) && 'constraint' in error && error.constraint === constraint;
}

/**
 * True if a statement failed because it refers to a row that does not exist or was just deleted.
 */
export function refersToMissingRow(error: unknown): boolean {
  return hasCode(error, FOREIGN_KEY_VIOLATION);
}

function hasCode(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}
