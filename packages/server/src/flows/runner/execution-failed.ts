/** Why an execution ends as failed, in a sentence for a person. */
export class ExecutionFailed extends Error {
  readonly sentence: string;

  constructor(sentence: string) {
    super(sentence);
    this.name = 'ExecutionFailed';
    this.sentence = sentence;
  }
}
