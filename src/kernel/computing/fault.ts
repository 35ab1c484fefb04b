// A fault in a rule or a template: an exception for the author, thrown through a library and caught by the kernel.
// Messages of libraries and of the runtime differ between versions, so they are not shown.

const FAULT = "Fault";

/** The code of a fault. Code and tests check it instead of the message, whose wording may change. */
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
  // Faults of a part of a message.
  | "line_break"
  // Faults of a calendar expression or a delay.
  | "beyond_calendar"
  | "delay_unknown"
  | "time_zone_unknown"
  // Faults of the list that a journey node repeats over.
  | "list_too_large"
  | "list_too_long"
  | "not_a_list"
  // Faults of a pattern.
  | "pattern_invalid"
  | "pattern_looks_around"
  | "pattern_refers_back"
  | "pattern_too_large"
  | "pattern_word_edge"
  // Faults of a budget: of one part, or of the whole step.
  | "memory_exceeded"
  | "output_exceeded"
  | "steps_exceeded"
  | "work_exceeded";

export type Failure = { readonly code: FaultCode; readonly message: string };

export function fault(code: FaultCode, sentence: string): Error {
  return Object.assign(new Error(sentence), { name: FAULT, code });
}

/** The failure that a fault contains; for any other exception, `otherwise`. */
export function failureOf(thrown: unknown, otherwise: Failure): Failure {
  return isFault(thrown) ? thrown : otherwise;
}

/** The message of a fault; for any other exception, `otherwise`. */
export function sentenceOf(thrown: unknown, otherwise: string): string {
  return isFault(thrown) ? thrown.message : otherwise;
}

function isFault(thrown: unknown): thrown is Error & Failure {
  return thrown instanceof Error && thrown.name === FAULT;
}

export type Budget = { readonly use: (cost: number) => void };

/** Opens a budget. The same arguments exhaust it at the same point, independent of the machine's speed. */
export function budgetOf(max: number, code: FaultCode, sentence: string): Budget {
  let left = max;
  return {
    use: (cost) => {
      if (cost > 0) left -= cost; // NaN costs nothing, and must not turn the rest into NaN
      if (left < 0) throw fault(code, sentence);
    },
  };
}
