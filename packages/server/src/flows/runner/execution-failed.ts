/** Ends an execution as failed. `sentence` tells users the reason. */
export class ExecutionFailed extends Error {
  readonly sentence: string;

  constructor(sentence: string) {
    super(sentence);
    this.name = 'ExecutionFailed';
    this.sentence = sentence;
  }
}
