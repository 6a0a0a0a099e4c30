import { z } from 'zod';

/** A zod schema in the form the SDK reads, its JSON schema made once and kept short: agents pay for each character. */
export interface ToolSchema<T extends z.ZodType> {
  '~standard': {
    version: 1;
    vendor: string;
    validate: T['~standard']['validate'];
    types: { input: z.input<T>; output: z.output<T> };
    jsonSchema: { input(): Record<string, unknown>; output(): Record<string, unknown> };
  };
}

/** @param io which side of the schema is published: `input` of what is taken, `output` of what is answered. */
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
      // Patterns are for our own check, which says in words what is wrong. The bounds of a safe integer say nothing.
      delete jsonSchema.pattern;
      if (jsonSchema.allOf?.every((part) => part.pattern !== undefined)) delete jsonSchema.allOf;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // What is answered may grow, and the end of a scale says enough of it.
      if (io === 'output') {
        delete jsonSchema.additionalProperties;
        delete jsonSchema.minimum;
      }
      if (jsonSchema.properties && Object.keys(jsonSchema.properties).length === 0)
        delete jsonSchema.properties;
    },
  });
  return short;
}
