import { setTimeout as pause } from 'node:timers/promises';
import { rateLimited } from '../../platform/errors.ts';

/** In one process; each holds a connection to the database for as long as its download is read. */
const AT_ONCE = 6;
/** How long an export waits for a place before it is refused. */
const WAIT_MS = 20_000;
const LOOK_EVERY_MS = 250;
const RETRY_AFTER_SECONDS = 30;
/** A download's pace is that of this time. A younger one has no pace yet. */
const PACE_MS = 15_000;
/**
 * While others wait, a download of less than this, before compression, loses its place: about 100 kbit/s on the line, far
 * below a slow connection.
 */
const LEAST_BYTES_A_SECOND = 100_000;

export interface ExportPlace {
  /** The download has taken this much, before compression. */
  took(bytes: number): void;
  leave(): void;
}

interface Download {
  /** Null until its first byte: an export is measured first, which takes as long as it takes. */
  sinceMs: number | null;
  bytes: number;
  pace: number | null;
  cut: (error: Error) => void;
}

/** Places of one process for exports, which slow downloads cannot keep from others. */
export class ExportPlaces {
  readonly #downloads = new Set<Download>();
  readonly #nowMs: () => number;

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs;
  }

  /** Takes a place, and cuts the slowest download for it where none is free. @throws {AppError} 429 when none gets free. */
  async enter(cut: (error: Error) => void): Promise<ExportPlace> {
    const endsAtMs = this.#nowMs() + WAIT_MS;
    while (this.#downloads.size >= AT_ONCE) {
      if (this.#nowMs() >= endsAtMs) throw rateLimited(RETRY_AFTER_SECONDS);
      const slowest = this.#slowest();
      if (slowest === null) await pause(LOOK_EVERY_MS);
      else {
        this.#downloads.delete(slowest);
        slowest.cut(new Error('The export is read too slowly while others wait.'));
      }
    }
    const download: Download = { sinceMs: null, bytes: 0, pace: null, cut };
    this.#downloads.add(download);
    return {
      took: (bytes) => {
        download.bytes += bytes;
        download.sinceMs ??= this.#nowMs();
        const elapsedMs = this.#nowMs() - download.sinceMs;
        if (elapsedMs < PACE_MS) return;
        download.pace = (download.bytes / elapsedMs) * 1_000;
        download.sinceMs = this.#nowMs();
        download.bytes = 0;
      },
      leave: () => void this.#downloads.delete(download),
    };
  }

  /** The slowest download, if it is too slow to keep its place. */
  #slowest(): Download | null {
    const paced = [...this.#downloads].map((download) => ({ download, pace: this.#paceOf(download) }));
    const [slowest] = paced.toSorted((one, other) => one.pace - other.pace);
    return slowest !== undefined && slowest.pace < LEAST_BYTES_A_SECOND ? slowest.download : null;
  }

  #paceOf({ sinceMs, bytes, pace }: Download): number {
    const elapsedMs = sinceMs === null ? 0 : this.#nowMs() - sinceMs;
    if (elapsedMs < PACE_MS) return pace ?? Number.POSITIVE_INFINITY;
    return (bytes / elapsedMs) * 1_000;
  }
}
