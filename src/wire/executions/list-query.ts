// List query: the filters of the list of executions, and the page that it returns.
import { z } from "zod";
import { triggerIdText } from "#schema/ids.ts";
import { REFERENCE_CHARS_MAX } from "#schema/limits/api-requests.ts";
import { SEARCH_TEXT_CHARS_MAX } from "#schema/limits/definition-sizes.ts";
import { readParameter, type WrittenFilter } from "#schema/search/written-filter.ts";
import { subjectKey } from "#schema/subject/key.ts";
import * as value from "#schema/values.ts";
import * as query from "../query.ts";
import { executionStatus, executionSummary } from "./shape.ts";

const isTrue = z.enum(["true"]).optional();
const text = z.string().min(1).max(REFERENCE_CHARS_MAX);
const WAIT =
  /^(timer|task|action|retry|child|variable|resume|place|release|decision|event|connection|event:[\w.:*-]+|connection:[\w.:-]+)$/;

const fields = {
  status: executionStatus.optional(),
  definition: text.optional().meta({ description: "A definition's name, name@version, or the id of a version." }),
  version: z.coerce.number().int().min(1).optional(),
  namespace: value.namespace.optional(),
  correlationId: value.correlationId.optional(),
  state: text
    .optional()
    .meta({
      description: "Only executions in this state, or in one of its nested states. After the end: the last states.",
    }),
  errorCode: text
    .optional()
    .meta({
      description:
        "Only executions that ended with this error, or whose last permanent failure had it: its code, else its type.",
    }),
  waitingFor: text
    .regex(WAIT, {
      message:
        "must be timer, task, action, retry, child, variable, resume, place, release, decision, event, event:<type>, connection or connection:<name>",
    })
    .optional()
    .meta({
      description:
        "Only live executions with this wait: timer, task, action, retry, child, variable, resume, place, release, decision, event:<type> or connection:<name>.",
    }),
  quarantined: isTrue.meta({ description: "Only quarantined executions, with the reason for the quarantine." }),
  overdue: isTrue.meta({
    description: "Only live executions that the sweeper has found to be overdue and could not wake.",
  }),
  trigger: triggerIdText.optional().meta({ description: "Only executions started by this trigger." }),
  subject: subjectKey.optional().meta({ description: "Only executions of the subject (customer) with this key." }),
  nextBefore: query.instantQuery
    .optional()
    .meta({
      description:
        "Only executions with a subject and a planned step before this instant, sorted by that step. Requires a definition's name.",
    }),
  dueBefore: query.instantQuery.optional().meta({ description: "Only live executions that wake before this instant." }),
  createdAfter: query.instantQuery.optional(),
  createdBefore: query.instantQuery.optional(),
  updatedAfter: query.instantQuery.optional(),
  count: isTrue.meta({ description: "true: the response also has the number of matching executions." }),
  var: z
    .record(z.string(), z.string())
    .optional()
    .meta({
      description:
        "Comparisons with search variables: `var.<name>=<value>`, or `var.<name>.<gt|gte|lt|lte>=<value>` for numbers and dates.",
      param: { name: "var", in: "query", style: "form", explode: true },
    }),
};

const listed = query.pageQueryWith(fields);

/** Each comparison with a search variable is a parameter of its own, so the names of parameters are checked here. */
export const listExecutionsQuery = listed
  .catchall(z.string().max(SEARCH_TEXT_CHARS_MAX))
  .superRefine((sent, context) => {
    const unknown = Object.keys(sent).filter((key) => !(key in listed.shape) && readParameter(key) === null);
    if (unknown.length > 0) context.addIssue({ code: "unrecognized_keys", keys: unknown, input: sent });
  });

/** Returns the comparisons with search variables that the query contains. */
export function writtenFilters(sent: { readonly [parameter: string]: unknown }): readonly WrittenFilter[] {
  return Object.entries(sent).flatMap(([parameter, written]) => {
    const read = readParameter(parameter);
    return read === null || typeof written !== "string" ? [] : [{ parameter, ...read, text: written }];
  });
}

export const executionPage = query.pageOf(executionSummary).extend({
  stoppedEarly: z
    .boolean()
    .meta({
      description:
        "true: the list read its most rows before the page was full. Later executions may match; `nextCursor` continues.",
    }),
  count: z
    .object({
      value: z.number().int(),
      exact: z
        .boolean()
        .meta({ description: "false: counting stopped at its most rows, and `value` is a lower bound." }),
    })
    .optional()
    .meta({ description: "Only with `count=true`." }),
});
export type ExecutionPage = z.infer<typeof executionPage>;
