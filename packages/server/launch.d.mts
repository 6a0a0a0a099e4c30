export declare const launch: {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string>>;
};
