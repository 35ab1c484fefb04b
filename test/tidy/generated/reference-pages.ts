// Two pages of docs/reference/ that are made from the sources: problem codes and endpoints.
import { refusalStatus } from "#routes/http/refusal-status.ts";
import { problemGuide } from "#routes/reference/problem-guide.ts";
import { problemCode, type ProblemCode } from "#wire/problem.ts";
import { apiDocument, operations, type Operation } from "./operations.ts";

export const NOTE = "<!-- Written by `npm run texts`: change the sources, not this page. -->";

export const ERRORS = "docs/reference/errors.md";
export const ENDPOINTS = "docs/reference/endpoints.md";

export function errorsPage(): string {
  const all = operations();
  const codes = problemCode.options.toSorted((one, other) => refusalStatus(one).status - refusalStatus(other).status);
  return `# Errors

${NOTE}

The answer to each refused request is a problem (RFC 9457, \`application/problem+json\`) with one of these codes in \`code\`.
\`errors\` lists findings by JSON pointer, \`hint\` says what to do, and \`details\` has values for programs. Codes are stable; texts
may change.

| status | codes |
|---|---|
${[...Map.groupBy(codes, (code) => refusalStatus(code).status)].map(statusRow).join("\n")}

${codes.map((code) => section(code, all)).join("\n\n")}
`;
}

function statusRow([status, codes]: [number, readonly ProblemCode[]]): string {
  return `| ${status} | ${codes.map((code) => `[\`${code}\`](#${code})`).join(", ")} |`;
}

function section(code: ProblemCode, all: readonly Operation[]): string {
  const { status, retryAfterS } = refusalStatus(code);
  const { meaning, fix } = problemGuide[code];
  const retry = retryAfterS === undefined ? "" : ` with \`Retry-After: ${retryAfterS}\`, or a more exact value`;
  return `## ${code}

${meaning}

- **Status**: ${status}${retry}
- **What to do**: ${fix}
- **Where**: ${whereOf(code, all)}`;
}

function whereOf(code: ProblemCode, all: readonly Operation[]): string {
  const endpoints = endpointsWith(code, all);
  const { elsewhere } = problemGuide[code];
  if (endpoints === null && elsewhere === undefined) throw new Error(`${code} occurs nowhere: see problem-guide.ts`);
  return [endpoints, elsewhere].filter((each) => each !== null && each !== undefined).join(" ");
}

/** A sentence; null where no endpoint has it. */
function endpointsWith(code: ProblemCode, all: readonly Operation[]): string | null {
  const having = all.filter(({ codes }) => codes.includes(code));
  const isEach = (holds: (operation: Operation) => boolean) =>
    having.length > 0 && all.filter(holds).every((each) => having.includes(each)) && having.every(holds);
  const changes = ({ method, scope }: Operation) => scope !== null && /^(POST|PUT|PATCH)$/.test(method);
  if (having.length === 0) return null;
  if (isEach(() => true)) return "Every endpoint.";
  if (isEach(({ scope }) => scope !== null)) return "Every endpoint that needs a key.";
  if (isEach(({ hasBody }) => hasBody)) return "Every endpoint that takes a body.";
  if (isEach(changes)) return "Every `POST`, `PUT` and `PATCH` endpoint that needs a key.";
  const ids = having.map(({ operationId }) => `\`${operationId}\``).toSorted();
  return `${ids.join(", ")}.`;
}

export function endpointsPage(): string {
  const byTag = Map.groupBy(operations(), ({ tag }) => tag);
  const { tags } = apiDocument();
  return `# Endpoints

${NOTE}

This page lists every endpoint by its subject, with the scope that its key needs. A running engine describes parameters, bodies
and responses at \`/docs\` and \`/openapi.json\`. [Errors](errors.md) lists the codes of refused requests.

${tags.map(({ name, description }) => tagSection(name, description, byTag.get(name) ?? [])).join("\n\n")}
`;
}

function tagSection(name: string, description: string, all: readonly Operation[]): string {
  const rows = all.map(
    ({ method, path, operationId, scope }) =>
      `| \`${method} ${path}\` | \`${operationId}\` | ${scope === null ? "none" : `\`${scope}\``} |`,
  );
  return `## ${name}

${description}

| endpoint | operation | scope |
|---|---|---|
${rows.join("\n")}`;
}
