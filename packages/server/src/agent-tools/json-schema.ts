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

/**
 * Limits up to this length, in characters, are not published. They bound names, cursors and
 * reasons: agents rarely reach them, and the error states them.
 */
const MAX_UNPUBLISHED_LENGTH = 1_000;

function shortJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...short } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Patterns only serve our own validation, which explains errors in words. Neither a minimum
      // length of 1 nor the bounds of a safe integer carry information.
      delete jsonSchema.pattern;
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (Number(jsonSchema.maxLength) <= MAX_UNPUBLISHED_LENGTH) delete jsonSchema.maxLength;
      if (jsonSchema.allOf?.every((part) => part.pattern !== undefined)) delete jsonSchema.allOf;
      // A page has at least one item, and an offset or revision is not negative.
      if (jsonSchema.minimum === 0 || jsonSchema.minimum === 1) delete jsonSchema.minimum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Names say what is an id, a time or a share.
      delete jsonSchema.format;
      // Results may gain fields later. Agents see which fields a result has.
      if (io === 'output') {
        delete jsonSchema.required;
        delete jsonSchema.additionalProperties;
        delete jsonSchema.minimum;
        delete jsonSchema.maximum;
        // Redundant: the values are strings.
        if (jsonSchema.enum) delete jsonSchema.type;
      }
      if (jsonSchema.properties && Object.keys(jsonSchema.properties).length === 0)
        delete jsonSchema.properties;
    },
  });
  return short;
}
