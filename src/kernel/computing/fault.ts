// A fault in a rule or a template: an exception with a message for its author. It passes through a library, and the
// kernel catches it. Messages of libraries and of the runtime change between versions, so authors never see those.

const FAULT = "Fault";

/** The codes of faults. Code and tests compare codes and never messages, because the wording of messages may change. */
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
  | "filter_input_missing"
  | "output_missing"
  | "secret_misused"
  | "template_invalid"
  | "template_too_big"
  | "variable_undefined"
  // Faults of one part of a message template, such as the subject.
  | "line_break"
  // Faults of a calendar expression or a delay.
  | "beyond_calendar"
  | "delay_unknown"
  | "time_zone_unknown"
  // Faults of the list in a journey's repeated node.
  | "list_too_large"
  | "list_too_long"
  | "not_a_list"
  // Faults of a pattern.
  | "pattern_invalid"
  | "pattern_lookaround"
  | "pattern_backreference"
  | "pattern_too_large"
  | "pattern_word_edge"
  // Faults of a budget: of one rule or template, or of the whole step.
  | "memory_exceeded"
  | "output_exceeded"
  | "steps_exceeded"
  | "work_exceeded";

export type Failure = { readonly code: FaultCode; readonly message: string };

export function fault(code: FaultCode, sentence: string): Error {
  return Object.assign(new Error(sentence), { name: FAULT, code });
}

/** The failure inside a thrown fault. Returns `otherwise` for every exception that is not a fault. */
export function failureOf(thrown: unknown, otherwise: Failure): Failure {
  return isFault(thrown) ? thrown : otherwise;
}

/** The message of a thrown fault. Returns `otherwise` for every exception that is not a fault. */
export function sentenceOf(thrown: unknown, otherwise: string): string {
  return isFault(thrown) ? thrown.message : otherwise;
}

function isFault(thrown: unknown): thrown is Error & Failure {
  return thrown instanceof Error && thrown.name === FAULT;
}

export type Budget = { readonly use: (cost: number) => void };

/**
 * Opens a budget of `max` units. It counts work and not time, so the same work exhausts it at the same point on every
 * machine.
 */
export function budgetOf(max: number, code: FaultCode, sentence: string): Budget {
  let left = max;
  return {
    use: (cost) => {
      if (cost > 0) left -= cost; // A cost of NaN would turn the remaining budget into NaN. The comparison is false for NaN, so such a cost is ignored.
      if (left < 0) throw fault(code, sentence);
    },
  };
}
