import { z } from 'zod';

/**
 * A zod schema in the form the SDK reads. Its JSON schema is computed once and shortened, because
 * agents pay for every token.
 */
export interface ToolSchema<T extends z.ZodType> {
  '~standard': {
    version: 1;
    vendor: string;
    validate: T['~standard']['validate'];
    types: { input: z.input<T>; output: z.output<T> };
    jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> };
  };
}

/** @param io side of the schema to publish: `input` for arguments, `output` for results */
export function toolSchema<T extends z.ZodObject>(schema: T, io: 'input' | 'output'): ToolSchema<T> {
  const published = shortJsonSchema(schema, io);
  return {
    '~standard': {
      version: 1,
      vendor: 'zod',
      validate: schema['~standard'].validate,
      types: {} as { input: z.input<T>; output: z.output<T> },
      jsonSchema: { input: () => published, output: () => published },
    },
  };
}

function shortJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...short } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Patterns only serve our own validation, which explains errors in words. Neither a minimum
      // length of 1 nor the bounds of a safe integer carry information.
      delete jsonSchema.pattern;
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (jsonSchema.allOf?.every((part) => part.pattern !== undefined)) delete jsonSchema.allOf;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Results may gain fields later. Agents see which fields a result has. Names say what is an
      // id, a time or a share.
      if (io === 'output') {
        delete jsonSchema.required;
        delete jsonSchema.additionalProperties;
        delete jsonSchema.format;
        delete jsonSchema.minimum;
        delete jsonSchema.maximum;
      }
      if (jsonSchema.properties && Object.keys(jsonSchema.properties).length === 0)
        delete jsonSchema.properties;
    },
  });
  return short;
}
