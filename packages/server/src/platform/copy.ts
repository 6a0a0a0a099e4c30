import { once } from 'node:events';
import { type Duplex, Readable } from 'node:stream';
import type { Client, Connection, Submittable } from 'pg';

// PostgreSQL's COPY, which the driver leaves to others. Its own class for a statement has the form of these two.

/** What of the driver's connection a COPY speaks with. */
interface CopyConnection {
  readonly stream: Duplex;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
  sendCopyFail(reason: string): void;
}

/**
 * Runs `COPY … TO STDOUT` and answers what it sends, as it is read: a slow reader holds the database back. `rows` is known
 * once the stream has ended.
 */
export function copyOut(client: Client, statement: string): Readable & { readonly rows: number } {
  return client.query(new CopyOut(statement)).stream;
}

/** Runs `COPY … FROM STDIN` with these bytes; answers how many rows there were. A source that throws undoes the statement. */
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
    const goOn = () => this.#connection?.stream.resume();
    const stream = new Readable({
      highWaterMark: 1 << 16,
      read: goOn,
      destroy(error, done) {
        goOn();
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
    // A stream that nobody reads any more must not hold up the end of the statement.
    if (this.stream.destroyed) return;
    // The driver uses its buffer again.
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
      connection.sendCopyFail('What was to be copied could not be read.');
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

/** The driver's types leave out what it has for COPY. */
function copyConnection(connection: Connection): CopyConnection {
  if (!('sendCopyFromChunk' in connection)) throw new Error('This driver knows no COPY.');
  return connection as Connection & CopyConnection;
}

/** Of the tag that ends a statement, such as `COPY 42`. */
function rowsOf(tag: string): number {
  return Number(/\d+$/.exec(tag)?.[0] ?? 0);
}
