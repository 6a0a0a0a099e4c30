import { z } from 'zod';

/**
 * A zod schema in the form that the SDK reads. Its JSON schema is computed once. It is shortened,
 * because agents pay for every token.
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

/**
 * Converts a zod schema to a {@link ToolSchema}.
 * @param io which JSON schema to publish: `input` for arguments, `output` for results
 */
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
 * Maximum lengths up to this number of characters are not published. They limit names, cursors and
 * reasons. Agents rarely reach them, and the error then states them.
 */
const MAX_UNPUBLISHED_LENGTH = 1_000;

function shortJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...short } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Patterns are only for our own validation, whose errors explain the required form. A minimum
      // length of 1 and the bounds of a safe integer tell an agent nothing.
      delete jsonSchema.pattern;
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (Number(jsonSchema.maxLength) <= MAX_UNPUBLISHED_LENGTH) delete jsonSchema.maxLength;
      if (jsonSchema.allOf?.every((part) => part.pattern !== undefined)) delete jsonSchema.allOf;
      // These minimums are obvious: a page has at least one item, and an offset is not negative.
      if (jsonSchema.minimum === 0 || jsonSchema.minimum === 1) delete jsonSchema.minimum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Field names already tell whether a value is an id, a time or a share.
      delete jsonSchema.format;
      // Later versions may add fields to results. Agents see which fields a result has.
      if (io === 'output') {
        delete jsonSchema.required;
        delete jsonSchema.additionalProperties;
        delete jsonSchema.minimum;
        delete jsonSchema.maximum;
        // The type is redundant, because all values of an enum are strings.
        if (jsonSchema.enum) delete jsonSchema.type;
      }
      if (jsonSchema.properties && Object.keys(jsonSchema.properties).length === 0)
        delete jsonSchema.properties;
    },
  });
  return short;
}
