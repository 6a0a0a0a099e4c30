/**
 * A backup that cannot be created or restored. The message tells the operator why and what to do.
 */
export class BackupRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'BackupRefused';
  }
}
