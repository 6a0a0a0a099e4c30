/** A backup that cannot be made or restored; the message says to the operator why and what to do. */
export class BackupRefused extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'BackupRefused';
  }
}
