import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { AI_PROVIDERS, type AiProvider, aiModelCreate } from '@winnow/contract/ai-model';
import { z } from 'zod';

/** A language model that the operator offers to all accounts. */
export interface OfferedModel {
  readonly name: string;
  readonly provider: AiProvider;
  readonly identifier: string;
  readonly apiUrl: string;
  /** Empty if the provider requires no API key. */
  readonly apiKey: string;
}

const entry = z.strictObject({
  name: z.string(),
  provider: z.string(),
  model: z.string(),
  api_key: z.string().optional(),
  api_url: z.string().optional(),
});
/** Names of contract fields as they are called in AI_MODELS, for error messages. */
const CONFIG_FIELD_NAMES: Record<string, string> = { provider_name: 'provider', model_identifier: 'model' };
const AI_MODELS_FORMAT =
  'a JSON list such as [{"name": "…", "provider": "anthropic", "model": "…", "api_key": "…"}], or the path of a file with one';

/**
 * Parses a JSON list of models, or reads it from the file at this path. Error messages quote only
 * model names, because other values may be API keys.
 */
export function parseAiModels(text: string, workingDirectory: string): OfferedModel[] {
  const list = text.startsWith('[') ? text : readList(resolve(workingDirectory, text));
  const parsed = z.array(z.unknown()).safeParse(parseJson(list));
  if (!parsed.success) throw new Error(`AI_MODELS is not a list. Set it to ${AI_MODELS_FORMAT}.`);
  const faults: string[] = [];
  const models = parsed.data.flatMap((one, index) => {
    const read = readEntry(one);
    if ('model' in read) return [read.model];
    faults.push(`AI_MODELS, model ${index + 1}: ${read.faults.join(' ')}`);
    return [];
  });
  const names = models.map(({ name }) => name.toLowerCase());
  const twice = models.find(({ name }, index) => names.indexOf(name.toLowerCase()) < index);
  if (twice !== undefined) faults.push(`AI_MODELS has two models named ${twice.name}. Rename one.`);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return models;
}

function readList(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new Error(`AI_MODELS names a file that cannot be read. Set it to ${AI_MODELS_FORMAT}.`);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The message of `JSON.parse` would quote part of the text, which may be an API key.
    throw new Error(`AI_MODELS is not valid JSON. Set it to ${AI_MODELS_FORMAT}.`);
  }
}

function readEntry(value: unknown): { model: OfferedModel } | { faults: string[] } {
  const shape = entry.safeParse(value);
  if (!shape.success) return { faults: sentencesOf(shape.error) };
  const { name, provider, model, api_key = '', api_url } = shape.data;
  const usual = Object.entries(AI_PROVIDERS).find(([id]) => id === provider)?.[1].apiUrl;
  const checked = aiModelCreate.safeParse({
    name,
    provider_name: provider,
    model_identifier: model,
    api_url: api_url ?? usual ?? '',
    api_key,
  });
  if (!checked.success) return { faults: sentencesOf(checked.error) };
  const { data } = checked;
  return {
    model: {
      name: data.name,
      provider: data.provider_name,
      identifier: data.model_identifier,
      apiUrl: data.api_url.replace(/\/+$/, ''),
      apiKey: data.api_key,
    },
  };
}

function sentencesOf(error: z.ZodError): string[] {
  return error.issues.map(({ path, message }) => {
    const field = String(path[0] ?? '');
    return field === '' ? `${message}.` : `${CONFIG_FIELD_NAMES[field] ?? field}: ${message}`;
  });
}
