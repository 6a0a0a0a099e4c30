import { parentPort, workerData } from 'node:worker_threads';
import type { ModelFolder } from '../model-folder.ts';
import { FolderSession } from './folder-session.ts';
import { ModelUnavailable } from './model-unavailable.ts';
import { MiniLmSession } from './session.ts';

/** Start data of the thread: MiniLM, or the model from the operator's folder. */
export type ThreadData =
  | {
      readonly type: 'minilm';
      /** URL of the folder with the model's files; it ends with a slash. */
      readonly folder: string;
      readonly maxTokens: number;
    }
  | { readonly type: 'folder'; readonly model: ModelFolder };

interface Session {
  embed(text: string): Promise<Float32Array>;
  close(): Promise<void>;
}

/** Messages to the thread: embed texts, or unload the model and end. */
export type ToThread =
  | { readonly type: 'embed'; readonly id: number; readonly texts: readonly string[] }
  | { readonly type: 'close' };

/**
 * Messages from the thread. `vectors` contains the vectors of all texts of a request, concatenated.
 */
export type FromThread =
  | { readonly type: 'ready'; readonly dimensions: number }
  | {
      readonly type: 'unavailable';
      readonly message: string;
      readonly notice: string;
      readonly reason: string;
    }
  | { readonly type: 'embedded'; readonly id: number; readonly vectors: Float32Array<ArrayBuffer> }
  | { readonly type: 'failed'; readonly id: number; readonly reason: string };

interface Order {
  readonly id: number;
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
}

const port = parentPort;
if (port !== null) {
  const data: ThreadData = workerData;
  try {
    const session = await open(data);
    const { length: dimensions } = await session.embed('');
    serve(session, port);
    answer({ type: 'ready', dimensions });
  } catch (error) {
    if (!(error instanceof ModelUnavailable)) throw error;
    const { message, notice, cause } = error;
    answer({ type: 'unavailable', message, notice, reason: describe(cause) });
  }
}

function open(data: ThreadData): Promise<Session> {
  if (data.type === 'folder') return FolderSession.open(data.model);
  const { maxTokens } = data;
  return MiniLmSession.open({ folder: new URL(data.folder), maxTokens, precision: 'int8' });
}

/**
 * Embeds one text of each pending request in turn, so that a short request does not wait for a long
 * one.
 */
function serve(session: Session, from: NonNullable<typeof parentPort>): void {
  const orders: Order[] = [];
  let working = false;

  const work = async (): Promise<void> => {
    working = true;
    for (let order = orders.shift(); order !== undefined; order = orders.shift()) {
      try {
        const text = order.texts[order.vectors.length];
        if (text !== undefined) order.vectors.push(await session.embed(text));
        if (order.vectors.length < order.texts.length) orders.push(order);
        else finish(order);
      } catch (error) {
        answer({ type: 'failed', id: order.id, reason: describe(error) });
      }
    }
    working = false;
  };

  from.on('message', async (message: ToThread) => {
    if (message.type === 'close') {
      orders.length = 0;
      from.close();
      await session.close();
      return;
    }
    orders.push({ id: message.id, texts: message.texts, vectors: [] });
    if (!working) await work();
  });
}

function finish(order: Order): void {
  const width = order.vectors[0]?.length ?? 0;
  const vectors = new Float32Array(order.vectors.length * width);
  for (const [index, vector] of order.vectors.entries()) vectors.set(vector, index * width);
  answer({ type: 'embedded', id: order.id, vectors });
}

function answer(message: FromThread): void {
  parentPort?.postMessage(message, message.type === 'embedded' ? [message.vectors.buffer] : []);
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
