// A refused request as an exception. It has the fields of the API's problem: `code` names the problem, `errors` names
// the refused fields.
import type { Problem } from "#wire/problem.ts";

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.hint === undefined ? problem.error : `${problem.error} ${problem.hint}`);
    this.name = "ProblemError";
    this.problem = problem;
  }

  get code(): Problem["code"] {
    return this.problem.code;
  }
  get status(): number {
    return this.problem.status;
  }
  get errors(): Problem["errors"] {
    return this.problem.errors;
  }
  get retryable(): boolean {
    return this.problem.retryable;
  }
  get requestId(): string {
    return this.problem.requestId;
  }
}
