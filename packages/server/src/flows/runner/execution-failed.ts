/** Reason for a failed execution, in a sentence for people. */
export class ExecutionFailed extends Error {
  readonly sentence: string;

  constructor(sentence: string) {
    super(sentence);
    this.name = 'ExecutionFailed';
    this.sentence = sentence;
  }
}
