import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { ModelUnavailable } from './embed/model-unavailable.ts';

/**
 * An embedding model in a folder that the operator provides, with the file layout of
 * sentence-transformers.
 */
export interface ModelFolder {
  readonly folder: string;
  /** Path of the ONNX file. */
  readonly model: string;
  readonly pooling: 'mean' | 'cls';
  /** Prefix added to every text before it is embedded, such as `query: `. */
  readonly prefix: string;
  /** Maximum tokens of a text. Further tokens are ignored. */
  readonly maxTokens: number;
  /** Length of the vectors according to the configuration; null if it is not stated there. */
  readonly dimensions: number | null;
  /** Hash of the files and settings on which the vectors depend. */
  readonly fingerprint: string;
}

/** Possible names of the ONNX file, in order of preference. */
const MODEL_FILES = ['model.onnx', 'model_quantized.onnx', 'model_int8.onnx', 'model_uint8.onnx'].flatMap(
  (name) => [name, `onnx/${name}`],
);
/** Maximum tokens of a text if the model's configuration states none. */
const DEFAULT_MAX_TOKENS = 256;
/** Maximum tokens of a text for any model. Longer texts would take seconds. */
const MAX_TOKENS = 512;
const POOLING = '1_Pooling/config.json';
const PROMPTS = 'config_sentence_transformers.json';

/**
 * Reads the files that describe a model: configuration, pooling and prompts. Checks the names of
 * the ONNX file and the tokenizer.
 *
 * @throws {ModelUnavailable} if the folder contains no usable model
 */
export async function readModelFolder(folder: string): Promise<ModelFolder> {
  await expectFolder(folder);
  const model = await findModel(folder);
  const config = await readJson(folder, 'config.json');
  const pooling = await readPooling(folder);
  const prompts = await readJson(folder, PROMPTS);
  const limits = await readJson(folder, 'sentence_bert_config.json');
  await expectNoDense(folder);
  const longest = numberIn(limits, 'max_seq_length') ?? DEFAULT_MAX_TOKENS;
  const positions = numberIn(config, 'max_position_embeddings') ?? MAX_TOKENS;
  const settings = {
    pooling: pooling.mode,
    prefix: prefixOf(prompts),
    maxTokens: Math.min(longest, positions, MAX_TOKENS),
  };
  return {
    folder,
    model,
    ...settings,
    dimensions: pooling.dimensions ?? numberIn(config, 'hidden_size'),
    fingerprint: await fingerprintOf(
      [model, `${model}_data`, `${model}.data`, join(folder, 'tokenizer.json')],
      JSON.stringify(settings),
    ),
  };
}

/**
 * The fingerprint computed last. `filesAndSettings` identifies the state of its files and settings.
 */
let lastFingerprint: { filesAndSettings: string; fingerprint: string } | null = null;

/**
 * Returns a hash of the files and settings. Reads the files only if they or the settings have
 * changed.
 */
async function fingerprintOf(files: readonly string[], settings: string): Promise<string> {
  const existing: string[] = [];
  let filesAndSettings = settings;
  for (const file of files) {
    const found = await stat(file, { bigint: true }).catch(() => null);
    if (found?.isFile() !== true) continue;
    existing.push(file);
    filesAndSettings += ` ${file} ${found.ino} ${found.size} ${found.mtimeNs} ${found.ctimeNs}`;
  }
  if (lastFingerprint?.filesAndSettings === filesAndSettings) return lastFingerprint.fingerprint;
  const hash = createHash('sha256').update(settings);
  for (const file of existing) for await (const chunk of createReadStream(file)) hash.update(chunk);
  const fingerprint = `custom:${hash.digest('hex').slice(0, 16)}`;
  lastFingerprint = { filesAndSettings, fingerprint };
  return fingerprint;
}

async function expectFolder(folder: string): Promise<void> {
  let isFolder = false;
  try {
    isFolder = (await stat(folder)).isDirectory();
  } catch (cause) {
    throw unusableFolderError(
      folder,
      'cannot be read. Name a folder that exists and that Winnow may read.',
      cause,
    );
  }
  if (!isFolder) throw unusableFolderError(folder, 'is a file. Name the folder with the model.');
  if (await isFile(join(folder, 'tokenizer.json'))) return;
  throw unusableFolderError(folder, 'has no tokenizer.json. Copy the file from the model.');
}

async function findModel(folder: string): Promise<string> {
  for (const name of MODEL_FILES) {
    const file = join(folder, name);
    if (await isFile(file)) return file;
  }
  throw unusableFolderError(folder, `has no ONNX model. Put it there as one of: ${MODEL_FILES.join(', ')}.`);
}

async function readPooling(
  folder: string,
): Promise<{ mode: ModelFolder['pooling']; dimensions: number | null }> {
  const config = await readJson(folder, POOLING);
  const dimensions = numberIn(config, 'word_embedding_dimension');
  const modes = Object.entries(config ?? {}).filter(
    ([key, value]) => key.startsWith('pooling_mode_') && value === true,
  );
  const named = modes.map(([key]) => key).join(', ');
  if (config === null || named === 'pooling_mode_mean_tokens') return { mode: 'mean', dimensions };
  if (named === 'pooling_mode_cls_token') return { mode: 'cls', dimensions };
  if (named === '') {
    throw unusableFolderError(
      folder,
      `has a file ${POOLING} that names no pooling. Set pooling_mode_mean_tokens or pooling_mode_cls_token to true in it.`,
    );
  }
  throw unusableFolderError(
    folder,
    `pools by ${named}. Only the mean of all tokens or the first token is supported.`,
  );
}

async function expectNoDense(folder: string): Promise<void> {
  const modules = await readJson(folder, 'modules.json');
  const types = Object.values(modules ?? {}).map((module) => textIn(module, 'type') ?? '');
  const unknown = types.find((type) => !/\.(?:Transformer|Pooling|Normalize)$/.test(type));
  if (unknown !== undefined)
    throw unusableFolderError(folder, `has a module ${unknown}, which is not supported.`);
}

/**
 * Returns the prefix for all texts. Issues and queries get the same prefix, because they are
 * compared with each other.
 */
function prefixOf(config: object | null): string {
  const prompts = valueIn(config, 'prompts');
  const name = textIn(config, 'default_prompt_name') ?? 'query';
  return textIn(prompts, name) ?? '';
}

async function isFile(file: string): Promise<boolean> {
  return stat(file).then(
    (found) => found.isFile(),
    () => false,
  );
}

/** Parses a JSON file that contains an object. Returns null if the file does not exist. */
async function readJson(folder: string, name: string): Promise<object | null> {
  const file = join(folder, name);
  if (!(await isFile(file))) return null;
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    if (typeof value === 'object') return value;
  } catch (cause) {
    throw unusableFolderError(folder, `has a file ${name} that is not valid JSON or cannot be read.`, cause);
  }
  throw unusableFolderError(folder, `has a file ${name} without an object.`);
}

function valueIn(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}

function textIn(value: unknown, key: string): string | null {
  const found = valueIn(value, key);
  return typeof found === 'string' ? found : null;
}

function numberIn(value: unknown, key: string): number | null {
  const found = valueIn(value, key);
  return typeof found === 'number' && Number.isInteger(found) && found > 0 ? found : null;
}

/** Returns the error for a folder that has no usable model. */
export function unusableFolderError(folder: string, problem: string, cause?: unknown): ModelUnavailable {
  const notice = `The folder of the embedding model ${problem}`;
  return new ModelUnavailable(`The embedding model folder ${folder} ${problem}`, { cause, notice });
}
