import { ApiError } from './api-error.ts';
import { api } from './session.ts';
import type { QueryValue } from './transport.ts';

/** Minimum interval between progress reports. */
const PROGRESS_INTERVAL_MS = 250;

/** Reads the body of the response in chunks. Throws `ApiError` if the connection is lost. */
async function partsOf(response: Response, onProgress: (bytes: number) => void) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let reportedAt = performance.now();
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      parts.push(part.value);
      bytes += part.value.byteLength;
      if (performance.now() - reportedAt < PROGRESS_INTERVAL_MS) continue;
      reportedAt = performance.now();
      onProgress(bytes);
    }
  } catch (cause) {
    throw new ApiError(
      { status: 0, code: 'unreachable', detail: 'The connection was lost. Try again.' },
      { cause },
    );
  }
  return { parts, bytes };
}

function save(blob: Blob, name: string): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  URL.revokeObjectURL(address);
}

export type Download = {
  /** Path below the API root. */
  path: string;
  query?: Record<string, QueryValue>;
  /** Name of the saved file. */
  name: string;
};

/**
 * Downloads a path as a file and returns its size in bytes.
 * A plain link cannot send the session's token. Therefore the page reads the whole response and
 * then saves it. `onProgress` receives the number of bytes read.
 */
export async function download(
  { path, query = {}, name }: Download,
  onProgress: (bytes: number) => void = () => undefined,
): Promise<number> {
  const { parts, bytes, type } = await api('GET', path, {
    query,
    read: async (response) => ({
      ...(await partsOf(response, onProgress)),
      type: response.headers.get('content-type') ?? '',
    }),
  });
  save(new Blob(parts, { type }), name);
  return bytes;
}
