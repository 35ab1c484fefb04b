// Message templates as API objects.
import type { Finding } from "#schema/refusal.ts";
import type { MessageTemplate } from "#schema/template.ts";
import type { ApiPreview, ApiTemplate, ApiTemplateSummary } from "./shape.ts";
import { toInstant } from "#schema/values.ts";

type Summary = { name: string; version: number; hash: string; createdAt: number; archivedAt: number | null };
type Rendered = {
  subject: string | null;
  html: string | null;
  text: string | null;
  findings: readonly Finding[];
  hints: readonly Finding[];
};

export function presentTemplateSummary({ name, version, hash, createdAt, archivedAt }: Summary): ApiTemplateSummary {
  return { name, version, hash, createdAt: toInstant(createdAt), archivedAt: toInstant(archivedAt) };
}

export function presentTemplate({ body, ...row }: Summary & { body: string }): ApiTemplate {
  const { variables, ...said } = JSON.parse(body) as MessageTemplate; // The engine checked the stored body before it was written, so it is a template.
  return { ...presentTemplateSummary(row), ...said, variables: [...variables] };
}

export function presentPreview({ name, version }: Summary, { findings, hints, ...parts }: Rendered): ApiPreview {
  return { name, version, ...parts, valid: findings.length === 0, findings: [...findings], hints: [...hints] };
}
