import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildGraph } from '../embed/graph.ts';
import { installedModelFolder, modelFiles, readModelFile } from '../embed/model-files.ts';
import { GraphBuilder } from '../embed/onnx.ts';
import { HalfTensors } from '../embed/safetensors.ts';

const VOCABULARY = 30_522;

/** Writes MiniLM in single precision to a folder, with the layout that operators use. */
export async function layOutMiniLm(path: string, { isPooled }: { isPooled: boolean }): Promise<void> {
  await mkdir(join(path, '1_Pooling'), { recursive: true });
  await mkdir(join(path, 'onnx'));
  await copyInstalled(path, ['tokenizer.json', 'config.json']);
  const weights = await readModelFile(installedModelFolder(), modelFiles.weights);
  await writeFile(
    join(path, 'onnx/model.onnx'),
    buildGraph(new HalfTensors(weights), 'float32', { isPooled }),
  );
  const pooling = { word_embedding_dimension: 384, pooling_mode_mean_tokens: true };
  await writeFile(join(path, '1_Pooling/config.json'), JSON.stringify(pooling));
  await writeFile(join(path, 'sentence_bert_config.json'), JSON.stringify({ max_seq_length: 128 }));
}

/**
 * Writes a small model to a folder. It returns a stored vector of the given length for each token.
 */
export async function layOutWordModel(path: string, dimensions: number): Promise<void> {
  await mkdir(path, { recursive: true });
  await copyInstalled(path, ['tokenizer.json']);
  const graph = new GraphBuilder();
  const ids = graph.input({ name: 'input_ids', type: 'int64', shape: [1, 'tokens'] });
  const data = Float32Array.from({ length: VOCABULARY * dimensions }, (_, at) => Math.sin(at * at));
  const table = graph.constant('table', { type: 'float32', shape: [VOCABULARY, dimensions], data });
  graph.node('Gather', [table, ids], {}, ['last_hidden_state']);
  graph.output({ name: 'last_hidden_state', type: 'float32', shape: [1, 'tokens', dimensions] });
  await writeFile(join(path, 'model.onnx'), graph.toBytes());
}

async function copyInstalled(path: string, files: readonly string[]): Promise<void> {
  const installed = fileURLToPath(installedModelFolder());
  for (const file of files) await cp(join(installed, file), join(path, file));
}
