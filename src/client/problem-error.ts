// A refused request as an exception. It has the fields of the API's problem: `code` names the problem, `errors` names
// the refused fields.
import type { Problem } from "#wire/problem.ts";

export class ProblemError extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super([problem.error, problem.hint ?? ""].filter(Boolean).map(sentence).join(" "));
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

/** Ends the text with a period, so that the error and its hint are two sentences. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
