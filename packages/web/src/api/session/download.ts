import { ApiError } from './api-error.ts';
import { api } from './session.ts';

/** How often the progress is told. */
const TOLD_APART_MS = 250;

/** What came, in parts as they came. A connection that breaks off on the way is an `ApiError`. */
async function partsOf(response: Response, onProgress: (bytes: number) => void) {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  let toldAt = performance.now();
  const reader = response.body?.getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      parts.push(part.value);
      bytes += part.value.byteLength;
      if (performance.now() - toldAt < TOLD_APART_MS) continue;
      toldAt = performance.now();
      onProgress(bytes);
    }
  } catch (cause) {
    throw new ApiError(
      { status: 0, code: 'unreachable', detail: 'The connection broke off. Try again.' },
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
  /** Below the API. */
  path: string;
  query?: Record<string, string | undefined>;
  /** What the file is called. */
  name: string;
};

/**
 * Saves what a path answers as a file, and says how many bytes that is. The call carries the session's token, which no plain
 * link could, so the page takes the answer and hands it to the browser when it is whole. `onProgress` hears how many bytes
 * have come.
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
