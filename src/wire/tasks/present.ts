// Tasks as API objects.
import type { Json } from "#schema/json.ts";
import type { TaskBody, TaskStatus } from "#schema/task.ts";
import type { ApiTask } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type View = {
  readonly id: string;
  readonly execution: string;
  readonly run: string;
  readonly action: string;
  readonly status: TaskStatus;
  readonly title: string;
  readonly assignee: string | null;
  readonly dueAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly closedAt: number | null;
  readonly closedBy: string | null;
  /** Absent in responses that were stored before tasks had this field. */
  readonly closedByVerified?: boolean | null;
  readonly reason: string | null;
  readonly delivery: string | null;
  readonly result: Json;
  readonly incarnation: number | null;
  readonly priority: number | null;
  readonly escalatedAt: number | null;
  readonly escalatedFrom: string | null;
  readonly body: TaskBody;
};

export function presentTask({
  action,
  body,
  delivery,
  dueAt,
  createdAt,
  updatedAt,
  closedAt,
  closedByVerified = null,
  escalatedAt,
  incarnation: _life,
  ...plain
}: View): ApiTask {
  const { description, payload, form, reminder = null, escalateTo = null } = body;
  return {
    ...plain,
    description,
    payload,
    form,
    reminder,
    escalateTo,
    actionId: action,
    dueAt: toInstant(dueAt),
    createdAt: toInstant(createdAt),
    updatedAt: toInstant(updatedAt),
    closedAt: toInstant(closedAt),
    closedByVerified,
    escalatedAt: toInstant(escalatedAt),
    delivery: deliveryOf(closedAt !== null, delivery),
  };
}

function deliveryOf(isClosed: boolean, delivery: string | null): ApiTask["delivery"] {
  if (!isClosed) return { status: "none", code: null };
  if (delivery === null) return { status: "pending", code: null };
  return delivery === "delivered" ? { status: "delivered", code: null } : { status: "refused", code: delivery };
}
