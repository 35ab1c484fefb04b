// A fault in a rule or a template: an exception with a message for the author, which passes through a library and is
// caught by the kernel. Messages of libraries and of the runtime differ between versions, so authors never see them.

const FAULT = "Fault";

/** The codes of faults. Code and tests compare these codes and never the messages, whose wording may change. */
export type FaultCode =
  // Faults of a rule.
  | "condition_invalid"
  | "not_a_date"
  | "not_a_duration"
  | "not_a_number"
  | "not_finite"
  | "operand_invalid"
  | "operator_unknown"
  | "path_invalid"
  | "too_deep"
  // Faults of a template.
  | "clock_not_read"
  | "field_expected"
  | "no_order"
  | "not_a_text"
  | "not_rendered"
  | "nothing_compared"
  | "nothing_given"
  | "nothing_put_out"
  | "secret_misused"
  | "template_invalid"
  | "template_too_big"
  | "variable_undefined"
  // Faults of one part of a message, such as its subject.
  | "line_break"
  // Faults of a calendar expression or a delay.
  | "beyond_calendar"
  | "delay_unknown"
  | "time_zone_unknown"
  // Faults of the list whose items a journey node runs its action for.
  | "list_too_large"
  | "list_too_long"
  | "not_a_list"
  // Faults of a pattern.
  | "pattern_invalid"
  | "pattern_looks_around"
  | "pattern_refers_back"
  | "pattern_too_large"
  | "pattern_word_edge"
  // Faults of a budget, either of one part or of the whole step.
  | "memory_exceeded"
  | "output_exceeded"
  | "steps_exceeded"
  | "work_exceeded";

export type Failure = { readonly code: FaultCode; readonly message: string };

export function fault(code: FaultCode, sentence: string): Error {
  return Object.assign(new Error(sentence), { name: FAULT, code });
}

/** The failure that the thrown fault contains. For any exception that is not a fault, returns `otherwise`. */
export function failureOf(thrown: unknown, otherwise: Failure): Failure {
  return isFault(thrown) ? thrown : otherwise;
}

/** The message of the thrown fault. For any exception that is not a fault, returns `otherwise`. */
export function sentenceOf(thrown: unknown, otherwise: string): string {
  return isFault(thrown) ? thrown.message : otherwise;
}

function isFault(thrown: unknown): thrown is Error & Failure {
  return thrown instanceof Error && thrown.name === FAULT;
}

export type Budget = { readonly use: (cost: number) => void };

/**
 * Opens a budget of `max` units. Work with the same arguments exhausts the budget at the same point on every machine.
 */
export function budgetOf(max: number, code: FaultCode, sentence: string): Budget {
  let left = max;
  return {
    use: (cost) => {
      if (cost > 0) left -= cost; // A cost of NaN is ignored, because subtracting it would turn the remaining budget into NaN.
      if (left < 0) throw fault(code, sentence);
    },
  };
}
