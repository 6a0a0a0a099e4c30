import { z } from 'zod';

/**
 * A zod schema in the form that the protocol library reads. Its JSON schema is computed once, and
 * shortened, because agents pay for each token.
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
 * @param io selects the JSON schema to publish: `input` for arguments, `output` for results
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
 * Maximum lengths are published only above this number of characters. Shorter maximums limit names,
 * cursors and reasons. Agents rarely exceed these, and the error then states the limit.
 */
const MAX_UNPUBLISHED_LENGTH = 1_000;

function shortJsonSchema(schema: z.ZodObject, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...short } = z.toJSONSchema(schema, {
    io,
    override: ({ jsonSchema }) => {
      // Omitted: patterns serve only our own validation, whose errors explain the required form. A
      // minimum length of 1 and the bounds of safe integers do not help agents either.
      delete jsonSchema.pattern;
      if (jsonSchema.minLength === 1) delete jsonSchema.minLength;
      if (Number(jsonSchema.maxLength) <= MAX_UNPUBLISHED_LENGTH) delete jsonSchema.maxLength;
      if (jsonSchema.allOf?.every((part) => part.pattern !== undefined)) delete jsonSchema.allOf;
      // Omitted: these minimums are obvious. A page has at least one item, and an offset is not
      // negative.
      if (jsonSchema.minimum === 0 || jsonSchema.minimum === 1) delete jsonSchema.minimum;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Omitted: field names already tell whether a value is an id, a time or a share.
      delete jsonSchema.format;
      // Results may get more fields in later versions, so the schema must not forbid them. Agents
      // see from a result which fields it has.
      if (io === 'output') {
        delete jsonSchema.required;
        delete jsonSchema.additionalProperties;
        delete jsonSchema.minimum;
        delete jsonSchema.maximum;
        // Omitted: all values of an enum are strings.
        if (jsonSchema.enum) delete jsonSchema.type;
      }
      if (jsonSchema.properties && Object.keys(jsonSchema.properties).length === 0)
        delete jsonSchema.properties;
    },
  });
  return short;
}
