// A sentence for the author of a rule or a template, thrown through a library that knows only exceptions and caught
// at our own door. What a library or the runtime throws by itself differs between versions, and is not repeated.

const FAULT = "Fault";

/** The code of a fault. Its sentence may be reworded, so no code and no test depends on that. */
export type FaultCode =
  // Of a rule.
  | "condition_invalid"
  | "not_a_date"
  | "not_a_duration"
  | "not_a_number"
  | "not_finite"
  | "operand_invalid"
  | "operator_unknown"
  | "path_invalid"
  | "too_deep"
  // Of a template.
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
  // Of a part of a message.
  | "line_break"
  // Of an expression of the calendar, or a delay.
  | "beyond_calendar"
  | "delay_unknown"
  | "time_zone_unknown"
  // Of a list that a journey repeats a node for.
  | "list_too_large"
  | "list_too_long"
  | "not_a_list"
  // Of a pattern.
  | "pattern_invalid"
  | "pattern_looks_around"
  | "pattern_refers_back"
  | "pattern_too_large"
  | "pattern_word_edge"
  // Of what one part, or the whole step, may cost.
  | "memory_exceeded"
  | "output_exceeded"
  | "steps_exceeded"
  | "work_exceeded";

export type Failure = { readonly code: FaultCode; readonly message: string };

export function fault(code: FaultCode, sentence: string): Error {
  return Object.assign(new Error(sentence), { name: FAULT, code });
}

/** What a fault says; for anything else thrown, what is given. */
export function failureOf(thrown: unknown, otherwise: Failure): Failure {
  return isFault(thrown) ? thrown : otherwise;
}

/** The sentence of a fault; for anything else thrown, the one given. */
export function sentenceOf(thrown: unknown, otherwise: string): string {
  return isFault(thrown) ? thrown.message : otherwise;
}

function isFault(thrown: unknown): thrown is Error & Failure {
  return thrown instanceof Error && thrown.name === FAULT;
}

export type Budget = { readonly use: (cost: number) => void };

/** Something that runs out: the same arguments use it up at the same place, whatever the machine's speed. */
export function budgetOf(max: number, code: FaultCode, sentence: string): Budget {
  let left = max;
  return {
    use: (cost) => {
      if (cost > 0) left -= cost; // not a number costs nothing, and must not make the rest one either
      if (left < 0) throw fault(code, sentence);
    },
  };
}
