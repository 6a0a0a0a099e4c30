import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import type { Client, Connection, Submittable } from 'pg';

// PostgreSQL's COPY for the driver `pg`. The driver has no API for COPY, but runs custom statement
// classes like these.

/** Methods of the driver's connection that COPY needs. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Runs `COPY … TO STDOUT` and returns its output as a stream with backpressure. `rows` is the row
 * count, set when the stream ends.
 */
export function copyOut(client: Client, statement: string): Readable & { readonly rows: number } {
  return client.query(new CopyOut(statement)).stream;
}

/**
 * Runs `COPY … FROM STDIN` and returns the number of rows. If reading the source fails, the
 * statement is rolled back.
 */
export async function copyIn(
  client: Client,
  statement: string,
  source: AsyncIterable<Buffer>,
): Promise<number> {
  return client.query(new CopyIn(statement, source)).ended.promise;
}

class CopyOut implements Submittable {
  readonly stream: Readable & { rows: number };
  readonly #statement: string;
  #connection: CopyConnection | null = null;

  constructor(statement: string) {
    this.#statement = statement;
    const resumeSource = () => this.#connection?.stream.resume();
    const stream = new Readable({
      highWaterMark: 1 << 16,
      read: resumeSource,
      destroy(error, done) {
        resumeSource();
        done(error);
      },
    });
    this.stream = Object.assign(stream, { rows: 0 });
  }

  submit(connection: Connection): void {
    this.#connection = copyConnection(connection);
    this.#connection.query(this.#statement);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // If the reader has destroyed the stream, its remaining data is discarded so that the statement
    // can end.
    if (this.stream.destroyed) return;
    // Copies the chunk, because the driver overwrites its buffer.
    if (!this.stream.push(Buffer.from(chunk))) this.#connection?.stream.pause();
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.stream.rows = rowsOf(text);
  }

  handleError(error: Error): void {
    this.#release();
    this.stream.destroy(error);
  }

  handleReadyForQuery(): void {
    this.#release();
    if (!this.stream.destroyed) this.stream.push(null);
  }

  #release(): void {
    this.#connection?.stream.resume();
    this.#connection = null;
  }
}

class CopyIn implements Submittable {
  readonly ended = Promise.withResolvers<number>();
  readonly #statement: string;
  readonly #source: AsyncIterable<Buffer>;
  readonly #over = Promise.withResolvers<void>();
  #isOver = false;
  #fault: unknown;
  #rows = 0;

  constructor(statement: string, source: AsyncIterable<Buffer>) {
    this.#statement = statement;
    this.#source = source;
  }

  submit(connection: Connection): void {
    copyConnection(connection).query(this.#statement);
  }

  handleCopyInResponse(connection: CopyConnection): void {
    this.#send(connection).catch((error: unknown) => {
      this.#fault = error;
      connection.sendCopyFail('The data to be copied could not be read.');
    });
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rows = rowsOf(text);
  }

  handleError(error: Error): void {
    this.#end();
    this.ended.reject(this.#fault ?? error);
  }

  handleReadyForQuery(): void {
    this.#end();
    this.ended.resolve(this.#rows);
  }

  async #send(connection: CopyConnection): Promise<void> {
    for await (const chunk of this.#source) {
      if (this.#isOver) return;
      connection.sendCopyFromChunk(chunk);
      if (connection.stream.writableNeedDrain) {
        await Promise.race([once(connection.stream, 'drain'), this.#over.promise]);
      }
    }
    connection.endCopyFrom();
  }

  #end(): void {
    this.#isOver = true;
    this.#over.resolve();
  }
}

/** Returns the connection with its COPY methods, which are missing in the driver's types. */
function copyConnection(connection: Connection): CopyConnection {
  if (!('sendCopyFromChunk' in connection)) throw new Error('The PostgreSQL driver does not support COPY.');
  return connection as Connection & CopyConnection;
}

/** Returns the row count in a PostgreSQL command tag such as `COPY 42`. */
function rowsOf(tag: string): number {
  return Number(/\d+$/.exec(tag)?.[0] ?? 0);
}
