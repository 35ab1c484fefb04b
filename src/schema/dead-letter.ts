// A dead letter's id on the wire: it names the run and the execution it belongs to, so nobody has to look it up.

export type DeadLetterName = { readonly execution: string; readonly run: string };

export function deadLetterId(execution: string, run: string): string {
  return `dl_${execution.replace(/^exe_/, "")}.${run}`;
}

/** Null for a text that cannot be one. */
export function parseDeadLetterId(id: string): DeadLetterName | null {
  const [, execution, run] = /^dl_(.+)\.(\d+\.\d+)$/.exec(id) ?? [];
  return execution === undefined || run === undefined ? null : { execution: `exe_${execution}`, run };
}
