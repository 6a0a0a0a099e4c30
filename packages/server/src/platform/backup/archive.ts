import { createHash, type Hash } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream, type WriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createZstdCompress, createZstdDecompress } from 'node:zlib';
import { z } from 'zod';
import { BackupRefused } from './backup-refused.ts';

// Format of a backup file: one line of text with the format version, then a Zstandard stream of
// frames. A frame consists of one letter for its kind, the length of its content (4 bytes,
// big-endian) and the content.
//
// The last frame holds the SHA-256 of all frames before it, which reveals a truncated or changed
// file. Table data is in PostgreSQL's COPY text format, which is independent of version and
// machine.

const MAGIC = 'winnow backup ';
const FORMAT = 1;
const FIRST_LINE = `${MAGIC}${FORMAT}\n`;
const MAX_FIRST_LINE_BYTES = 32;
const PREFIX_BYTES = 5;
const MAX_FRAME_BYTES = 1 << 20;
/**
 * Zstandard level. Compresses much better than lower levels, and still faster than the database
 * sends rows.
 */
const COMPRESSION_LEVEL = 6;

/** First frame of a backup: describes how and when it was created. */
const header = z.object({
  winnow_version: z.string(),
  made_at: z.iso.datetime(),
  /** Names of the migrations applied to the backed-up database, in order. */
  migrations: z.array(z.string()).min(1),
  has_key: z.boolean(),
  sequences: z.array(z.object({ name: z.string(), last_value: z.string() })),
});
export type BackupHeader = z.infer<typeof header>;

const tableStart = z.object({ table: z.string(), columns: z.array(z.string()).min(1) });
const tableEnd = z.object({ rows: z.int().nonnegative() });
const end = z.object({ rows: z.record(z.string(), z.int()), sha256: z.hex() });

const FRAME_KINDS = { header: 'H', table: 'T', data: 'D', tableEnd: 'E', key: 'K', end: 'Z' } as const;

/**
 * Parts of a backup, in the order of the file. The parts between a table's start and its end hold
 * the COPY data of its rows.
 */
export type BackupPart =
  | { kind: 'header'; header: BackupHeader }
  | { kind: 'key'; key: string }
  | { kind: 'table'; table: string; columns: string[] }
  | { kind: 'data'; bytes: Buffer }
  | { kind: 'table end'; rows: number }
  | { kind: 'end'; rows: Record<string, number> };

/**
 * Writes a backup to an open file. Call the methods in the order of the parts in the file, {@link
 * end} last.
 */
export class ArchiveWriter {
  readonly #compress = createZstdCompress({
    params: { [constants.ZSTD_c_compressionLevel]: COMPRESSION_LEVEL },
  });
  readonly #written: Promise<void>;
  readonly #hash: Hash = createHash('sha256');
  readonly #rows: Record<string, number> = {};

  constructor(file: WriteStream) {
    file.write(FIRST_LINE);
    this.#written = pipeline(this.#compress, file);
    // Prevents an unhandled rejection. The next write or the call of `end` throws the same error.
    this.#written.catch(() => undefined);
  }

  async begin(said: BackupHeader, key: string | null): Promise<void> {
    await this.#frame(FRAME_KINDS.header, JSON.stringify(said));
    if (key !== null) await this.#frame(FRAME_KINDS.key, key);
  }

  /** Writes the COPY data of a table and returns its number of rows. */
  async table(
    table: string,
    columns: readonly string[],
    copied: AsyncIterable<Buffer> & { readonly rows: number },
  ): Promise<number> {
    await this.#frame(FRAME_KINDS.table, JSON.stringify({ table, columns }));
    let waiting: Buffer[] = [];
    let bytes = 0;
    const flush = async () => {
      const all = Buffer.concat(waiting);
      waiting = [];
      bytes = 0;
      for (let from = 0; from < all.length; from += MAX_FRAME_BYTES) {
        await this.#frame(FRAME_KINDS.data, all.subarray(from, from + MAX_FRAME_BYTES));
      }
    };
    for await (const chunk of copied) {
      waiting.push(chunk);
      bytes += chunk.length;
      if (bytes >= MAX_FRAME_BYTES) await flush();
    }
    await flush();
    await this.#frame(FRAME_KINDS.tableEnd, JSON.stringify({ rows: copied.rows }));
    this.#rows[table] = copied.rows;
    return copied.rows;
  }

  /** Writes the last frame and resolves when the file is complete. */
  async end(): Promise<void> {
    const sha256 = this.#hash.copy().digest('hex');
    await this.#frame(FRAME_KINDS.end, JSON.stringify({ rows: this.#rows, sha256 }));
    this.#compress.end();
    await this.#written;
  }

  async #frame(kind: string, content: string | Buffer): Promise<void> {
    const bytes = Buffer.from(content);
    const prefix = Buffer.alloc(PREFIX_BYTES);
    prefix.write(kind, 0, 'latin1');
    prefix.writeUInt32BE(bytes.length, 1);
    for (const piece of [prefix, bytes]) {
      this.#hash.update(piece);
      if (!this.#compress.write(piece)) await Promise.race([once(this.#compress, 'drain'), this.#written]);
    }
  }
}

/**
 * Reads a backup. If the iteration finishes without an error, the backup is complete and undamaged.
 *
 * @throws {BackupRefused} if the file is not a backup, has another format, or is truncated or
 * damaged. Damage may be noticed only at the end of the file
 */
export async function* readArchive(path: string): AsyncGenerator<BackupPart> {
  await checkFirstLine(path);
  const hash = createHash('sha256');
  const rows: Record<string, number> = {};
  let table = '';
  let isOver = false;
  try {
    for await (const { kind, bytes, frame } of framesOf(path)) {
      if (isOver) throw damaged();
      const part = partOf(kind, bytes);
      if (part.kind === 'end') {
        const said = end.parse(JSON.parse(bytes.toString()));
        if (said.sha256 !== hash.digest('hex') || !sameRows(said.rows, rows)) throw damaged();
        isOver = true;
      } else {
        for (const piece of frame) hash.update(piece);
      }
      if (part.kind === 'table') table = part.table;
      if (part.kind === 'table end') rows[table] = part.rows;
      yield part;
    }
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof z.ZodError ? damaged(error) : error;
  }
  if (!isOver) throw damaged();
}

async function checkFirstLine(path: string): Promise<void> {
  let text = '';
  try {
    for await (const chunk of createReadStream(path, { end: MAX_FIRST_LINE_BYTES - 1 }))
      text += String(chunk);
  } catch (error) {
    throw new BackupRefused(
      `${path} cannot be read: ${error instanceof Error ? error.message : error}`,
      error,
    );
  }
  const version = /^winnow backup (\d+)\n/.exec(text)?.[1];
  if (version === undefined) throw new BackupRefused(`${path} is not a backup of Winnow.`);
  if (Number(version) !== FORMAT) {
    throw new BackupRefused(
      `${path} has backup format ${version}; this version of Winnow reads format ${FORMAT}. Restore it with the version that created it.`,
    );
  }
}

interface Frame {
  kind: string;
  bytes: Buffer;
  /** Prefix and content exactly as stored in the file. The checksum is computed from them. */
  frame: Buffer[];
}

async function* framesOf(path: string): AsyncGenerator<Frame> {
  const file = createReadStream(path, { start: FIRST_LINE.length });
  const content = createZstdDecompress();
  const read = pipeline(file, content);
  read.catch(() => undefined);
  const pieces: Buffer[] = [];
  let held = 0;
  /** Removes and returns the first `count` bytes of the buffered data. */
  const take = (count: number): Buffer => {
    const all = pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces);
    pieces.splice(0, pieces.length, all.subarray(count));
    held -= count;
    return all.subarray(0, count);
  };
  let prefix: Buffer | null = null;
  try {
    for await (const chunk of content) {
      pieces.push(chunk);
      held += chunk.length;
      for (;;) {
        if (prefix === null) {
          if (held < PREFIX_BYTES) break;
          prefix = take(PREFIX_BYTES);
        }
        const length = prefix.readUInt32BE(1);
        if (length > MAX_FRAME_BYTES) throw damaged();
        if (held < length) break;
        const bytes = take(length);
        yield { kind: prefix.toString('latin1', 0, 1), bytes, frame: [prefix, bytes] };
        prefix = null;
      }
    }
    await read;
  } catch (error) {
    throw error instanceof BackupRefused ? error : damaged(error);
  } finally {
    file.destroy();
    content.destroy();
  }
  if (prefix !== null || held > 0) throw damaged();
}

function partOf(kind: string, bytes: Buffer): BackupPart {
  switch (kind) {
    case FRAME_KINDS.header:
      return { kind: 'header', header: header.parse(JSON.parse(bytes.toString())) };
    case FRAME_KINDS.key:
      return { kind: 'key', key: bytes.toString() };
    case FRAME_KINDS.table:
      return { kind: 'table', ...tableStart.parse(JSON.parse(bytes.toString())) };
    case FRAME_KINDS.data:
      return { kind: 'data', bytes };
    case FRAME_KINDS.tableEnd:
      return { kind: 'table end', ...tableEnd.parse(JSON.parse(bytes.toString())) };
    case FRAME_KINDS.end:
      return { kind: 'end', rows: end.parse(JSON.parse(bytes.toString())).rows };
    default:
      throw damaged();
  }
}

function sameRows(first: Record<string, number>, second: Record<string, number>): boolean {
  const names = Object.keys(first);
  return names.length === Object.keys(second).length && names.every((name) => first[name] === second[name]);
}

function damaged(cause?: unknown): BackupRefused {
  return new BackupRefused(
    'The backup is damaged or truncated. Nothing was changed. Use another backup.',
    cause,
  );
}
