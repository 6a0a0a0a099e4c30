import { z } from 'zod';

export type JsonSchema = z.core.JSONSchema.BaseSchema;
/** Direction of a schema: `input` is sent by callers, `output` is contained in responses. */
export type Side = 'input' | 'output';

const COMPONENTS = '#/components/schemas/';
/**
 * Prefix for generated names of schemas that the contract does not export. The document contains
 * such schemas inline, not as components.
 */
const ANONYMOUS_PREFIX = '~';

/**
 * Converts zod schemas to JSON Schema. Named schemas become components, which other schemas refer
 * to. If the input form of a component differs from its output form, for example by default values,
 * the input form is called `NameInput`.
 */
export class JsonSchemas {
  readonly #names: Record<Side, ReadonlyMap<z.ZodType, string>>;
  readonly #schemas: Record<Side, Readonly<Record<string, JsonSchema>>>;
  readonly #used: Record<Side, ReadonlySet<string>>;
  /**
   * Names of components whose input and output forms differ, directly or in a schema that they
   * refer to.
   */
  readonly #twofold: ReadonlySet<string>;

  /** `roots` are the top-level schemas: of all bodies, parameters and responses. */
  constructor(named: ReadonlyMap<z.ZodType, string>, roots: Record<Side, Iterable<z.ZodType>>) {
    this.#names = { input: withRoots(named, roots.input), output: withRoots(named, roots.output) };
    this.#schemas = {
      input: convert(this.#names.input, 'input'),
      output: convert(this.#names.output, 'output'),
    };
    this.#used = { input: this.#reach(roots.input, 'input'), output: this.#reach(roots.output, 'output') };
    this.#twofold = differing(this.#schemas);
  }

  /**
   * Returns the JSON Schema of one of the root schemas.
   *
   * @throws {Error} for any other schema
   */
  of(root: z.ZodType, side: Side): JsonSchema {
    const name = this.#names[side].get(root);
    if (name === undefined) throw new Error('This schema is not a root of the API description.');
    return name.startsWith(ANONYMOUS_PREFIX)
      ? this.#resolved(this.#schemas[side][name] ?? {}, side)
      : { $ref: reference(this.#published(name, side)) };
  }

  /** Returns every component that a root schema refers to, directly or indirectly. */
  components(): Record<string, JsonSchema> {
    const entries = (['output', 'input'] as const).flatMap((side) =>
      [...this.#used[side]]
        .filter((name) => !name.startsWith(ANONYMOUS_PREFIX))
        .map(
          (name) =>
            [this.#published(name, side), this.#resolved(this.#schemas[side][name] ?? {}, side)] as const,
        ),
    );
    return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  #reach(roots: Iterable<z.ZodType>, side: Side): ReadonlySet<string> {
    const reached = new Set<string>();
    const waiting = [...roots].map((root) => this.#names[side].get(root) ?? '');
    for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
      if (reached.has(name)) continue;
      reached.add(name);
      waiting.push(...referencesIn(this.#schemas[side][name] ?? {}));
    }
    return reached;
  }

  #published(name: string, side: Side): string {
    const needsTwo = this.#used.output.has(name) && this.#twofold.has(name);
    return side === 'input' && needsTwo ? `${name}Input` : name;
  }

  #resolved(schema: JsonSchema, side: Side): JsonSchema {
    return mapReferences(schema, (name) => ({ $ref: reference(this.#published(name, side)) }));
  }
}

function withRoots(
  named: ReadonlyMap<z.ZodType, string>,
  roots: Iterable<z.ZodType>,
): ReadonlyMap<z.ZodType, string> {
  const names = new Map(named);
  for (const root of roots) {
    if (!names.has(root)) names.set(root, `${ANONYMOUS_PREFIX}${names.size}`);
  }
  return names;
}

function convert(names: ReadonlyMap<z.ZodType, string>, io: Side): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    metadata: registry,
    unrepresentable: 'any',
    uri: reference,
    override: ({ zodSchema, jsonSchema }) => simplify(zodSchema, jsonSchema),
  });
  for (const schema of Object.values(schemas)) {
    delete schema.$schema;
    delete schema.$id;
  }
  const inline = (schema: JsonSchema): JsonSchema =>
    mapReferences(schema, (name) =>
      name.startsWith(ANONYMOUS_PREFIX) ? inline(schemas[name] ?? {}) : { $ref: reference(name) },
    );
  return Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, inline(schema)]));
}

/**
 * Removes details that callers do not need: patterns of known formats and the range of safe
 * integers. Allows additional fields in responses, since later versions may add some.
 */
function simplify({ _zod: { def } }: z.core.$ZodTypes, schema: JsonSchema): void {
  if (schema.format !== undefined) delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (def.type === 'object' && def.catchall === undefined) delete schema.additionalProperties;
}

function differing({
  input,
  output,
}: Record<Side, Readonly<Record<string, JsonSchema>>>): ReadonlySet<string> {
  const names = Object.keys(input).filter((name) => name in output && !name.startsWith(ANONYMOUS_PREFIX));
  const found = new Set(names.filter((name) => JSON.stringify(input[name]) !== JSON.stringify(output[name])));
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const name of names) {
      if ([...referencesIn(input[name] ?? {})].some((other) => found.has(other))) found.add(name);
    }
  }
  return found;
}

function reference(name: string): string {
  return `${COMPONENTS}${name}`;
}

function referencesIn(schema: JsonSchema): Set<string> {
  const found = new Set<string>();
  mapReferences(schema, (name) => {
    found.add(name);
    return {};
  });
  return found;
}

/**
 * Copies a schema. Replaces each reference by the result of `map` for the name of the component.
 */
function mapReferences(schema: JsonSchema, map: (name: string) => JsonSchema): JsonSchema {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref, ...rest } = value as JsonSchema;
    const fields = Object.fromEntries(Object.entries(rest).map(([key, field]) => [key, copy(field)]));
    return typeof $ref === 'string' ? { ...map($ref.slice(COMPONENTS.length)), ...fields } : fields;
  };
  return copy(schema) as JsonSchema;
}
